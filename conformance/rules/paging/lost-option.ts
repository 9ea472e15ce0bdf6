import type { QueryOptions } from '../../../runtime/query/index.js'
import type { Row } from '../../json.js'
import type { QuerySite } from '../../reading/list-sites.js'
import { unselectedIn } from '../../reading/unselected.js'
import { isTrue, subjectOf, truthOn } from '../../semantics/index.js'
import type { Session } from '../../session/session.js'
import { keyOf } from '../../site/key-of.js'

/** The option that a row shows to be lost, and how. */
export interface LostOption {
  readonly option: 'filter' | 'select' | 'expand'
  readonly expected: string
  readonly received: string
  readonly key?: string
}

/** What tells a row to be of another query than this one; absent when nothing does. */
export function lostOptionOf(
  { filter, select, expand = [] }: QueryOptions,
  site: QuerySite,
  session: Session,
): (row: Row) => LostOption | undefined {
  const snapshot = session.snapshot(site)
  const truth =
    filter === undefined || snapshot === undefined ? undefined : truthOn(filter, subjectOf(snapshot, session))
  const selected = select && new Set(select.map(({ path: [name = ''] }) => name))
  return row => {
    const key = keyOf(row, site.type)
    const at = key === undefined ? {} : { key }
    const known = key === undefined ? undefined : snapshot?.byKey.get(key)
    if (truth !== undefined && known !== undefined && !(truth(known) & isTrue)) {
      return { option: 'filter', expected: 'items that meet $filter', received: `item ${key}, which does not`, ...at }
    }
    if (selected !== undefined) {
      const [shown] = unselectedIn(row, selected, site.type, session)
      if (shown !== undefined) {
        return { option: 'select', expected: 'selected properties only', received: `the property ${shown}`, ...at }
      }
    }
    for (const { path } of expand) {
      const relation = site.type.navigation.find(({ name }) => name === path.join('/'))
      if (relation?.collection === true && !Array.isArray(row[relation.name])) {
        return { option: 'expand', expected: `${relation.name}, expanded`, received: 'an item without it', ...at }
      }
    }
    return undefined
  }
}
