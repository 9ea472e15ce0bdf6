import { binary, nullLiteral, pathTo } from '../../query/build.js'
import { valueAt } from '../../query/value-at.js'
import type { Probing } from './probe.js'

/** `p eq null` where p is the empty string. */
export const emptyString: Probing = {
  choice: 'emptyString',
  *probes({ terms, snapshot }) {
    for (const { path, type } of terms) {
      if (type !== 'Edm.String') continue
      for (const row of snapshot.rows.filter(each => valueAt(each, path) === '').slice(0, 2)) {
        yield { row, predicate: binary('eq', pathTo(path), nullLiteral), present: 'null', absent: 'distinct' }
      }
    }
  },
}
