import type { QueryOptions } from '../../../runtime/query/index.js'
import { permittedValues } from '../../choices/choices.js'
import { keyOf } from '../../discover/site.js'
import type { Row } from '../../json.js'
import { certainFilters } from '../../lists/certain-filters.js'
import { type LeafProperty, leafProperties, leafValue, orderbyItem, selectItems } from '../../lists/properties.js'
import { queryText, readRows } from '../../lists/read-rows.js'
import { listSites, onePageOptions, pagingOptions, type QuerySite, querySite } from '../../lists/related-items.js'
import { findOrderViolation, sortKeysOf, sortValues } from '../../lists/sort-order.js'
import { sortablesOf } from '../../lists/sortable.js'
import { isSameValue } from '../../lists/values.js'
import { predict } from '../../oracle/predict.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'

/** Selects without the key or without the properties of the filter and the order. @see OData Protocol 4.01, 11.2.5.1 */
export const selectIndependent: ActiveRule = {
  kind: 'active',
  id: 'select-independent',
  area: 'select',
  statement: '$select changes only which properties are returned: not the items, their order or the next links.',
  advice:
    'Filtering, sorting and next links need properties that $select omits. Read those as well, and remove them only when you write the response.',
  aspects: ['select.properties', 'paging.nextLink'],
  covers: ['select', 'nextLink'],
  severity: 'must',
  writes: false,
  requiredOptions: ['select'],
  cost: 2,
  weight: 6,
  sites: session => listSites(session, ({ select }) => select !== 'none'),
  cases: (site, session) => {
    const found = querySite(site)
    const leaf = found === undefined ? undefined : distinguishingLeaf(found, session)
    if (found === undefined || leaf === undefined) return { skipReason: 'a property with different values' }
    const select = selectItems(leaf.path)
    const [plain] = certainFilters(found, session)
    const sorting = sortablesOf(found, session).find(({ leaf: { path } }) => path[0] !== leaf.path[0])
    const paging = pagingOptions(found, session, 3)
    const orderby = sorting === undefined ? [] : [{ orderby: [orderbyItem(sorting.leaf.path, 'desc')] }]
    const keyed = selectItems([...found.type.key.map(({ name }) => name), ...leaf.path])
    const queries: readonly QueryOptions[] = [
      ...(plain === undefined ? [] : [{ select, filter: plain.filter }]),
      ...orderby.map(each => ({ select: keyed, ...each, ...onePageOptions(found, session) })),
      ...(paging === undefined ? [] : [{ select, ...paging }]),
      { select, ...onePageOptions(found, session) },
    ]
    return { planned: queries.map(options => ({ options, name: leaf.path.join('/') })) }
  },
  check: async ({ options = {}, name = '' }, site, session) => {
    const found = querySite(site)
    const snapshot = session.snapshot(site)
    const leaf =
      found === undefined ? undefined : leafProperties(found.type).find(({ path }) => path.join('/') === name)
    if (found === undefined || leaf === undefined || snapshot?.complete !== true) {
      return { kind: 'inconclusive', why: 'the list could not be read completely' }
    }
    const reading = await readRows(found, session, options)
    if (reading.kind === 'ended') return reading.verdict
    const { rows, pages, end } = reading.listing
    const sortKeys = sortKeysOf(options, found.type)
    const sorted = rows.map(row => sortValues(row, sortKeys ?? [], snapshot))
    const wrong = sortKeys === undefined ? undefined : findOrderViolation(sorted, sortKeys, session)
    if (wrong !== undefined) {
      return failure({
        message: `With ${queryText(options)}, the items are not in this order.`,
        expected: 'the same order as without $select',
        received: `${JSON.stringify(sorted[wrong.before])} comes before ${JSON.stringify(sorted[wrong.after])}`,
        answers: pages.slice(0, 3),
        features: ['select', 'order'],
      })
    }
    // If $top may limit the whole list, a short list proves nothing.
    const isCut = options.top !== undefined && options.top < snapshot.byKey.size && rows.length === options.top
    const mayBeCut = isCut && permittedValues(session, 'topMeaning', 'total').includes('total')
    if (end !== 'complete' || mayBeCut) {
      return { kind: 'pass', vacuous: true }
    }
    const { filter } = options
    const { must, may } =
      filter === undefined ? { must: snapshot.byKey, may: snapshot.byKey } : predict(filter, snapshot, session)
    const expected = snapshot.rows.filter(row => must.has(keyOf(row, found.type) ?? ''))
    const isSelected = options.select?.some(({ path }) => path[0] === leaf.property.name) === true
    const unmet = must.size === may.size && isSelected ? unmatched(rows, expected, leaf) : []
    const isRight = rows.length >= must.size && rows.length <= may.size && unmet.length === 0
    if (isRight) return { kind: 'pass', vacuous: may.size === 0 }
    return failure({
      message: `${queryText(options)} does not return the same items as without $select.`,
      expected: `${must.size} items`,
      received: `${rows.length} items`,
      why: unmet.slice(0, 5).map(value => `${name} ${JSON.stringify(value)} is missing`),
      answers: pages.slice(0, 3),
      features: ['select', 'items'],
    })
  },
}

/** A property that is not a key, has nulls (which get lost most easily) and has many distinct values. */
function distinguishingLeaf(site: QuerySite, session: Session): LeafProperty | undefined {
  const keys = site.type.key.map(({ name }) => name)
  const rows = session.snapshot(site)?.rows ?? []
  const distinct = ({ path }: LeafProperty): number => new Set(rows.map(row => leafValue(row, path))).size
  const worth = (leaf: LeafProperty): number =>
    distinct(leaf) + (rows.some(row => leafValue(row, leaf.path) === null) ? 1000 : 0)
  return leafProperties(site.type)
    .filter(
      ({ path, property }) => path.length === 1 && !keys.includes(property.name) && property.returned !== 'onSelect',
    )
    .filter(leaf => distinct(leaf) > 1)
    .sort((a, b) => worth(b) - worth(a))[0]
}

/** Expected values that no row has. */
function unmatched(rows: readonly Row[], expected: readonly Row[], leaf: LeafProperty): readonly unknown[] {
  const rest = rows.map(row => leafValue(row, leaf.path))
  return expected
    .map(row => leafValue(row, leaf.path))
    .filter(value => {
      const at = rest.findIndex(other => isSameValue(other, value, leaf.property))
      if (at >= 0) rest.splice(at, 1)
      return at < 0
    })
}
