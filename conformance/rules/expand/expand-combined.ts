import type { QueryOptions } from '../../../runtime/query/index.js'
import type { NavigationProperty } from '../../../spec/language/index.js'
import { permittedValues } from '../../choices/choices.js'
import { keyOf } from '../../discover/site.js'
import type { Row } from '../../json.js'
import { certainFilters } from '../../lists/certain-filters.js'
import { orderbyItem, selectItems } from '../../lists/properties.js'
import { queryText, readRows } from '../../lists/read-rows.js'
import {
  expandableRelations,
  expandedRows,
  listSites,
  onePageOptions,
  type QuerySite,
  querySite,
} from '../../lists/related-items.js'
import { sortablesOf } from '../../lists/sortable.js'
import { isSameValue } from '../../lists/values.js'
import { searchCapabilitiesOf, searchTerms } from '../../probes/search.js'
import { readRequest } from '../../rule/query-request.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure } from '../../rule/verdict.js'
import { pageOf, type Session } from '../../session/session.js'
import { shownKeys } from './expand-each.js'

/** Items on a short page: enough to compare many at once, too few for a page with most of the list. */
const shortPage = 5

/** @see OData Protocol 4.01, 11.2.5.2 */
export const expandCombined: ActiveRule = {
  kind: 'active',
  id: 'expand-combined',
  area: 'expand',
  statement:
    'An item has the same related items, with the same values, on every page, and together with every other option.',
  advice:
    'Look up related items by the key of each item, after you have decided which items the page has. Common causes: a cache with the wrong key, an item at the start or the end of a page that is left out, and a code path for another option that ignores $expand.',
  aspects: ['expand.related'],
  covers: ['expand'],
  severity: 'must',
  writes: false,
  requiredOptions: ['expand'],
  cost: 2,
  weight: 14,
  // Items share what a relation to single items leads to, so a cache can mix it up.
  sites: session =>
    listSites(session, query => query.expand.support !== 'none').toSorted(
      (a, b) => Number(hasSharedItem(b)) - Number(hasSharedItem(a)),
    ),
  cases: (site, session) => {
    const found = querySite(site)
    const relations = found === undefined ? [] : expandableRelations(found)
    if (found === undefined || relations.length === 0) return { skipReason: 'a relation to expand' }
    if ((session.snapshot(site)?.rows.length ?? 0) < 2) return { skipReason: 'a list with two items' }
    // A cache of single related items is more likely than one of lists.
    const ranked = relations.toSorted((a, b) => Number(a.collection) - Number(b.collection))
    return {
      planned: otherOptions(found, session).flatMap(options =>
        ranked.map(({ name }) => ({ options: { expand: [{ path: [name] }], ...options } })),
      ),
    }
  },
  check: async ({ options = {} }, site, session) => {
    const found = querySite(site)
    const { expand } = options
    const relation = found && relationOf(options, found)
    if (found === undefined || expand === undefined || relation === undefined)
      return { kind: 'inconclusive', why: 'no list' }
    const mayBeLimited = relation.collection && permittedValues(session, 'expandedItems', 'all').includes('limited')
    const whole = await readRows(found, session, { expand, ...onePageOptions(found, session) }, { pages: 1 })
    if (whole.kind === 'ended') return whole.verdict
    const part = await readRows(found, session, options, { pages: 1 })
    if (part.kind === 'ended') return part.verdict
    const byKey = new Map(whole.listing.rows.map(row => [keyOf(row, found.type), row]))
    let shown = 0
    for (const row of part.listing.rows) {
      const key = keyOf(row, found.type)
      const known = byKey.get(key)
      const [usual, combined] = [keysOf(known, relation), keysOf(row, relation)]
      if (key === undefined || usual === undefined || combined === undefined) continue
      shown += usual.size + combined.size
      if (usual.size === combined.size && [...usual].every(each => combined.has(each))) {
        const changed = changedValue(known, row, relation)
        if (changed === undefined) continue
        // Some values, such as addresses with a signature, differ in each response. The header makes it a read of its own.
        const headers = { 'cache-control': 'no-cache' }
        const again = await session.send(readRequest(found, { expand, ...onePageOptions(found, session) }, headers))
        const other = pageOf(again)?.rows.find(each => keyOf(each, found.type) === key)
        if (other === undefined || changedValue(known, other, relation)?.name === changed.name) continue
        return failure({
          message: `With ${queryText(options)}, an item of ${relation.name} has another ${changed.name} than in the whole list.`,
          expected: `${changed.name}: ${JSON.stringify(changed.usual)?.slice(0, 80)}`,
          received: `${changed.name}: ${JSON.stringify(changed.combined)?.slice(0, 80) ?? 'absent'}`,
          missing: [key],
          answers: [...part.listing.pages.slice(0, 1), ...whole.listing.pages.slice(0, 1)],
          features: ['expand', 'combined', 'value'],
        })
      }
      // The service may show more of the related items on one page than on another, but not none on the shorter page.
      if (mayBeLimited && (combined.size > 0 || Object.hasOwn(row, `${relation.name}@odata.nextLink`))) continue
      const texts = (keys: ReadonlySet<string>): string => [...keys].slice(0, 10).join(', ') || `no ${relation.name}`
      return failure({
        message: `With ${queryText(options)}, an item has other related items than in the whole list.`,
        expected: `as in the whole list: ${texts(usual)}`,
        received: texts(combined),
        missing: [key],
        answers: [...whole.listing.pages.slice(0, 1), ...part.listing.pages.slice(0, 1)],
        features: ['expand', 'combined'],
      })
    }
    return { kind: 'pass', vacuous: shown === 0 }
  },
}

/** The first value of a related item that another read does not show, or shows as another value. */
function changedValue(
  usual: Row | undefined,
  combined: Row,
  relation: NavigationProperty,
): { readonly name: string; readonly usual: unknown; readonly combined: unknown } | undefined {
  const { type } = relation
  const before = new Map((usual && expandedRows(usual, relation))?.map(row => [keyOf(row, type), row]))
  for (const row of expandedRows(combined, relation) ?? []) {
    const known = before.get(keyOf(row, type))
    if (known === undefined) continue
    for (const property of type.properties) {
      const { name } = property
      if ((known[name] ?? null) === null || isSameValue(known[name], row[name], property)) continue
      return { name, usual: known[name], combined: row[name] }
    }
  }
  return undefined
}

function hasSharedItem(site: QuerySite): boolean {
  return expandableRelations(site).some(({ collection, contained }) => !collection && !contained)
}

function relationOf({ expand }: QueryOptions, site: QuerySite): NavigationProperty | undefined {
  const name = expand?.[0]?.path.join('/')
  return expandableRelations(site).find(each => each.name === name)
}

/** The keys of the related items of a row. Undefined if they cannot be known; empty if the row has none. */
function keysOf(row: Row | undefined, relation: NavigationProperty): ReadonlySet<string> | undefined {
  if (row === undefined) return undefined
  const value = Object.hasOwn(row, relation.name) ? row[relation.name] : null
  if (value === null) return new Set()
  const keys = shownKeys(row, relation)
  return keys === undefined ? undefined : new Set(keys)
}

/** Short pages at several places of the list, and each of the other options. */
function otherOptions(site: QuerySite, session: Session): readonly QueryOptions[] {
  const { query } = site.endpoint
  const length = session.snapshot(site)?.rows.length ?? 0
  const places = [...new Set([Math.floor(length / 2), 0, length - 2])]
  const pages = query.top.support === 'none' ? [] : places.filter(skip => skip === 0 || query.skip !== 'none')
  const [plain] = certainFilters(site, session)
  const [sortable] = sortablesOf(site, session)
  const snapshot = session.snapshot(site)
  const capabilities = searchCapabilitiesOf(site)
  const [term] = snapshot === undefined || capabilities === undefined ? [] : searchTerms(snapshot, capabilities)
  const top = Math.min(shortPage, query.top.max ?? shortPage, Math.max(1, length - 1))
  const names = [...site.type.key, ...site.type.properties.filter(each => !site.type.key.includes(each)).slice(0, 1)]
  const page = pages.slice(0, 1).map(skip => (skip === 0 ? { top } : { top, skip }))
  const selected = query.select === 'none' ? [] : [{ select: selectItems(names.map(({ name }) => name)) }]
  return [
    ...(hasSharedItem(site) ? [...page, ...selected] : [...selected, ...page]),
    ...(query.count === 'none' ? [] : [{ count: true }]),
    ...pages.slice(1).map(skip => (skip === 0 ? { top } : { top, skip })),
    ...(term === undefined ? [] : [{ search: term.search }]),
    ...(sortable === undefined ? [] : [{ orderby: [orderbyItem(sortable.leaf.path, 'desc')] }]),
    ...(plain === undefined ? [] : [{ filter: plain.filter }]),
  ]
}
