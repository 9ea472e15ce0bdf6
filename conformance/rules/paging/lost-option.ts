import type { QueryOptions } from '../../../runtime/query/index.js'
import type { Row } from '../../json.js'
import type { QuerySite } from '../../reading/list-sites.js'
import { unselectedIn } from '../../reading/unselected.js'
import { predict } from '../../semantics/index.js'
import type { Session } from '../../session/session.js'
import { keyOf } from '../../site/key-of.js'

/** The option that a row shows to be lost, and how. */
export interface LostOption {
  readonly option: 'filter' | 'select' | 'expand'
  readonly expected: string
  readonly received: string
  readonly key?: string
}

/** What tells a row to be of another query; absent when nothing does. */
export function lostOption(row: Row, options: QueryOptions, site: QuerySite, session: Session): LostOption | undefined {
  const key = keyOf(row, site.type)
  const at = key === undefined ? {} : { key }
  const snapshot = session.snapshot(site)
  if (options.filter !== undefined && snapshot !== undefined && key !== undefined && snapshot.byKey.has(key)) {
    if (!predict(options.filter, snapshot, session).may.has(key)) {
      return { option: 'filter', expected: 'items that meet $filter', received: `item ${key}, which does not`, ...at }
    }
  }
  if (options.select !== undefined) {
    const selected = new Set(options.select.map(({ path: [name = ''] }) => name))
    const [shown] = unselectedIn(row, selected, site.type, session)
    if (shown !== undefined) {
      return { option: 'select', expected: 'selected properties only', received: `the property ${shown}`, ...at }
    }
  }
  for (const { path } of options.expand ?? []) {
    const relation = site.type.navigation.find(({ name }) => name === path.join('/'))
    if (relation?.collection === true && !Array.isArray(row[relation.name])) {
      return { option: 'expand', expected: `${relation.name}, expanded`, received: 'an item without it', ...at }
    }
  }
  return undefined
}
