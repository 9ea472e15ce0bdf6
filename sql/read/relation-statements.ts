import { sql } from 'kysely'
import type { QueryOptions } from '../../runtime/query/index.js'
import { derivesFrom, type EntityType, type NavigationProperty } from '../../spec/language/index.js'
import { allOf, relationRows } from '../conditions.js'
import { Placeholder, type Sql, type Statement } from '../dialects/dialect.js'
import { isTrue } from '../filter/expressions.js'
import type { Frame } from '../filter/frame.js'
import { typeCondition } from '../filter/paths.js'
import type { QueryTarget } from '../query-target.js'
import { idColumn, typeColumn } from '../schema/schema.js'
import { searchCondition } from '../search.js'
import { orderSql, sortKeys, withSortKeys } from './keyset-pagination.js'
import { type ByteLimit, limitedRows, type NamedColumn, namedColumn } from './page-bytes.js'
import type { RowMapper } from './stored-item.js'

/** The ids of the items to expand, the most rows to read, and what was read. */
export const parentsPlaceholder = 'parents'
export const mostPlaceholder = 'most'
export const shownPlaceholder = 'shown'

/** A relation, and the type of the related items to expand. */
export interface ExpandedRelation {
  readonly navigation: NavigationProperty
  readonly target: EntityType
}

/** The statements that read the targets of a relation for many items at once. */
export interface RelationStatements {
  /**
   * The `$id` of the parent, then the columns of the target and other sort keys, in order; if they are limited exactly, the
   * bytes up to this row.
   */
  readonly rows: (limit: ByteLimit) => Statement
  /** The cells with the sort keys. */
  readonly places: readonly number[]
  readonly totalCell: number
  /** The `$id` of each parent, and the number of its related items. */
  readonly counts: Statement | undefined
  /** The same without the items in the response. */
  readonly rest: () => Statement
}

/** Prepares these statements. Those that are rarely needed are compiled on demand. */
export function relationStatements(
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
  const countsWhere = (more: Sql): Statement =>
    engine.compile(
      sql`SELECT ${parent} AS ${sql.id('parent')}, count(*) AS ${sql.id('count')} ${filtered} ${more} GROUP BY ${parent}`,
    )
  const counts = options.count === true && navigation.collection ? countsWhere(sql``) : undefined
  const { columns, places } = withSortKeys(shape.columns('t', engine.dialect), keys, engine)
  const most = engine.dialect.limit(engine.dialect.bind(new Placeholder(mostPlaceholder), 'integer'))
  const isPaged = options.top !== undefined || options.skip !== undefined
  const select = (columns: readonly NamedColumn[]): Sql =>
    isPaged
      ? sql`${numbered(columns, parent, filtered, order, options)} ${most}`
      : sql`SELECT ${sql.join(columns.map(namedColumn))} ${filtered} ORDER BY ${order} ${most}`
  const parentColumn = { name: 'parent', value: parent }
  const plain = (): Sql => {
    return select([parentColumn, ...columns.map((value, index) => ({ name: `c${index}`, value }))])
  }
  const source = { table: table.name, alias: 't', sized: shape.sized, isMapped: table.source !== undefined, select }
  const statements: Partial<Record<ByteLimit, Statement>> = {}
  let rest: Statement | undefined
  return {
    rows: limit => {
      const limited = (way: Exclude<ByteLimit, 'none'>): Sql =>
        limitedRows([parentColumn], columns, source, way, engine.dialect)
      const statement = statements[limit] ?? engine.compile(limit === 'none' ? plain() : limited(limit))
      statements[limit] = statement
      return statement
    },
    places: places.map(place => place + 1),
    totalCell: columns.length + 1,
    counts,
    rest: () => {
      const text = sql.raw(engine.dialect.name === 'mysql' ? 'char' : 'TEXT')
      const [one, other] = [parent, sql.id('t', idColumn)].map(id => sql`CAST(${id} AS ${text})`)
      const pair = engine.dialect.concat([one ?? sql``, sql`' '`, other ?? sql``])
      const shown = engine.dialect.listValues(new Placeholder(shownPlaceholder), 'text')
      rest ??= countsWhere(sql`AND ${pair} NOT IN (${shown})`)
      return rest
    },
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
