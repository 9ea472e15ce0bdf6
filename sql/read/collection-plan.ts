import { sql } from 'kysely'
import type {
  Expression,
  OrderbyItem,
  QueryOptions,
  SearchExpression,
  Transformation,
} from '../../runtime/query/index.js'
import type { ReturnedProperty } from '../../runtime/server/index.js'
import { allOf } from '../conditions.js'
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
import { unsupportedQuery } from '../query-faults.js'
import type { QueryTarget } from '../query-target.js'
import { idColumn, rowsOf } from '../schema/schema.js'
import { commonWordsCondition, searchCondition } from '../search.js'
import { defineMember, isObject, wireDecoderFor } from '../values/codec.js'
import { type Expansion, expansionOf } from './expansion.js'
import { type ExpansionLink, expansionBudget, singlesPerItem } from './expansion-budget.js'
import { type JsonPageReader, jsonPageReader } from './json-page.js'
import {
  orderSql,
  type PageRequest,
  pageReader,
  type RowReader,
  requestedKeys,
  sortKeys,
  withSortKeys,
} from './keyset-pagination.js'
import { limitedRows, maxRowBytes, type NamedColumn, namedColumn, totalBytes } from './page-bytes.js'
import { cellOf, computedFrame, type QueryContext, queryFrame, withComputed } from './query-frame.js'
import type { Scope } from './scope.js'
import { type RowMapper, rowMapper, type StoredItem } from './stored-item.js'
import { transformedStage } from './transformations/compile.js'
import { columnKeys, type RowColumn, type RowStage, rowsFrame } from './transformations/stage.js'

/** A compiled query over the items of a scope. Runs differ only in the values of their placeholders. */
export interface CollectionPlan {
  /**
   * Reads some items in order.
   *
   * @param linkOf where expanded collections go on that exceed the limits of a response; undefined: nowhere
   */
  readonly page: (
    session: Session,
    values: PlaceholderValues,
    request: PageRequest,
    linkOf?: ExpansionLink,
  ) => Promise<Page>
  /** Reads the same page as JSON text; undefined if the engine cannot write these items. */
  readonly json: JsonPageReader | undefined
  readonly count: (session: Session, values: PlaceholderValues) => Promise<number>
}

export interface Page {
  readonly items: readonly StoredItem[]
  /** The sort keys of the last item, if more items follow. */
  readonly last: readonly unknown[] | undefined
}

/** What to compile. */
interface CollectionQuery {
  readonly options: QueryOptions
  readonly context: QueryContext
  /** The properties that `$search` searches; empty: all searchable properties. */
  readonly searchedProperties: readonly string[]
  /** An additional condition: the meaning of an operation. */
  readonly filter?: Expression | undefined
  /** The default order. */
  readonly orderby?: readonly OrderbyItem[] | undefined
  /** The properties to return, if pages are sent as they are read. */
  readonly shown?: readonly ReturnedProperty[] | undefined
}

const alias = 't'

/**
 * Compiles a query over the items of a scope.
 *
 * @throws {RequestFault} for a query that the store cannot answer
 */
export function collectionPlan(scope: Scope, needs: CollectionQuery, store: QueryTarget): CollectionPlan {
  const { apply, search } = needs.options
  if (apply !== undefined && store.engine.dialect.name === 'mysql')
    throw unsupportedQuery('$apply', 'Aggregation is not supported on MySQL.')
  if (apply !== undefined) return transformedPlan(scope, needs, apply, store)
  const plan = itemsPlan(scope, needs, store, 'words')
  return search === undefined ? plan : searchedPlan(plan, search, scope, needs, store)
}

/** Where a search looks. */
function searchScope({ table }: Scope, { searchedProperties }: CollectionQuery, { engine }: QueryTarget) {
  return {
    table,
    dialect: engine.dialect,
    column: (column: string): Sql => sql`${sql.id(alias, column)}`,
    properties: searchedProperties,
  }
}

/**
 * On SQLite, a plan that reads the items in order if their words are common and an index has the order: SQLite itself would read, and
 * sort, all rows with a word, however many. PostgreSQL knows how many there are.
 */
function searchedPlan(
  plan: ItemsPlan,
  search: SearchExpression,
  scope: Scope,
  needs: CollectionQuery,
  store: QueryTarget,
): CollectionPlan {
  const { dialect, compile } = store.engine
  const condition =
    dialect.name === 'sqlite' ? commonWordsCondition(search, searchScope(scope, needs, store)) : undefined
  if (condition === undefined) return plan
  const common = compile(sql`SELECT CASE WHEN ${condition} THEN 1 ELSE 0 END`)
  let inOrder: ItemsPlan | false | undefined
  const chosen = async (session: Session, values: PlaceholderValues): Promise<ItemsPlan> => {
    if (inOrder === false || Number((await session.all(common, values))[0]?.[0]) === 0) return plan
    if (inOrder === undefined) {
      const other = itemsPlan(scope, needs, store, 'items')
      const steps = await session.all(compile(sql`EXPLAIN QUERY PLAN ${other.ordered}`), values)
      inOrder = steps.some(step => String(step.at(-1)).includes('ORDER BY')) ? false : other
    }
    return inOrder === false ? plan : inOrder
  }
  const { json } = plan
  return {
    page: async (session, values, request, linkOf) =>
      (await chosen(session, values)).page(session, values, request, linkOf),
    json:
      json === undefined
        ? undefined
        : async (session, values, request) => ((await chosen(session, values)).json ?? json)(session, values, request),
    count: plan.count,
  }
}

interface ItemsPlan extends CollectionPlan {
  /** The ids of the items in order. */
  readonly ordered: Sql
}

/** @param reads what leads to the items that a search finds */
function itemsPlan(scope: Scope, needs: CollectionQuery, store: QueryTarget, reads: 'words' | 'items'): ItemsPlan {
  const { options, context } = needs
  const { engine } = store
  const frame = computedFrame(queryFrame(scope.type, alias, store, context, true), options.compute)
  const shape = withComputed(rowMapper(scope.table, scope.type, options.select, store.decoder), options.compute, frame)
  const conditions = [scope.where(alias)]
  if (needs.filter !== undefined) conditions.push(isTrue(needs.filter, frame))
  if (options.filter !== undefined) conditions.push(isTrue(options.filter, frame))
  if (options.search !== undefined)
    conditions.push(searchCondition(options.search, { ...searchScope(scope, needs, store), reads }))
  const keys = sortKeys(options.orderby ?? needs.orderby ?? [], scope.table, alias, frame)
  const from = sql`FROM ${rowsOf(scope.table)} AS ${sql.id(alias)} WHERE ${allOf(conditions)}`
  const { columns, places } = withSortKeys(shape.columns(alias, engine.dialect), keys, engine)
  const totalCell = columns.length
  const rows = pageReader(
    keys,
    {
      select: (rest, limit) => {
        if (limit === 'none')
          return sql`SELECT ${sql.join(columns.map((column, index) => sql`${column} AS ${sql.id(`c${index}`)}`))} ${from} ${rest}`
        const select = (named: readonly NamedColumn[]): Sql =>
          sql`SELECT ${sql.join(named.map(namedColumn))} ${from} ${rest}`
        const source = { table: scope.table.name, alias, sized: shape.sized, select }
        return limitedRows([], columns, source, limit, engine.dialect)
      },
      itemsOf: read => read.length,
      totalOf: read => totalBytes(read, totalCell),
      maxRowBytes: maxRowBytes(shape.sized),
    },
    store,
  )
  const expansion = expansionOf(options, scope.type, store, context)
  const singles = singlesPerItem(options, scope.type, context.expandDepth)
  const isPlain = needs.shown !== undefined && expansion === undefined && options.compute === undefined
  let count: Statement | undefined
  return {
    ordered: sql`SELECT ${sql.id(alias, idColumn)} ${from} ORDER BY ${orderSql(keys, engine.dialect)} LIMIT 1`,
    page: (session, values, request, linkOf) =>
      readPage(session, values, request, { rows, totalCell, places, shape, expansion, singles, linkOf }, store),
    json: isPlain ? jsonPageReader(scope, needs.shown, keys, { from, alias, sized: shape.sized }, store) : undefined,
    count: async (session, values) => {
      count ??= engine.compile(sql`SELECT count(*) AS ${sql.id('count')} ${from}`)
      const [row] = await session.all(count, values)
      return Number(row?.[0] ?? 0)
    },
  }
}

/** Counts the items of a scope, or those that meet a condition, but not beyond a number. */
export function itemsUpTo(
  most: number,
  scope: Scope,
  condition: Expression | undefined,
  context: QueryContext,
  store: QueryTarget,
): CollectionPlan['count'] {
  const conditions = [scope.where(alias)]
  if (condition !== undefined) conditions.push(isTrue(condition, queryFrame(scope.type, alias, store, context, true)))
  const where = allOf(conditions)
  const some = sql`SELECT 1 FROM ${rowsOf(scope.table)} AS ${sql.id(alias)} WHERE ${where} LIMIT ${sql.lit(most)}`
  const statement = store.engine.compile(sql`SELECT count(*) FROM (${some}) AS ${sql.id('some')}`)
  return async (session, values) => Number((await session.all(statement, values))[0]?.[0] ?? 0)
}

/** A query over what transformations make of the items. */
function transformedPlan(
  scope: Scope,
  needs: CollectionQuery,
  apply: readonly Transformation[],
  store: QueryTarget,
): CollectionPlan {
  const { apply: _apply, ...options } = needs.options
  const stage = transformedStage(scope, apply, needs, options, store)
  if (stage.kind === 'rows')
    return rowsPlan(stage, options, queryFrame(scope.type, 't', store, needs.context, true), scope, store)
  const compute = [...stage.compute, ...(options.compute ?? [])]
  const orderby = [...(options.orderby ?? []), ...stage.orderby]
  const rest = {
    ...options,
    ...(compute.length === 0 ? {} : { compute }),
    ...(orderby.length === 0 ? {} : { orderby }),
  }
  return collectionPlan(
    { ...scope, table: stage.table, where: stage.where },
    { ...needs, options: rest, shown: undefined },
    store,
  )
}

interface Reading {
  readonly rows: RowReader
  /** The index of the column with the bytes of the page, if they are limited. */
  readonly totalCell: number
  /** The indexes of the columns that contain the sort keys. */
  readonly places: readonly number[]
  readonly shape: RowMapper
  readonly expansion: Expansion | undefined
  /** The single items that expansion can add to each item. */
  readonly singles: number
  readonly linkOf: ExpansionLink | undefined
}

async function readPage(
  session: Session,
  values: PlaceholderValues,
  request: PageRequest,
  { rows, totalCell, places, shape, expansion, singles, linkOf }: Reading,
  store: QueryTarget,
): Promise<Page> {
  const found = await rows(session, values, request)
  const hasExtra = request.limit !== undefined && found.length > request.limit
  const shown = hasExtra ? found.slice(0, -1) : found
  const items = shown.map(row => shape.decode(row, 0))
  if (expansion !== undefined && items.length > 0) {
    const times = items.map(() => 1)
    await expansion({ items, times }, session, values, expansionBudget(store, linkOf, items.length, singles))
  }
  const hasMore = hasExtra || (request.bytes !== undefined && (totalBytes(found, totalCell) ?? 0) >= request.bytes)
  const last = hasMore ? shown.at(-1) : undefined
  return { items, last: last === undefined ? undefined : places.map(place => last[place]) }
}

/** The most rows of a page. Further pages follow. */
const maxRows = 5000

const limitPlaceholder = 'rows limit'
const skipPlaceholder = 'rows skip'

/** A plan of a collection whose items are rows. */
interface RowsPlan {
  readonly json: undefined
  readonly page: (
    session: Session,
    values: PlaceholderValues,
    request: PageRequest,
  ) => Promise<{ readonly items: readonly StoredItem[]; readonly last: readonly unknown[] | undefined }>
  readonly count: (session: Session, values: PlaceholderValues) => Promise<number>
}

/** A compiled query over the rows that transformations made. Pages continue by the number of rows before them. */
function rowsPlan(stage: RowStage, options: QueryOptions, outer: Frame, scope: Scope, store: QueryTarget): RowsPlan {
  const { dialect, compile } = store.engine
  const alias = 'r'
  const frame = rowsFrame(stage, alias, outer)
  const from = sql`FROM ${stage.source} AS ${sql.id(alias)}`
  const decoderOf = store.decoder ?? wireDecoderFor
  const cells = stage.columns.map(column => {
    const value = sql`${sql.id(alias, column.column)}`
    return column.type.kind === 'json' ? value : cellOf(column.operand(value), frame).value
  })
  const decoders = new Map(
    stage.columns.map((column, index) => [column.column, { index, decode: decoderOf(column.type) }]),
  )
  const requested = (options.orderby ?? []).flatMap(item => requestedKeys(item, frame))
  const keys = [...requested, ...stage.order(alias, frame), ...columnKeys(stage.columns, alias)]
  const order = keys.length === 0 ? sql`` : sql`ORDER BY ${orderSql(keys, dialect)}`
  const limit = sql`LIMIT ${dialect.bind(new Placeholder(limitPlaceholder), 'integer')}`
  const offset = sql`OFFSET ${dialect.bind(new Placeholder(skipPlaceholder), 'integer')}`
  let page: Statement | undefined
  let count: Statement | undefined
  const entityOf = (row: SqlRow): Record<string, unknown> => {
    const entity: Record<string, unknown> = {}
    const part = stage.parts[Number(row[cells.length])] ?? stage.columns
    for (const column of part) {
      const cell = decoders.get(column.column)
      if (cell !== undefined) setAtPath(entity, column, cell.decode(row[cell.index]))
    }
    return entity
  }
  return {
    json: undefined,
    page: async (session, values, { after, skip, limit: most = maxRows }) => {
      page ??= compile(
        sql`SELECT ${sql.join([...cells, sql`${sql.id(alias, 'part')}`])} ${from} ${order} ${limit} ${offset}`,
      )
      const start = after === undefined ? skip : Number(after[0])
      const size = Math.min(most, maxRows)
      const bound = mergeValues(values, { [limitPlaceholder]: size + 1, [skipPlaceholder]: start })
      const found = await session.all(page, bound)
      const shown = found.slice(0, size)
      const items = shown.map(row => ({ id: 0, type: scope.type, entity: entityOf(row) }))
      return { items, last: found.length > size ? [start + size] : undefined }
    },
    count: async (session: Session, values: PlaceholderValues) => {
      count ??= compile(sql`SELECT count(*) ${from}`)
      const [row] = await session.all(count, values)
      return Number(row?.[0] ?? 0)
    },
  }
}

function setAtPath(entity: Record<string, unknown>, { path }: RowColumn, value: unknown): void {
  let target = entity
  for (const name of path.slice(0, -1)) {
    const known = target[name]
    const inner: Record<string, unknown> = isObject(known) ? { ...known } : {}
    defineMember(target, name, inner)
    target = inner
  }
  defineMember(target, path.at(-1) ?? '', value)
}
