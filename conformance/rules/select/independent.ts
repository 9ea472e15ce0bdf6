import type { QueryOptions } from '../../../runtime/query/index.js'
import type { Row } from '../../json.js'
import { openTo } from '../../reading/choice-of.js'
import { disorderOf } from '../../reading/disorder.js'
import { type Leaf, leavesOf, valueAt } from '../../reading/leaf.js'
import { listSites, type QuerySite, querySite } from '../../reading/list-sites.js'
import { onePage } from '../../reading/one-page.js'
import { pagingOptions } from '../../reading/paging-options.js'
import { plainFilters } from '../../reading/plain-filter.js'
import { orderedBy, selecting } from '../../reading/property-path.js'
import { queryText } from '../../reading/query-text.js'
import { readRows } from '../../reading/read-rows.js'
import { isSameValue } from '../../reading/same-value.js'
import { sortKeysOf, sortValues } from '../../reading/sort-key.js'
import { sortablesOf } from '../../reading/sortable.js'
import type { Rule } from '../../rule/rule.js'
import { predict } from '../../semantics/index.js'
import type { Session } from '../../session/session.js'
import { keyOf } from '../../site/key-of.js'

/** SEL-INDEP: a selection without the key, or without what sorts and filters, changes nothing else. */
export const selectIndependent: Rule = {
  kind: 'asking',
  id: 'select-independent',
  area: 'select',
  statement: '$select changes which properties come, and nothing else: not the items, their order or the next links.',
  advice:
    'Filtering, sorting and next links need properties that $select leaves out. Read those, too, and leave them out only ' +
    'when the answer is written.',
  clauses: ['select.only', 'paging.links'],
  covers: ['select', 'nextLink'],
  severity: 'must',
  writes: false,
  about: ['select'],
  cost: 2,
  weight: 6,
  sites: session => listSites(session, ({ select }) => select !== 'none'),
  cases: (site, session) => {
    const found = querySite(site)
    const leaf = found === undefined ? undefined : tellingLeaf(found, session)
    if (found === undefined || leaf === undefined) return { thin: 'a property with different values' }
    const select = selecting(leaf.path)
    const [plain] = plainFilters(found, session)
    const sorting = sortablesOf(found, session).find(({ leaf: { path } }) => path[0] !== leaf.path[0])
    const paging = pagingOptions(found, session, 3)
    const orderby = sorting === undefined ? [] : [{ orderby: [orderedBy(sorting.leaf.path, 'desc')] }]
    const keyed = selecting([...found.type.key.map(({ name }) => name), ...leaf.path])
    const queries: readonly QueryOptions[] = [
      ...(plain === undefined ? [] : [{ select, filter: plain.filter }]),
      ...orderby.map(each => ({ select: keyed, ...each, ...onePage(found, session) })),
      ...(paging === undefined ? [] : [{ select, ...paging }]),
      { select, ...onePage(found, session) },
    ]
    return { planned: queries.map(options => ({ options, name: leaf.path.join('/') })) }
  },
  check: async ({ options = {}, name = '' }, site, session) => {
    const found = querySite(site)
    const snapshot = session.snapshot(site)
    const leaf = found === undefined ? undefined : leavesOf(found.type).find(({ path }) => path.join('/') === name)
    if (found === undefined || leaf === undefined || snapshot?.complete !== true) {
      return { kind: 'inconclusive', why: 'the list could not be read as a whole' }
    }
    const reading = await readRows(found, session, options)
    if (reading.kind === 'ended') return reading.verdict
    const { rows, pages, end } = reading.listing
    const sortKeys = sortKeysOf(options, found.type)
    const sorted = rows.map(row => sortValues(row, sortKeys ?? [], snapshot))
    const wrong = sortKeys === undefined ? undefined : disorderOf(sorted, sortKeys, session)
    if (wrong !== undefined) {
      return {
        kind: 'fail',
        finding: {
          message: `With ${queryText(options)} the items are not in that order.`,
          expected: 'the order that they have without $select',
          received: `${JSON.stringify(sorted[wrong.before])} stands before ${JSON.stringify(sorted[wrong.after])}`,
          answers: pages.slice(0, 3),
          features: ['select', 'order'],
        },
      }
    }
    // Where $top may limit the whole list, its end says nothing.
    const isCut = options.top !== undefined && options.top < snapshot.byKey.size && rows.length === options.top
    const mayBeCut = isCut && openTo(session, 'topMeaning', 'total').may('total')
    if (end !== 'whole' || mayBeCut) {
      return { kind: 'pass', trivial: true }
    }
    const { filter } = options
    const { must, may } =
      filter === undefined ? { must: snapshot.byKey, may: snapshot.byKey } : predict(filter, snapshot, session)
    const expected = snapshot.rows.filter(row => must.has(keyOf(row, found.type) ?? ''))
    const isSelected = options.select?.some(({ path }) => path[0] === leaf.property.name) === true
    const unmet = must.size === may.size && isSelected ? unmatched(rows, expected, leaf) : []
    const isRight = rows.length >= must.size && rows.length <= may.size && unmet.length === 0
    if (isRight) return { kind: 'pass', trivial: may.size === 0 }
    return {
      kind: 'fail',
      finding: {
        message: `${queryText(options)} does not give the items that it gives without $select.`,
        expected: `${must.size} items`,
        received: `${rows.length} items`,
        why: unmet.slice(0, 5).map(value => `${name} ${JSON.stringify(value)} is missing`),
        answers: pages.slice(0, 3),
        features: ['select', 'items'],
      },
    }
  },
}

/** No key; null on some items, which get lost the most easily, and shared by few, so that it tells which they are. */
function tellingLeaf(site: QuerySite, session: Session): Leaf | undefined {
  const keys = site.type.key.map(({ name }) => name)
  const rows = session.snapshot(site)?.rows ?? []
  const distinct = ({ path }: Leaf): number => new Set(rows.map(row => valueAt(row, path))).size
  const worth = (leaf: Leaf): number => distinct(leaf) + (rows.some(row => valueAt(row, leaf.path) === null) ? 1000 : 0)
  return leavesOf(site.type)
    .filter(
      ({ path, property }) => path.length === 1 && !keys.includes(property.name) && property.returned !== 'onSelect',
    )
    .filter(leaf => distinct(leaf) > 1)
    .sort((a, b) => worth(b) - worth(a))[0]
}

/** Values that rows should have and no row is left for. */
function unmatched(rows: readonly Row[], expected: readonly Row[], leaf: Leaf): readonly unknown[] {
  const rest = rows.map(row => valueAt(row, leaf.path))
  return expected
    .map(row => valueAt(row, leaf.path))
    .filter(value => {
      const at = rest.findIndex(other => isSameValue(other, value, leaf.property))
      if (at >= 0) rest.splice(at, 1)
      return at < 0
    })
}
