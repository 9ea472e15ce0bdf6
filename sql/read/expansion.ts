import { sql } from 'kysely'
import type { ExpandItem, QueryOptions } from '../../runtime/query/index.js'
import { derivesFrom, type EntityType, type NavigationProperty } from '../../spec/language/index.js'
import { allOf, relationRows } from '../conditions.js'
import {
  mergeValues,
  Placeholder,
  type PlaceholderValues,
  type Session,
  type Sql,
  type SqlRow,
  type Statement,
} from '../dialects/dialect.js'
import { isTrue } from '../filter/expressions.js'
import type { Frame } from '../filter/frame.js'
import { typeCondition } from '../filter/paths.js'
import { unsupportedQuery } from '../query-faults.js'
import type { QueryTarget } from '../query-target.js'
import { idColumn, typeColumn } from '../schema/schema.js'
import { searchCondition } from '../search.js'
import { defineMember } from '../values/codec.js'
import { orderSql, sortKeys } from './keyset-pagination.js'
import {
  type ByteLimit,
  byteValues,
  firstByteLimit,
  limitedRows,
  maxRowBytes,
  type NamedColumn,
  namedColumn,
  type ResponseLimits,
  responseLimits,
  totalBytes,
  withGuard,
} from './page-bytes.js'
import { computedFrame, type QueryContext, queryFrame, withComputed } from './query-frame.js'
import { type ItemId, itemId, type RowMapper, rowMapper, type StoredItem } from './stored-item.js'

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

/** What the expansions of one response may still add to it. */
interface ExpansionBudget {
  items: number
  bytes: number
  readonly limits: ResponseLimits
}

export function expansionBudget({ table }: QueryTarget): ExpansionBudget {
  const limits = responseLimits(table)
  return { items: limits.expandedItems, bytes: limits.responseBytes, limits }
}

/** Reports that the items of a response exceed a limit. */
function exceeds(limit: keyof ResponseLimits, { limits }: ExpansionBudget): Error {
  const what = limit === 'expandedItems' ? 'items' : 'bytes'
  const reason =
    `It adds more ${what} to the response than the limit ${limit}, which is ${limits[limit]}. Request a smaller page with ` +
    "'$top', or fewer related items."
  return unsupportedQuery('$expand', reason)
}

/** The ids of the items to expand, and the most rows to read. */
const parentsPlaceholder = 'parents'
const mostPlaceholder = 'most'

/** Prepares `$expand`; undefined if the query has none. */
export function expansionOf(
  options: QueryOptions,
  type: EntityType,
  store: QueryTarget,
  context: QueryContext,
): Expansion | undefined {
  const parts = (options.expand ?? []).flatMap(item => expandedRelations(item, type, store, context))
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
): readonly Expansion[] {
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
  return relations.map(navigation =>
    expandedRelation({ navigation, target: target ?? navigation.type }, type, item.options ?? {}, store, context),
  )
}

/** A relation, and the type of the related items to expand. */
interface ExpandedRelation {
  readonly navigation: NavigationProperty
  readonly target: EntityType
}

function expandedRelation(
  relation: ExpandedRelation,
  source: EntityType,
  options: QueryOptions,
  store: QueryTarget,
  context: QueryContext,
): Expansion {
  const { levels, ...nested } = options
  const depth = levels === undefined ? 1 : levels === 'max' ? context.expandDepth : levels
  const read = relationReader(relation, nested, store, context)
  const inner = expansionOf(nested, relation.target, store, { ...context, expandDepth: context.expandDepth - 1 })
  const expand = async (
    from: Occurrences,
    session: Session,
    values: PlaceholderValues,
    budget: ExpansionBudget,
    left: number,
  ): Promise<void> => {
    const parents = ofType(from, source)
    if (parents.items.length === 0) return
    const targets = await read(parents, session, values, budget)
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

/** Reads the targets of a relation for all items at once, and assigns them to their items. */
function relationReader(
  { navigation, target }: ExpandedRelation,
  options: QueryOptions,
  store: QueryTarget,
  context: QueryContext,
) {
  const frame = computedFrame(queryFrame(target, 't', store, context, false), options.compute)
  const stored = rowMapper(store.schema.tableOf(navigation.type), navigation.type, options.select, store.decoder)
  const shape = withComputed(stored, options.compute, frame)
  const statements = relationStatements({ navigation, target }, options, { shape, frame }, store)
  const longest = maxRowBytes(shape.sized)
  const isMapped = store.schema.tableOf(navigation.type).source !== undefined
  const { name } = navigation
  return async (
    parents: Occurrences,
    session: Session,
    values: PlaceholderValues,
    budget: ExpansionBudget,
  ): Promise<Occurrences> => {
    const timesOf = occurrencesById(parents)
    const most = budget.items + 1
    const isBounded = most * longest > budget.limits.responseBytes
    const limit = budget.limits.responseBytes
    const bound = mergeValues(values, {
      [parentsPlaceholder]: JSON.stringify([...timesOf.keys()]),
      [mostPlaceholder]: most,
      ...(isBounded ? byteValues(limit, limit - budget.bytes, most) : {}),
    })
    const first = isMapped && isBounded ? 'exact' : firstByteLimit(isBounded, store.engine.dialect)
    const rows = await withGuard(first, way => session.all(statements.rows(way), bound))
    if (rows.length === most) throw exceeds('expandedItems', budget)
    const total = isBounded ? totalBytes(rows, shape.width + 1) : undefined
    if (total !== undefined && total >= limit) throw exceeds('responseBytes', budget)
    const found = new Map<ItemId, StoredItem[]>()
    const all: StoredItem[] = []
    const times: number[] = []
    for (const row of rows) {
      const parent = itemId(row[0])
      const often = timesOf.get(parent) ?? 0
      budget.items -= often
      if (budget.items < 0) throw exceeds('expandedItems', budget)
      budget.bytes -= often * textLength(row)
      if (budget.bytes < 0) throw exceeds('responseBytes', budget)
      const item = shape.decode(row, 1)
      const siblings = found.get(parent)
      if (siblings === undefined) found.set(parent, [item])
      else siblings.push(item)
      all.push(item)
      times.push(often)
    }
    const counts = new Map<ItemId, number>()
    if (statements.counts !== undefined) {
      for (const [parent, count] of await session.all(statements.counts, bound))
        counts.set(itemId(parent), Number(count))
    }
    for (const { id, entity } of parents.items) {
      const targets = (found.get(id) ?? []).map(item => item.entity)
      defineMember(entity, name, navigation.collection ? targets : (targets[0] ?? null))
      if (statements.counts !== undefined) entity[`${name}@odata.count`] = counts.get(id) ?? 0
    }
    return { items: all, times }
  }
}

/** How often each item occurs, by its id. */
function occurrencesById({ items, times }: Occurrences): ReadonlyMap<ItemId, number> {
  const found = new Map<ItemId, number>()
  for (const [index, { id }] of items.entries()) found.set(id, (found.get(id) ?? 0) + (times[index] ?? 0))
  return found
}

/** The length of the texts of a row. */
function textLength(row: SqlRow): number {
  let length = 0
  for (const value of row) if (typeof value === 'string') length += value.length
  return length
}

interface RelationStatements {
  /** The `$id` of the parent, then the columns of the target, in order; if they are limited exactly, the bytes up to this row. */
  readonly rows: (limit: ByteLimit) => Statement
  readonly counts: Statement | undefined
}

function relationStatements(
  { navigation, target }: ExpandedRelation,
  options: QueryOptions,
  { shape, frame }: { readonly shape: RowMapper; readonly frame: Frame },
  store: QueryTarget,
): RelationStatements {
  const { schema, engine } = store
  const relation = schema.relationOf(navigation)
  const table = relation.target
  const ids = engine.dialect.listValues(new Placeholder(parentsPlaceholder), relation.source.idStorage)
  const { from, parent, where } = relationRows(relation, 't', ids)
  const keys = sortKeys(options.orderby ?? [], table, 't', frame)
  const { withinTime } = engine.dialect
  const inTime = withinTime === undefined ? [] : [withinTime(sql.id('t', idColumn))]
  const conditions = [where, ...inTime, ...conditionsOf(options, target, frame, store)]
  const order = orderSql(keys, engine.dialect)
  const filtered = sql`FROM ${from} WHERE ${allOf(conditions)}`
  const counts =
    options.count === true && navigation.collection
      ? engine.compile(sql`SELECT ${parent} AS "parent", count(*) AS "count" ${filtered} GROUP BY ${parent}`)
      : undefined
  const most = sql`LIMIT ${engine.dialect.bind(new Placeholder(mostPlaceholder), 'integer')} + 0`
  const isPaged = options.top !== undefined || options.skip !== undefined
  const select = (columns: readonly NamedColumn[]): Sql =>
    isPaged
      ? sql`${numbered(columns, parent, filtered, order, options)} ${most}`
      : sql`SELECT ${sql.join(columns.map(namedColumn))} ${filtered} ORDER BY ${order} ${most}`
  const parentColumn = { name: 'parent', value: parent }
  const plain = (): Sql => {
    const columns = shape.columns('t', engine.dialect).map((value, index) => ({ name: `c${index}`, value }))
    return select([parentColumn, ...columns])
  }
  const source = { table: table.name, alias: 't', sized: shape.sized, isMapped: table.source !== undefined, select }
  const statements: Partial<Record<ByteLimit, Statement>> = {}
  return {
    rows: limit => {
      const limited = (way: Exclude<ByteLimit, 'none'>): Sql =>
        limitedRows([parentColumn], shape.columns('t', engine.dialect), source, way, engine.dialect)
      const statement = statements[limit] ?? engine.compile(limit === 'none' ? plain() : limited(limit))
      statements[limit] = statement
      return statement
    },
    counts,
  }
}

/** Applies `$skip` and `$top` to the targets of each item. */
function numbered(columns: readonly NamedColumn[], parent: Sql, filtered: Sql, order: Sql, options: QueryOptions): Sql {
  const { skip = 0, top } = options
  const place = { name: 'place', value: sql`row_number() OVER (PARTITION BY ${parent} ORDER BY ${order})` }
  const names = columns.map(({ name }) => sql.id(name))
  const all = sql`SELECT ${sql.join([...columns, place].map(namedColumn))} ${filtered}`
  const last = top === undefined ? sql`` : sql` AND place <= ${sql.lit(Math.min(skip + top, Number.MAX_SAFE_INTEGER))}`
  return sql`SELECT ${sql.join(names)} FROM (${all}) AS n WHERE place > ${sql.lit(skip)}${last} ORDER BY place`
}

function conditionsOf(options: QueryOptions, type: EntityType, frame: Frame, store: QueryTarget): readonly Sql[] {
  const table = store.schema.tableOf(type)
  const conditions: Sql[] = []
  if (options.filter !== undefined) conditions.push(isTrue(options.filter, frame))
  if (options.search !== undefined) {
    const { dialect } = store.engine
    conditions.push(
      searchCondition(options.search, {
        table,
        dialect,
        column: column => sql`${sql.id('t', column)}`,
        properties: [],
      }),
    )
  }
  if (table.types.some(candidate => !derivesFrom(candidate, type))) {
    conditions.push(typeCondition(sql`${sql.id('t', typeColumn)}`, type, table.types))
  }
  return conditions
}
