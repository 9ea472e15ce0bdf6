import type { ExpandItem, QueryOptions } from '../../runtime/query/index.js'
import { derivesFrom, type EntityType, type NavigationProperty } from '../../spec/language/index.js'
import { mergeValues, type PlaceholderValues, type Session, type SqlRow } from '../dialects/dialect.js'
import { unsupportedQuery } from '../query-faults.js'
import type { QueryTarget } from '../query-target.js'
import { defineMember } from '../values/codec.js'
import { type ExpansionBudget, exceedsLimit, singlesPerItem } from './expansion-budget.js'
import { byteValues, firstByteLimit, maxRowBytes, type ResponseLimits, totalBytes, withGuard } from './page-bytes.js'
import { computedFrame, type QueryContext, queryFrame, withComputed } from './query-frame.js'
import {
  type ExpandedRelation,
  mostPlaceholder,
  parentsPlaceholder,
  relationStatements,
  shownPlaceholder,
} from './relation-statements.js'
import { type ItemId, itemId, rowMapper, type StoredItem } from './stored-item.js'

/**
 * Adds related items to the given items, with one statement per level.
 *
 * @throws {RequestFault} if they exceed the budget
 */
export type Expansion = (
  items: Occurrences,
  session: Session,
  values: PlaceholderValues,
  budget: ExpansionBudget,
) => Promise<void>

/** Items, and how often each occurs in the response: an item that several others relate to occurs below each of them. */
interface Occurrences {
  readonly items: readonly StoredItem[]
  readonly times: readonly number[]
}

/**
 * Prepares `$expand`; undefined if the query has none.
 *
 * @param place where the options are in the query
 */
export function expansionOf(
  options: QueryOptions,
  type: EntityType,
  store: QueryTarget,
  context: QueryContext,
  place: readonly number[] = [],
): Expansion | undefined {
  const all = (options.expand ?? []).flatMap((item, index) =>
    expandedRelations(item, type, store, context, [...place, index]),
  )
  // Single items first: what they need is reserved, and what is left of it is for collections.
  const parts = [...all.filter(({ isSingle }) => isSingle), ...all.filter(({ isSingle }) => !isSingle)].map(
    ({ expand }) => expand,
  )
  if (parts.length === 0) return undefined
  return async (items, session, values, budget) => {
    for (const expand of parts) await expand(items, session, values, budget)
  }
}

function expandedRelations(
  item: ExpandItem,
  declared: EntityType,
  store: QueryTarget,
  context: QueryContext,
  place: readonly number[],
): readonly RelationExpansion[] {
  if (item.suffix !== undefined) throw unsupportedQuery('$expand', `'/$${item.suffix}' is not supported in $expand.`)
  const typeOf = (cast: string | undefined): EntityType | undefined =>
    cast?.includes('.') ? store.schema.typeOf(cast.slice(cast.lastIndexOf('.') + 1)) : undefined
  const source = typeOf(item.path[0])
  const [name, cast, ...more] = source === undefined ? item.path : item.path.slice(1)
  const target = typeOf(cast)
  if (more.length > 0 || (cast !== undefined && target === undefined)) {
    throw unsupportedQuery('$expand', 'Paths through other relations or complex values are not supported in $expand.')
  }
  const type = source ?? declared
  const relations = type.navigation.filter(candidate => name === '*' || candidate.name === name)
  return relations.map(navigation => ({
    isSingle: !navigation.collection,
    expand: expandedRelation(
      { navigation, target: target ?? navigation.type, place },
      type,
      item.options ?? {},
      store,
      context,
    ),
  }))
}

interface RelationExpansion {
  readonly isSingle: boolean
  readonly expand: Expansion
}

/** A relation, the type of the related items to expand, and where their options are in the query. */
interface PlacedRelation extends ExpandedRelation {
  readonly place: readonly number[]
}

function expandedRelation(
  relation: PlacedRelation,
  source: EntityType,
  options: QueryOptions,
  store: QueryTarget,
  context: QueryContext,
): Expansion {
  const { levels, ...nested } = options
  const depth = levels === undefined ? 1 : levels === 'max' ? context.expandDepth : levels
  const read = relationReader(relation, nested, store, context)
  const below = { ...context, expandDepth: context.expandDepth - 1 }
  const inner = expansionOf(nested, relation.target, store, below, relation.place)
  const expand = async (
    from: Occurrences,
    session: Session,
    values: PlaceholderValues,
    budget: ExpansionBudget,
    left: number,
  ): Promise<void> => {
    const parents = ofType(from, source)
    if (parents.items.length === 0) return
    const targets = await read(parents, session, values, budget, {
      levels: left - 1,
      isLast: inner === undefined && left === 1,
    })
    if (targets.items.length === 0) return
    if (inner !== undefined) await inner(targets, session, values, budget)
    if (left > 1) await expand(targets, session, values, budget, left - 1)
  }
  return (items, session, values, budget) => expand(items, session, values, budget, depth)
}

/** The items of a type or of those that derive from it. */
function ofType({ items, times }: Occurrences, type: EntityType): Occurrences {
  if (items.every(item => derivesFrom(item.type, type))) return { items, times }
  const kept = [...items.keys()].filter(index => {
    const item = items[index]
    return item !== undefined && derivesFrom(item.type, type)
  })
  return { items: kept.flatMap(index => items[index] ?? []), times: kept.map(index => times[index] ?? 0) }
}

/** What follows the expansion of a relation. */
interface ExpansionDepth {
  /** How often `$levels` expands the relation again. */
  readonly levels: number
  /** Whether nothing expands the related items. */
  readonly isLast: boolean
}

/** Reads the targets of a relation for all items at once, and assigns them to their items. */
function relationReader(relation: PlacedRelation, options: QueryOptions, store: QueryTarget, context: QueryContext) {
  const { navigation, target, place } = relation
  const frame = computedFrame(queryFrame(target, 't', store, context, false), options.compute)
  const stored = rowMapper(store.schema.tableOf(navigation.type), navigation.type, options.select, store.decoder)
  const shape = withComputed(stored, options.compute, frame)
  const statements = relationStatements(relation, options, { shape, frame }, store)
  const longest = maxRowBytes(shape.sized)
  const isMapped = store.schema.tableOf(navigation.type).source !== undefined
  const singles = singlesPerItem(options, target, context.expandDepth - 1)
  const { name } = navigation
  const { skip = 0, top } = options
  return async (
    parents: Occurrences,
    session: Session,
    values: PlaceholderValues,
    budget: ExpansionBudget,
    { levels, isLast }: ExpansionDepth,
  ): Promise<Occurrences> => {
    const timesOf = occurrencesById(parents)
    const mayEndEarly = navigation.collection && budget.linkOf !== undefined
    const share = shareOf(budget, parents, navigation, singles)
    const most = Math.floor(share.items / share.perItem) + 1
    const limit = budget.limits.responseBytes
    const isBounded = most * longest > limit
    const bound = mergeValues(values, {
      [parentsPlaceholder]: JSON.stringify([...timesOf.keys()]),
      [mostPlaceholder]: most,
      ...(isBounded ? byteValues(limit, limit - share.bytes, most) : {}),
    })
    const way = firstByteLimit(isBounded, store.engine.dialect)
    const first = isMapped && way !== 'none' ? 'exact' : way
    const rows = await withGuard(first, way => session.all(statements.rows(way), bound))
    const total = first !== 'none' ? totalBytes(rows, statements.totalCell) : undefined
    let exceeded: keyof ResponseLimits | undefined =
      rows.length === most ? 'expandedItems' : total !== undefined && total >= limit ? 'responseBytes' : undefined
    if (exceeded !== undefined && !mayEndEarly) throw exceedsLimit(exceeded, budget)
    const found = new Map<ItemId, StoredItem[]>()
    const lastRows = new Map<ItemId, SqlRow>()
    const all: StoredItem[] = []
    const times: number[] = []
    const sources = isLast ? undefined : new Map(parents.items.map(item => [item.id, item]))
    for (const row of rows) {
      const parent = itemId(row[0])
      const often = timesOf.get(parent) ?? 0
      const bytes = often * textLength(row)
      if (often * share.perItem > share.items || bytes > share.bytes) {
        exceeded = often * share.perItem > share.items ? 'expandedItems' : 'responseBytes'
        break
      }
      share.items -= often * share.perItem
      share.bytes -= bytes
      budget.items -= often
      budget.bytes -= bytes
      if (mayEndEarly) budget.reserved += often * singles
      const source = sources?.get(parent)
      const decoded = shape.decode(row, 1)
      const item = source === undefined ? decoded : { ...decoded, from: { item: source, relation: navigation } }
      const siblings = found.get(parent)
      if (siblings === undefined) found.set(parent, [item])
      else siblings.push(item)
      lastRows.set(parent, row)
      all.push(item)
      times.push(often)
    }
    if (exceeded !== undefined && !mayEndEarly) throw exceedsLimit(exceeded, budget)
    const counts = statements.counts === undefined ? undefined : countsOf(await session.all(statements.counts, bound))
    const shown = { [shownPlaceholder]: exceeded === undefined ? undefined : shownPairs(found) }
    const rest =
      exceeded === undefined ? undefined : countsOf(await session.all(statements.rest(), mergeValues(bound, shown)))
    for (const item of parents.items) {
      const { id, entity } = item
      const targets = (found.get(id) ?? []).map(each => each.entity)
      defineMember(entity, name, navigation.collection ? targets : (targets[0] ?? null))
      if (counts !== undefined) entity[`${name}@odata.count`] = counts.get(id) ?? 0
      const remaining = (rest?.get(id) ?? 0) - skip
      if (exceeded === undefined || remaining <= 0 || (top !== undefined && targets.length >= top)) continue
      const last = lastRows.get(id)
      const after = last === undefined ? undefined : statements.places.map(cell => last[cell])
      const left = top === undefined ? undefined : top - targets.length
      const link = budget.linkOf?.({ item, relation: navigation, place, levels }, after, left)
      budget.linkBytes -= link?.length ?? 0
      if (link === undefined || budget.linkBytes < 0) throw exceedsLimit(exceeded, budget)
      entity[`${name}@odata.nextLink`] = link
    }
    return { items: all, times }
  }
}

/** What one expansion may take of the budget. */
interface BudgetShare {
  items: number
  bytes: number
  /** The items that each related item takes: itself, and what is reserved for the single items inside it. */
  readonly perItem: number
}

function shareOf(
  budget: ExpansionBudget,
  parents: Occurrences,
  { collection }: NavigationProperty,
  singles: number,
): BudgetShare {
  if (budget.linkOf === undefined) return { items: budget.items, bytes: budget.bytes, perItem: 1 }
  if (!collection) {
    budget.reserved = Math.max(0, budget.reserved - parents.times.reduce((sum, often) => sum + often, 0))
    return { items: budget.items, bytes: budget.bytes, perItem: 1 }
  }
  // Half of the bytes are for the single items, whose sizes are not known yet.
  const bytes = singles === 0 ? budget.bytes : Math.floor(budget.bytes / 2)
  return { items: Math.max(0, budget.items - budget.reserved), bytes, perItem: 1 + singles }
}

function countsOf(rows: readonly SqlRow[]): ReadonlyMap<ItemId, number> {
  return new Map(rows.map(([parent, count]) => [itemId(parent), Number(count)]))
}

/** The related items in the response, each with the item that it belongs to. */
function shownPairs(found: ReadonlyMap<ItemId, readonly StoredItem[]>): string {
  return JSON.stringify([...found].flatMap(([parent, items]) => items.map(({ id }) => `${parent} ${id}`)))
}

/** How often each item occurs, by its id. */
function occurrencesById({ items, times }: Occurrences): ReadonlyMap<ItemId, number> {
  const found = new Map<ItemId, number>()
  for (const [index, { id }] of items.entries()) found.set(id, (found.get(id) ?? 0) + (times[index] ?? 0))
  return found
}

function textLength(row: SqlRow): number {
  let length = 0
  for (const value of row) if (typeof value === 'string') length += value.length
  return length
}
