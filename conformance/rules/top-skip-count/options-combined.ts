import type { QueryOptions } from '../../../runtime/query/index.js'
import { certainFilters } from '../../lists/certain-filters.js'
import { selectItems } from '../../lists/properties.js'
import { expandableRelations, listSites, type QuerySite, querySite } from '../../lists/related-items.js'
import type { ActiveRule } from '../../rule/rule.js'
import type { Session } from '../../session/session.js'
import { checkSlice, orderingsToSlice } from './slice.js'

/** @see OData Protocol 4.01, 11.2.1 */
export const optionsCombined: ActiveRule = {
  kind: 'active',
  id: 'options-combined',
  area: 'top-skip-count',
  statement: '$count, $expand and $select do not change how a list is filtered, ordered and limited.',
  advice:
    'Apply all options to one query: first $search and $filter, then $count, $orderby, $skip and $top, and finally $expand and $select. Look for a code path for one option that ignores another one.',
  aspects: ['orderby.keys', 'skip.items', 'top.ordered'],
  covers: ['orderby', 'skip', 'top', 'filter', 'count', 'expand', 'select'],
  severity: 'must',
  writes: false,
  requiredOptions: ['orderby', 'top'],
  cost: 2,
  weight: 12,
  sites: session => listSites(session, ({ orderby, top }) => orderby.support !== 'none' && top.support !== 'none'),
  cases: (site, session) => {
    const found = querySite(site)
    if (found === undefined) return { skipReason: 'a list' }
    const lists = cutLists(found, session)
    const others = otherOptions(found)
    // Each combination once, the two parts of it changing at the same time.
    const planned = others.flatMap((_, shift) =>
      lists.flatMap((list, index) => {
        const other = others[(index + shift) % others.length]
        return other === undefined ? [] : [{ options: { ...list, ...other } }]
      }),
    )
    return planned.length === 0 ? { skipReason: 'a list of at least three items in an order' } : { planned }
  },
  check: async ({ options = {} }, site, session) => {
    const found = querySite(site)
    if (found === undefined || options.orderby === undefined)
      return { kind: 'inconclusive', why: 'no list in an order' }
    const verdict = await checkSlice(options, found, session, ['combined'])
    if (verdict.kind !== 'unsupported') return verdict
    return { kind: 'inconclusive', why: 'the service does not combine these options' }
  },
}

/** A part of the whole list, and one of what a filter leaves. */
function cutLists(site: QuerySite, session: Session): readonly QueryOptions[] {
  const { top, skip, filter } = site.endpoint.query
  const length = session.snapshot(site)?.rows.length ?? 0
  const [orderby] = orderingsToSlice(site, session)
  if (length < 3 || orderby === undefined) return []
  const size = (rows: number): QueryOptions => ({ top: Math.max(1, Math.min(Math.floor(rows / 2), 5, top.max ?? 5)) })
  const [plain] = certainFilters(site, session).filter(({ rows }) => rows > 1)
  return [
    { orderby, ...(skip === 'none' ? {} : { skip: Math.floor(length / 3) }), ...size(length) },
    ...(plain === undefined || filter.support === 'none'
      ? []
      : [{ filter: plain.filter, orderby, ...size(plain.rows) }]),
  ]
}

function otherOptions(site: QuerySite): readonly QueryOptions[] {
  const { query } = site.endpoint
  const [relation] = query.expand.support === 'none' ? [] : expandableRelations(site)
  const keys = site.type.key.map(({ name }) => name)
  return [
    ...(query.count === 'none' ? [] : [{ count: true }]),
    ...(relation === undefined ? [] : [{ expand: [{ path: [relation.name] }] }]),
    ...(query.select === 'none' || keys.length === 0 ? [] : [{ select: selectItems(keys) }]),
  ]
}
