import type { ExpandItem, Expression, OrderbyItem, QueryOptions } from '../../../runtime/query/index.js'
import type { EntityType, NavigationProperty } from '../../../spec/language/index.js'
import { permittedValues } from '../../choices/choices.js'
import { keyOf } from '../../discover/site.js'
import type { Row } from '../../json.js'
import { certainComparisons } from '../../lists/certain-filters.js'
import { type LeafProperty, leafProperties, leafValue, orderbyItem } from '../../lists/properties.js'
import { readRows, visibleKeys } from '../../lists/read-rows.js'
import { expandableRelations, expandedRows, listSites, onePageOptions, querySite } from '../../lists/related-items.js'
import { compareSorted, findOrderViolation, mayTie, type SortKey } from '../../lists/sort-order.js'
import { predict } from '../../oracle/predict.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { relatedMismatch } from './related-items.js'

const sliceOptions = ['orderby', 'skip', 'top', 'count']

/** All options but $select. @see OData Protocol 4.01, 11.2.5.2.1 */
export const expandNested: ActiveRule = {
  kind: 'active',
  id: 'expand-nested',
  area: 'expand',
  statement: 'Options inside $expand apply to the related items of each item, as they would to a separate list.',
  advice:
    'Options in the parentheses belong to the relation and apply to each item separately: not to the outer list, and not to all related items together. Semicolons separate them.',
  aspects: ['expand.related'],
  covers: ['expand.filter', 'expand.orderby', 'expand.top', 'expand.skip', 'expand.count', 'expand.expand'],
  severity: 'must',
  writes: false,
  cost: 2,
  weight: 8,
  sites: session => listSites(session, ({ expand }) => expand.nested.some(name => nestedVariants.has(name))),
  cases: site => {
    const found = querySite(site)
    if (found === undefined) return { skipReason: 'a relation to expand' }
    const { nested, maxDepth } = found.endpoint.query.expand
    const names = [...nestedVariants.keys()].filter(name => {
      if (name === 'slice') return sliceOptions.every(option => nested.includes(option))
      return (
        nested.includes(name) && (name !== 'expand' || maxDepth > 1) && (name !== 'count' || nested.includes('top'))
      )
    })
    const relations = expandableRelations(found)
    const lists = relations.filter(({ collection }) => collection)
    const planned = names.flatMap(variant =>
      (variant === 'expand' ? relations : lists).map(({ name }, index) => ({ variant, name, index })),
    )
    if (planned.length === 0) return { skipReason: 'a relation to many items' }
    // Single options are for services that do not support several at once.
    const turn = (variant: string): number => (['slice', 'filter', 'expand'].includes(variant) ? 0 : 10)
    const ordered = planned.sort((a, b) => a.index + turn(a.variant) - b.index - turn(b.variant))
    return { planned: ordered.map(({ variant, name }) => ({ variant, name })) }
  },
  check: async ({ variant = '', name = '' }, site, session) => {
    const found = querySite(site)
    const relation = found === undefined ? undefined : expandableRelations(found).find(each => each.name === name)
    const check = nestedVariants.get(variant)
    if (found === undefined || relation === undefined || check === undefined) return { kind: 'pass', vacuous: true }
    // If the service may truncate related items, it is open to which of them an option applies.
    if (permittedValues(session, 'expandedItems', 'all').includes('limited')) return { kind: 'pass', vacuous: true }
    const page = onePageOptions(found, session)
    const plain = await readRows(found, session, { expand: [{ path: [name] }], ...page })
    if (plain.kind === 'ended') return plain.verdict
    const relatedByKey = new Map<string, readonly Row[]>()
    for (const row of plain.listing.rows) {
      const key = keyOf(row, found.type)
      const related = expandedRows(row, relation)
      const isCut = Object.hasOwn(row, `${name}@odata.nextLink`)
      if (key !== undefined && related !== undefined && !isCut) relatedByKey.set(key, related)
    }
    const plan = check({ relation, relatedByKey, type: found.type, session })
    if (plan === undefined) return { kind: 'pass', vacuous: true }
    const reading = await readRows(found, session, { expand: [{ path: [name], options: plan.options }], ...page })
    if (reading.kind === 'ended') return reading.verdict
    for (const row of reading.listing.rows) {
      const key = keyOf(row, found.type)
      const expected = key === undefined ? undefined : relatedByKey.get(key)
      if (key === undefined || expected === undefined) continue
      const related = expandedRows(row, relation)
      if (related === undefined) continue
      const fault = plan.mismatchOf(row, related, expected)
      if (fault === undefined) continue
      return failure({
        message: `${fault.message} Item ${key}.`,
        expected: fault.expected,
        received: fault.received,
        answers: [...reading.listing.pages.slice(0, 1), ...plain.listing.pages.slice(0, 1)],
        features: [fault.feature ?? `expand.${variant}`],
      })
    }
    return { kind: 'pass' }
  },
}

/** Expands a relation inside another one: the partner that leads back, if there is one. */
const innerExpand: NestedVariant = ({ relation, relatedByKey, type, session }) => {
  const { partner } = relation
  const isBack = partner !== undefined && relation.type.navigation.includes(partner)
  const inner: NavigationProperty | undefined = isBack ? partner : relation.type.navigation[0]
  if (inner === undefined || ![...relatedByKey.values()].some(each => each.length > 0)) return undefined
  const item: ExpandItem = { path: [inner.name] }
  return {
    options: { expand: [item] },
    mismatchOf: (row, related) => {
      for (const each of related) {
        const fault = relatedMismatch(each, item, inner, relation.type, relation, session)
        if (fault !== undefined) return { ...fault, feature: 'expand.expand' }
        const back = expandedRows(each, inner)
        const key = keyOf(row, type)
        const keys = visibleKeys(back ?? [], inner.type)
        const isCut = Object.hasOwn(each, `${inner.name}@odata.nextLink`)
        if (!isBack || key === undefined || keys === undefined || isCut || keys.includes(key)) continue
        return {
          message: `${inner.name} inside $expand=${relation.name} does not lead back to the item.`,
          expected: `${key} among the items of ${inner.name}`,
          received: `${keys.length} items: ${keys.slice(0, 5).join(', ')}`,
          feature: 'expand.expand',
        }
      }
      return undefined
    },
  }
}

/** What is known before an option is nested. */
interface NestedStart {
  readonly relation: NavigationProperty
  /** The related items of each item of the list, by its key, without nested options. */
  readonly relatedByKey: ReadonlyMap<string, readonly Row[]>
  /** The type of the items in the list. */
  readonly type: EntityType
  readonly session: Session
}

interface NestedMismatch {
  readonly message: string
  readonly expected: string
  readonly received: string
  /** Default: the feature of the option. */
  readonly feature?: string
}

/** Options to nest, and a check of their result for one item of the list. */
interface NestedPlan {
  readonly options: QueryOptions
  readonly mismatchOf: (row: Row, related: readonly Row[], whole: readonly Row[]) => NestedMismatch | undefined
}

/** Returns undefined if the data do not distinguish anything. */
type NestedVariant = (start: NestedStart) => NestedPlan | undefined

/** By option. `slice` combines several options. */
const nestedVariants: ReadonlyMap<string, NestedVariant> = new Map<string, NestedVariant>([
  ['slice', start => sliced(start, { skip: 1, top: 1, count: true })],
  ['filter', filtered],
  ['orderby', ordered],
  ['top', start => sliced(start, { top: 1 })],
  ['skip', start => sliced(start, { skip: 1 })],
  ['count', counted],
  ['expand', innerExpand],
])

function filtered({ relation, relatedByKey, session }: NestedStart): NestedPlan | undefined {
  const rows = [...relatedByKey.values()].flat()
  const byKey = new Map(rows.flatMap(row => [[keyOf(row, relation.type) ?? '', row] as const]))
  const properties = new Set(rows.flatMap(row => Object.keys(row)))
  const snapshot = { site: { type: relation.type }, rows: [...byKey.values()], byKey, complete: true, properties }
  const found = leafProperties(relation.type)
    .filter(({ path }) => path.length === 1)
    .flatMap(leaf =>
      certainComparisons(
        leaf,
        rows.map(row => leafValue(row, leaf.path)),
      ),
    )
    .map((filter: Expression) => ({ filter, ...predictOver(filter, snapshot, session) }))
    .find(({ must, may }) => must.size === may.size && must.size > 0 && must.size < byKey.size)
  if (found === undefined) return undefined
  return {
    options: { filter: found.filter },
    mismatchOf: (_, related, all) => {
      const keys = related.map(row => keyOf(row, relation.type) ?? '')
      const expected = all.map(row => keyOf(row, relation.type) ?? '').filter(key => found.must.has(key))
      const isSame = keys.length === expected.length && expected.every(key => keys.includes(key))
      if (isSame) return undefined
      return {
        message: `$filter inside $expand=${relation.name} does not return the related items that match it.`,
        expected: `${expected.length} of ${all.length} items: ${expected.slice(0, 5).join(', ')}`,
        received: `${keys.length} items: ${keys.slice(0, 5).join(', ')}`,
      }
    },
  }
}

type PredictOver = Parameters<typeof predict>[1]

function predictOver(
  filter: Expression,
  { site, ...rest }: Omit<PredictOver, 'site'> & { readonly site: { readonly type: EntityType } },
  session: Session,
): ReturnType<typeof predict> {
  const [any] = session.sites
  return any === undefined
    ? { must: new Set(), may: new Set() }
    : predict(filter, { ...rest, site: { ...any, ...site } }, session)
}

function ordered(start: NestedStart): NestedPlan | undefined {
  const key = distinguishingKey(start, 'desc')
  if (key === undefined) return undefined
  const { relation, session } = start
  return {
    options: { orderby: itemOf(key) },
    mismatchOf: (_, related) => {
      const values = related.map(row => [leafValue(row, key.leaf.path)])
      const wrong = findOrderViolation(values, [key], session)
      if (wrong === undefined) return undefined
      return {
        message: `The items of ${relation.name} are not in the order of $orderby inside $expand.`,
        expected: `${key.leaf.path.join('/')} descending`,
        received: `${JSON.stringify(values[wrong.before]?.[0])} before ${JSON.stringify(values[wrong.after]?.[0])}`,
      }
    },
  }
}

/** A slice of the related items of each item, sorted if the order is predictable. */
function sliced(start: NestedStart, slice: QueryOptions): NestedPlan | undefined {
  const { relation, relatedByKey, session } = start
  if (![...relatedByKey.values()].some(each => each.length > 1)) return undefined
  const key = distinguishingKey(start, 'asc')
  const { top, skip = 0 } = slice
  const option = top === undefined ? 'skip' : 'top'
  const feature = `expand.${option}`
  return {
    options: key === undefined ? slice : { orderby: itemOf(key), ...slice },
    mismatchOf: (row, related, all) => {
      const end = top === undefined ? undefined : skip + top
      const length = all.slice(skip, end).length
      const count = slice.count === true ? countMismatch(row, all, relation) : undefined
      if (count !== undefined) return { ...count, feature: 'expand.count' }
      const goesOn = Object.hasOwn(row, `${relation.name}@odata.nextLink`)
      if (related.length > length || (related.length < length && !goesOn)) {
        return {
          message: `$${option} inside $expand=${relation.name} does not apply to the related items of each item.`,
          expected: `${length} of ${all.length} items`,
          received: `${related.length} items`,
          feature,
        }
      }
      if (key === undefined) return undefined
      const expected = inOrder(all, key, session)?.slice(skip, end)
      const values = related.map(each => [leafValue(each, key.leaf.path)])
      const at = values.findIndex((each, index) => !mayTie(each, expected?.[index] ?? [undefined], [key]))
      if (expected === undefined || at < 0) return undefined
      return {
        message: `$${option} inside $expand=${relation.name} does not return the expected items of the order.`,
        expected: `${JSON.stringify(expected[at]?.[0])} at position ${at + 1}`,
        received: JSON.stringify(values[at]?.[0]),
        feature: skip > 0 ? 'expand.skip' : feature,
      }
    },
  }
}

function counted({ relation, relatedByKey }: NestedStart): NestedPlan | undefined {
  if (![...relatedByKey.values()].some(each => each.length > 1)) return undefined
  return {
    options: { count: true, top: 1 },
    mismatchOf: (row, _, all) => countMismatch(row, all, relation),
  }
}

function countMismatch(row: Row, all: readonly Row[], { name }: NavigationProperty): NestedMismatch | undefined {
  const count = row[`${name}@odata.count`] ?? row[`${name}@count`]
  if (count === all.length) return undefined
  return {
    message: `$count inside $expand=${name} is not the number of related items.`,
    expected: `${name}@odata.count: ${all.length}`,
    received: count === undefined ? 'no count' : `${name}@odata.count: ${JSON.stringify(count)}`,
  }
}

function itemOf({ leaf, direction }: SortKey): readonly OrderbyItem[] {
  return [orderbyItem(leaf.path, direction)]
}

/** A property whose sort order is known and whose values distinguish the related items of some item. */
function distinguishingKey(
  { relation, relatedByKey, session }: NestedStart,
  direction: SortKey['direction'],
): SortKey | undefined {
  const lists = [...relatedByKey.values()].filter(each => each.length > 1)
  const distinctValues = (leaf: LeafProperty): number => {
    const key = { leaf, direction }
    if (!lists.every(rows => inOrder(rows, key, session) !== undefined)) return 0
    return lists.filter(rows => new Set(rows.map(row => JSON.stringify(leafValue(row, leaf.path)))).size > 1).length
  }
  const leaves = leafProperties(relation.type).filter(
    ({ path, property, typeName }) =>
      path.length === 1 && property.returned !== 'onSelect' && !/Binary|Stream|Geo/.test(typeName),
  )
  const rated = leaves.map(leaf => ({ leaf, worth: distinctValues(leaf) })).sort((a, b) => b.worth - a.worth)
  const [best] = rated
  return best === undefined || best.worth === 0 ? undefined : { leaf: best.leaf, direction }
}

/** The values in sort order. Undefined if the order is not known. */
function inOrder(rows: readonly Row[], key: SortKey, session: Session): readonly (readonly unknown[])[] | undefined {
  let isKnown = true
  const values = rows.map(row => [leafValue(row, key.leaf.path)])
  const sorted = values.sort((a, b) => {
    const order = compareSorted(a, b, [key], session)
    if (order === undefined) isKnown = false
    return order ?? 0
  })
  return isKnown ? sorted : undefined
}
