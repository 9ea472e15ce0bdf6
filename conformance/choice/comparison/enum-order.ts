import { binary, pathTo, text } from '../../query/build.js'
import { valueAt } from '../../query/value-at.js'
import type { Probing } from './probe.js'

/** `p gt 'member'` where the members' values and names are in another order. */
export const enumOrder: Probing = {
  choice: 'enumOrder',
  *probes({ terms, snapshot, session }) {
    for (const { path, type, allows, isFlags } of terms) {
      const info = Object.hasOwn(session.types, type) ? session.types[type] : undefined
      if (info?.kind !== 'enumType' || isFlags || !allows('gt')) continue
      for (const row of snapshot.rows) {
        const member = valueAt(row, path)
        if (typeof member !== 'string' || !Object.hasOwn(info.members, member)) continue
        const number = info.members[member] ?? 0
        const other = Object.entries(info.members).find(
          ([name, value]) => name !== member && number > value !== member > name,
        )
        if (other === undefined) continue
        const [name, value] = other
        const isGreater = number > value
        yield {
          row,
          predicate: binary('gt', pathTo(path), text(name)),
          present: isGreater ? 'value' : 'name',
          absent: isGreater ? 'name' : 'value',
        }
      }
    }
  },
}
