import { sql } from 'kysely'
import type { ExpandItem, QueryOptions } from '../../../runtime/query/index.js'
import { derivesFrom, type EntityType, type NavigationProperty } from '../../../spec/language/index.js'
import { defineMember } from '../../json-object.js'
import {
  mergeValues,
  Placeholder,
  type PlaceholderValues,
  type Session,
  type Sql,
  type Statement,
} from '../engines/engine.js'
import { isTrue } from '../filter/expressions.js'
import type { Frame } from '../filter/frame.js'
import { typeCondition } from '../filter/paths.js'
import { unsupportedQuery } from '../query-faults.js'
import { idColumn, typeColumn } from '../schema/schema.js'
import { searchCondition } from '../search.js'
import { allOf, relationRows } from '../sql-conditions.js'
import type { Store } from '../store.js'
import { orderSql, sortKeys } from './keyset-pagination.js'
import { type QueryContext, queryFrame } from './query-frame.js'
import { type RowMapper, rowMapper, type StoredItem } from './stored-item.js'

/** Adds related items to the given items, with one statement per level. */
export type Expansion = (items: readonly StoredItem[], session: Session, values: PlaceholderValues) => Promise<void>

/** The ids of the items to expand. */
const parentsPlaceholder = 'parents'

/** Prepares `$expand`; undefined if the query has none. */
export function expansionOf(
  options: QueryOptions,
  type: EntityType,
  store: Store,
  context: QueryContext,
): Expansion | undefined {
  const parts = (options.expand ?? []).flatMap(item => expandedRelations(item, type, store, context))
  if (parts.length === 0) return undefined
  return async (items, session, values) => {
    for (const expand of parts) await expand(items, session, values)
  }
}

function expandedRelations(
  item: ExpandItem,
  declared: EntityType,
  store: Store,
  context: QueryContext,
): readonly Expansion[] {
  if (item.suffix !== undefined) throw unsupportedQuery('$expand', `'/$${item.suffix}' is not supported in $expand.`)
  const [first = '', second, ...more] = item.path
  const isCast = first.includes('.')
  const type = isCast ? store.schema.typeOf(first.slice(first.lastIndexOf('.') + 1)) : declared
  const name = isCast ? second : first
  if (more.length > 0 || (!isCast && second !== undefined)) {
    throw unsupportedQuery('$expand', 'Paths through other relations or complex values are not supported in $expand.')
  }
  const relations = type.navigation.filter(candidate => name === '*' || candidate.name === name)
  return relations.map(navigation => expandedRelation(navigation, type, item.options ?? {}, store, context))
}

function expandedRelation(
  navigation: NavigationProperty,
  source: EntityType,
  options: QueryOptions,
  store: Store,
  context: QueryContext,
): Expansion {
  const { levels, ...nested } = options
  const depth = levels === undefined ? 1 : levels === 'max' ? context.expandDepth : levels
  const read = relationReader(navigation, nested, store, context)
  const inner = expansionOf(nested, navigation.type, store, { ...context, expandDepth: context.expandDepth - 1 })
  const expand = async (
    items: readonly StoredItem[],
    session: Session,
    values: PlaceholderValues,
    left: number,
  ): Promise<void> => {
    const parents = items.filter(({ type }) => derivesFrom(type, source))
    if (parents.length === 0) return
    const targets = await read(parents, session, values)
    if (targets.length === 0) return
    if (inner !== undefined) await inner(targets, session, values)
    if (left > 1) await expand(targets, session, values, left - 1)
  }
  return (items, session, values) => expand(items, session, values, depth)
}

/** Reads the targets of a relation for all items at once, and assigns them to their items. */
function relationReader(navigation: NavigationProperty, options: QueryOptions, store: Store, context: QueryContext) {
  const shape = rowMapper(store.schema.tableOf(navigation.type), navigation.type, options.select)
  const statements = relationStatements(navigation, options, shape, store, context)
  const { name } = navigation
  return async (
    parents: readonly StoredItem[],
    session: Session,
    values: PlaceholderValues,
  ): Promise<readonly StoredItem[]> => {
    const ids = JSON.stringify([...new Set(parents.map(({ id }) => id))])
    const bound = mergeValues(values, { [parentsPlaceholder]: ids })
    const found = new Map<number, StoredItem[]>()
    const all: StoredItem[] = []
    for (const row of await session.all(statements.rows, bound)) {
      const item = shape.decode(row, 1)
      const parent = Number(row[0])
      const siblings = found.get(parent)
      if (siblings === undefined) found.set(parent, [item])
      else siblings.push(item)
      all.push(item)
    }
    const counts = new Map<number, number>()
    if (statements.counts !== undefined) {
      for (const [parent, count] of await session.all(statements.counts, bound))
        counts.set(Number(parent), Number(count))
    }
    for (const { id, entity } of parents) {
      const targets = (found.get(id) ?? []).map(item => item.entity)
      defineMember(entity, name, navigation.collection ? targets : (targets[0] ?? null))
      if (statements.counts !== undefined) entity[`${name}@odata.count`] = counts.get(id) ?? 0
    }
    return all
  }
}

interface RelationStatements {
  readonly rows: Statement
  readonly counts: Statement | undefined
}

function relationStatements(
  navigation: NavigationProperty,
  options: QueryOptions,
  shape: RowMapper,
  store: Store,
  context: QueryContext,
): RelationStatements {
  const { schema, engine } = store
  const relation = schema.relationOf(navigation)
  const table = relation.target
  const frame = queryFrame(navigation.type, 't', store, context, false)
  const ids = engine.dialect.listValues(new Placeholder(parentsPlaceholder), 'integer')
  const { from, parent, where } = relationRows(relation, 't', ids)
  const keys = sortKeys(options.orderby ?? [], table, 't', frame)
  const conditions = [where, ...conditionsOf(options, navigation.type, frame, store)]
  const order = orderSql(keys, engine.dialect)
  const filtered = sql`FROM ${from} WHERE ${allOf(conditions)}`
  const columns = sql.join([parent, ...shape.columns('t', engine.dialect)])
  const counts =
    options.count === true && navigation.collection
      ? engine.compile(sql`SELECT ${parent}, count(*) ${filtered} GROUP BY ${parent}`)
      : undefined
  if (options.top === undefined && options.skip === undefined) {
    return { rows: engine.compile(sql`SELECT ${columns} ${filtered} ORDER BY ${order}`), counts }
  }
  return { rows: engine.compile(numbered(columns, parent, filtered, order, shape.width + 1, options)), counts }
}

/** Applies `$skip` and `$top` to the targets of each item. */
function numbered(columns: Sql, parent: Sql, filtered: Sql, order: Sql, width: number, options: QueryOptions): Sql {
  const { skip = 0, top } = options
  const place = sql`row_number() OVER (PARTITION BY ${parent} ORDER BY ${order})`
  const names = Array.from({ length: width }, (_, index) => sql.id(`c${index}`))
  const named = sql`WITH n(${sql.join([...names, sql.id('place')])}) AS (SELECT ${columns}, ${place} ${filtered})`
  const last = top === undefined ? sql`` : sql` AND place <= ${sql.lit(Math.min(skip + top, Number.MAX_SAFE_INTEGER))}`
  return sql`${named} SELECT ${sql.join(names)} FROM n WHERE place > ${sql.lit(skip)}${last} ORDER BY place`
}

function conditionsOf(options: QueryOptions, type: EntityType, frame: Frame, store: Store): readonly Sql[] {
  const table = store.schema.tableOf(type)
  const conditions: Sql[] = []
  if (options.filter !== undefined) conditions.push(isTrue(options.filter, frame))
  if (options.search !== undefined) {
    const { dialect } = store.engine
    conditions.push(
      searchCondition(options.search, { table, dialect, id: sql`${sql.id('t', idColumn)}`, properties: [] }),
    )
  }
  if (table.types.some(candidate => !derivesFrom(candidate, type))) {
    conditions.push(typeCondition(sql`${sql.id('t', typeColumn)}`, type, table.types))
  }
  return conditions
}
