import type { Expression, OrderbyItem, QueryOptions } from '../../../runtime/query/index.js'
import type { EntityType, NavigationProperty } from '../../../spec/language/index.js'
import type { Row } from '../../json.js'
import { disorderOf } from '../../reading/disorder.js'
import { mayStandFor } from '../../reading/full-order.js'
import { type Leaf, leavesOf, valueAt } from '../../reading/leaf.js'
import { comparisons } from '../../reading/plain-filter.js'
import { orderedBy } from '../../reading/property-path.js'
import { compareSorted, type SortKey } from '../../reading/sort-key.js'
import { predict } from '../../semantics/index.js'
import type { Session } from '../../session/session.js'
import { keyOf } from '../../site/key-of.js'
import { innerExpand } from './inner-expand.js'

/** What is known before an option is nested. */
export interface NestedStart {
  readonly relation: NavigationProperty
  /** The related items of each item of the list, by its key, as they come without options. */
  readonly whole: ReadonlyMap<string, readonly Row[]>
  /** Of the items of the list. */
  readonly type: EntityType
  readonly session: Session
}

export interface NestedFault {
  readonly message: string
  readonly expected: string
  readonly received: string
  /** Default: the option's own. */
  readonly feature?: string
}

/** Options to nest, and what is wrong with what comes of them for one item of the list. */
export interface NestedPlan {
  readonly options: QueryOptions
  readonly faultOf: (row: Row, related: readonly Row[], whole: readonly Row[]) => NestedFault | undefined
}

/** Absent: the data do not tell. */
export type NestedVariant = (start: NestedStart) => NestedPlan | undefined

/** By the option that they are about; `slice` is about several at once. */
export const nestedVariants: ReadonlyMap<string, NestedVariant> = new Map<string, NestedVariant>([
  ['slice', start => sliced(start, { skip: 1, top: 1, count: true })],
  ['filter', filtered],
  ['orderby', ordered],
  ['top', start => sliced(start, { top: 1 })],
  ['skip', start => sliced(start, { skip: 1 })],
  ['count', counted],
  ['expand', innerExpand],
])

function filtered({ relation, whole, session }: NestedStart): NestedPlan | undefined {
  const rows = [...whole.values()].flat()
  const byKey = new Map(rows.flatMap(row => [[keyOf(row, relation.type) ?? '', row] as const]))
  const properties = new Set(rows.flatMap(row => Object.keys(row)))
  const snapshot = { site: { type: relation.type }, rows: [...byKey.values()], byKey, complete: true, properties }
  const found = leavesOf(relation.type)
    .filter(({ path }) => path.length === 1)
    .flatMap(leaf =>
      comparisons(
        leaf,
        rows.map(row => valueAt(row, leaf.path)),
      ),
    )
    .map((filter: Expression) => ({ filter, ...predictOver(filter, snapshot, session) }))
    .find(({ must, may }) => must.size === may.size && must.size > 0 && must.size < byKey.size)
  if (found === undefined) return undefined
  return {
    options: { filter: found.filter },
    faultOf: (_, related, all) => {
      const keys = related.map(row => keyOf(row, relation.type) ?? '')
      const expected = all.map(row => keyOf(row, relation.type) ?? '').filter(key => found.must.has(key))
      const isSame = keys.length === expected.length && expected.every(key => keys.includes(key))
      if (isSame) return undefined
      return {
        message: `$filter inside $expand=${relation.name} does not give the related items that meet it.`,
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
  const key = tellingKey(start, 'desc')
  if (key === undefined) return undefined
  const { relation, session } = start
  return {
    options: { orderby: itemOf(key) },
    faultOf: (_, related) => {
      const values = related.map(row => [valueAt(row, key.leaf.path)])
      const wrong = disorderOf(values, [key], session)
      if (wrong === undefined) return undefined
      return {
        message: `The items under ${relation.name} are not in the order of $orderby inside $expand.`,
        expected: `${key.leaf.path.join('/')} descending`,
        received: `${JSON.stringify(values[wrong.before]?.[0])} before ${JSON.stringify(values[wrong.after]?.[0])}`,
      }
    },
  }
}

/** A slice of the related items of each item, in an order where there is one to tell by. */
function sliced(start: NestedStart, slice: QueryOptions): NestedPlan | undefined {
  const { relation, whole, session } = start
  if (![...whole.values()].some(each => each.length > 1)) return undefined
  const key = tellingKey(start, 'asc')
  const { top, skip = 0 } = slice
  const option = top === undefined ? 'skip' : 'top'
  const feature = `expand.${option}`
  return {
    options: key === undefined ? slice : { orderby: itemOf(key), ...slice },
    faultOf: (row, related, all) => {
      const end = top === undefined ? undefined : skip + top
      const length = all.slice(skip, end).length
      const count = slice.count === true ? countFault(row, all, relation) : undefined
      if (count !== undefined) return { ...count, feature: 'expand.count' }
      const goesOn = Object.hasOwn(row, `${relation.name}@odata.nextLink`)
      if (related.length > length || (related.length < length && !goesOn)) {
        return {
          message: `$${option} inside $expand=${relation.name} does not count the related items of each item.`,
          expected: `${length} of ${all.length} items`,
          received: `${related.length} items`,
          feature,
        }
      }
      if (key === undefined) return undefined
      const expected = inOrder(all, key, session)?.slice(skip, end)
      const values = related.map(each => [valueAt(each, key.leaf.path)])
      const at = values.findIndex((each, index) => !mayStandFor(each, expected?.[index] ?? [undefined], [key]))
      if (expected === undefined || at < 0) return undefined
      return {
        message: `$${option} inside $expand=${relation.name} does not give the items of that order.`,
        expected: `${JSON.stringify(expected[at]?.[0])} at place ${at + 1}`,
        received: JSON.stringify(values[at]?.[0]),
        feature: skip > 0 ? 'expand.skip' : feature,
      }
    },
  }
}

function counted({ relation, whole }: NestedStart): NestedPlan | undefined {
  if (![...whole.values()].some(each => each.length > 1)) return undefined
  return {
    options: { count: true, top: 1 },
    faultOf: (row, _, all) => countFault(row, all, relation),
  }
}

function countFault(row: Row, all: readonly Row[], { name }: NavigationProperty): NestedFault | undefined {
  const count = row[`${name}@odata.count`] ?? row[`${name}@count`]
  if (count === all.length) return undefined
  return {
    message: `$count inside $expand=${name} does not tell how many related items there are.`,
    expected: `${name}@odata.count: ${all.length}`,
    received: count === undefined ? 'no count' : `${name}@odata.count: ${JSON.stringify(count)}`,
  }
}

function itemOf({ leaf, direction }: SortKey): readonly OrderbyItem[] {
  return [orderedBy(leaf.path, direction)]
}

/** A property whose order is known and that tells the related items of some item apart. */
function tellingKey({ relation, whole, session }: NestedStart, direction: SortKey['direction']): SortKey | undefined {
  const lists = [...whole.values()].filter(each => each.length > 1)
  const tells = (leaf: Leaf): number => {
    const key = { leaf, direction }
    if (!lists.every(rows => inOrder(rows, key, session) !== undefined)) return 0
    return lists.filter(rows => new Set(rows.map(row => JSON.stringify(valueAt(row, leaf.path)))).size > 1).length
  }
  const leaves = leavesOf(relation.type).filter(
    ({ path, property, typeName }) =>
      path.length === 1 && property.returned !== 'onSelect' && !/Binary|Stream|Geo/.test(typeName),
  )
  const rated = leaves.map(leaf => ({ leaf, worth: tells(leaf) })).sort((a, b) => b.worth - a.worth)
  const [best] = rated
  return best === undefined || best.worth === 0 ? undefined : { leaf: best.leaf, direction }
}

/** The values of rows in order; absent when it is not known how they sort. */
function inOrder(rows: readonly Row[], key: SortKey, session: Session): readonly (readonly unknown[])[] | undefined {
  let isKnown = true
  const values = rows.map(row => [valueAt(row, key.leaf.path)])
  const sorted = values.sort((a, b) => {
    const order = compareSorted(a, b, [key], session)
    if (order === undefined) isKnown = false
    return order ?? 0
  })
  return isKnown ? sorted : undefined
}
