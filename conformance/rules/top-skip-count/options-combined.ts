import type { QueryOptions } from '../../../runtime/query/index.js'
import { certainFilters } from '../../lists/certain-filters.js'
import { selectItems } from '../../lists/properties.js'
import { queryText, readRows } from '../../lists/read-rows.js'
import { expandableRelations, listSites, type QuerySite, querySite } from '../../lists/related-items.js'
import { frequentTerms, searchCapabilitiesOf } from '../../probes/search.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure, type Verdict } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { checkSlice, orderingsToSlice } from './slice.js'

/** @see OData Protocol 4.01, 11.2.1 */
export const optionsCombined: ActiveRule = {
  kind: 'active',
  id: 'options-combined',
  area: 'top-skip-count',
  statement: '$count, $expand, $select and $search do not change how a list is filtered, ordered and limited.',
  advice:
    'Apply all options to one query: first $search and $filter, then $count, $orderby, $skip and $top, and finally $expand and $select. Look for a code path for one option that ignores another one.',
  aspects: ['orderby.keys', 'skip.items', 'top.ordered'],
  covers: ['orderby', 'skip', 'top', 'filter', 'count', 'expand', 'select', 'search'],
  severity: 'must',
  writes: false,
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
    const searched = cutSearches(found, session).map(options => ({ options }))
    const all = [...planned.slice(0, 2), ...searched, ...planned.slice(2)]
    return all.length === 0 ? { skipReason: 'a list of at least three items in an order' } : { planned: all }
  },
  check: async ({ options = {} }, site, session) => {
    const found = querySite(site)
    if (found === undefined || (options.orderby === undefined && options.search === undefined))
      return { kind: 'inconclusive', why: 'no list in an order' }
    const verdict =
      options.search === undefined
        ? await checkSlice(options, found, session, ['combined'])
        : await checkSearched(options, found, session)
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
      : [{ filter: plain.filter, orderby, ...(skip === 'none' ? {} : { skip: 1 }), ...size(plain.rows) }]),
  ]
}

/** A part of what a search finds. */
function cutSearches(site: QuerySite, session: Session): readonly QueryOptions[] {
  const snapshot = session.snapshot(site)
  const capabilities = searchCapabilitiesOf(site)
  const [term] = snapshot === undefined || capabilities === undefined ? [] : frequentTerms(snapshot, capabilities)
  if (term === undefined || term.rows < 2) return []
  const { search } = term
  return [{ search, top: 1 }, ...(site.endpoint.query.skip === 'none' ? [] : [{ search, skip: 1 }])]
}

/** Compares the number of items that a search finds beside `$top` or `$skip` with what it finds alone. */
async function checkSearched(options: QueryOptions, site: QuerySite, session: Session): Promise<Verdict> {
  const { search, top, skip = 0 } = options
  const whole = await readRows(site, session, search === undefined ? {} : { search })
  if (whole.kind === 'ended') return whole.verdict
  const part = await readRows(site, session, options, top === undefined ? {} : { pages: 1 })
  if (part.kind === 'ended') return part.verdict
  const [all, some] = [whole.listing, part.listing]
  if (all.end !== 'complete' || (top === undefined && some.end !== 'complete'))
    return { kind: 'inconclusive', why: 'not all pages could be read' }
  const rest = Math.max(0, all.rows.length - skip)
  const most = top === undefined ? rest : Math.min(top, rest)
  const isWhole = some.end === 'complete'
  if (some.rows.length <= most && (some.rows.length === most || !isWhole)) {
    return { kind: 'pass', vacuous: all.rows.length < 2 }
  }
  return failure({
    message: `${queryText(options)} does not return the expected number of items.`,
    expected: `${most} of the ${all.rows.length} items that the search alone finds`,
    received: `${some.rows.length} items`,
    answers: [...all.pages.slice(0, 1), ...some.pages.slice(0, 1)],
    features: ['combined', 'search', top === undefined ? 'skip' : 'top'],
  })
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
