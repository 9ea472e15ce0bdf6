import { binary, pathTo } from '../../query/build.js'
import { literalOf } from '../../query/literal-of.js'
import { valuesAt } from '../../query/observed.js'
import type { Probing } from './probe.js'

/** Asks for moments as they are shown. */
export const timestampPrecision: Probing = {
  choice: 'timestampPrecision',
  *probes({ terms, snapshot, session }) {
    const moments = terms.filter(({ type }) => type === 'Edm.DateTimeOffset')
    for (const index of [0, 1, 2]) {
      for (const { path } of moments) {
        const row = snapshot.rows[Math.floor((index * snapshot.rows.length) / 3)]
        const literal = row && literalOf('Edm.DateTimeOffset', valuesAt([row], path)[0], session)
        if (row === undefined || literal === undefined) continue
        yield { row, predicate: binary('eq', pathTo(path), literal), present: 'shown', absent: 'finer' }
      }
    }
  },
}
