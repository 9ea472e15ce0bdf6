import { binary, nullLiteral, pathTo } from '../../query/build.js'
import type { Probing } from './probe.js'

/** `p eq null` where a row does not show p, though it was asked for. */
export const absentProperty: Probing = {
  choice: 'absentProperty',
  *probes({ terms, snapshot }) {
    for (const { path } of terms) {
      const [name, ...others] = path
      if (name === undefined || others.length > 0 || !snapshot.properties.has(name)) continue
      for (const row of snapshot.rows.filter(each => !Object.hasOwn(each, name)).slice(0, 2)) {
        yield { row, predicate: binary('eq', pathTo(path), nullLiteral), present: 'null', absent: 'distinct' }
      }
    }
  },
}
