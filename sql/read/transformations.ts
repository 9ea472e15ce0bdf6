import { sql } from 'kysely'
import {
  type AggregateItem,
  type ComputeItem,
  type Expression,
  type GroupingItem,
  groupings,
  type OrderbyItem,
  pathOfNames,
  type QueryOptions,
  type Transformation,
} from '../../runtime/query/index.js'
import { allOf, never } from '../conditions.js'
import type { Sql } from '../dialects/dialect.js'
import { exactSql } from '../filter/arithmetic.js'
import { compileOperand, isTrue } from '../filter/expressions.js'
import type { Frame, Operand, Scalar } from '../filter/frame.js'
import { ofColumn, rowOperand } from '../filter/paths.js'
import { unsupportedQuery } from '../query-faults.js'
import type { QueryTarget } from '../query-target.js'
import { rowsOf, type Table } from '../schema/schema.js'
import { type Storage, type StoredType, storageOf, storedProperties } from '../schema/stored-type.js'
import { searchCondition } from '../search.js'
import { orderSql, requestedKeys, type SortKey, sortKeys } from './keyset-pagination.js'
import { type QueryContext, queryFrame } from './query-frame.js'
import type { Scope } from './scope.js'

/** A property of rows: a column of their subquery. */
export interface RowColumn {
  readonly path: readonly string[]
  readonly column: string
  readonly type: StoredType
  /** The operand of the column's value. */
  readonly operand: (value: Sql) => Operand
}

/** Items of the collection, perhaps fewer and with computed properties. */
interface ItemStage {
  readonly kind: 'items'
  readonly table: Table
  readonly where: (alias: string) => Sql
  readonly compute: readonly ComputeItem[]
  readonly orderby: readonly OrderbyItem[]
}

/** Rows of a subquery. `part` numbers the parts of a union, which differ in the properties that their rows have. */
export interface RowStage {
  readonly kind: 'rows'
  readonly source: Sql
  readonly columns: readonly RowColumn[]
  /** The paths of the properties of each part. One part: all columns. */
  readonly parts: readonly (readonly RowColumn[])[]
  readonly orderby: readonly OrderbyItem[]
}

export type Stage = ItemStage | RowStage

/** The name of the column with the number of the part. */
const partColumn = 'part'

interface Compiler {
  readonly scope: Scope
  readonly frame: Frame
  readonly searched: readonly string[]
  readonly alias: () => string
}

/**
 * Compiles transformations to nested subqueries.
 *
 * @throws {RequestFault} for a query that the store cannot answer
 * @see OData Extension for Data Aggregation 4.0, 3
 */
export function transformedStage(
  scope: Scope,
  apply: readonly Transformation[],
  { searchedProperties: searched, context, filter }: StageNeeds,
  options: QueryOptions,
  store: QueryTarget,
): Stage {
  const frame = { ...queryFrame(scope.type, 't', store, context, true), option: '$apply' }
  let count = 0
  const compiler: Compiler = { scope, frame, searched, alias: () => `s${++count}` }
  const start: Stage = { kind: 'items', table: scope.table, where: scope.where, compute: [], orderby: [] }
  const given = filter === undefined ? start : narrowed(start, (_, at) => isTrue(filter, at), compiler)
  const stage = sequence(apply, given, [], compiler)
  return stage.kind === 'rows' ? sequence(optionSteps(options), stage, [], compiler) : stage
}

/** What besides its options a query says of its items. */
interface StageNeeds {
  readonly searchedProperties: readonly string[]
  readonly context: QueryContext
  /** A condition on the items of the collection. */
  readonly filter?: Expression | undefined
}

/** The options that follow `$apply`, as transformations of its rows. */
function optionSteps({ compute, search, filter }: QueryOptions): readonly Transformation[] {
  return [
    ...(compute === undefined ? [] : [{ kind: 'compute', compute } as const]),
    ...(search === undefined ? [] : [{ kind: 'search', search } as const]),
    ...(filter === undefined ? [] : [{ kind: 'filter', filter } as const]),
  ]
}

type Path = readonly string[]

function sequence(apply: readonly Transformation[], start: Stage, groups: readonly Path[], compiler: Compiler): Stage {
  const lost = apply.findIndex(step => step.kind === 'aggregate' || step.kind === 'groupby')
  const mayEmpty = apply
    .slice(0, Math.max(0, lost))
    .some(step => step.kind !== 'compute' && step.kind !== 'orderby' && step.kind !== 'identity')
  if (groups.length > 0 && mayEmpty && apply[lost]?.kind === 'aggregate') {
    throw unsupportedQuery(
      '$apply',
      "Inside 'groupby', this store supports filters and other selections only after 'aggregate'.",
    )
  }
  return apply.reduce((stage, step) => transformed(step, stage, groups, compiler), start)
}

function transformed(step: Transformation, stage: Stage, groups: readonly Path[], compiler: Compiler): Stage {
  switch (step.kind) {
    case 'identity':
      return stage
    case 'filter':
      return narrowed(stage, (_, frame) => isTrue(step.filter, frame), compiler)
    case 'search':
      return searchedStage(step.search, stage, compiler)
    case 'orderby':
      return { ...stage, orderby: [...step.orderby, ...stage.orderby] }
    case 'top':
    case 'skip':
      return numbered(stage, groups, [], compiler, number =>
        step.kind === 'top' ? sql`${number} <= ${sql.lit(step.count)}` : sql`${number} > ${sql.lit(step.count)}`,
      )
    case 'compute':
      return stage.kind === 'items'
        ? { ...stage, compute: [...stage.compute, ...step.compute] }
        : computedRows(step.compute, stage, compiler)
    case 'ranked':
      return ranked(step, stage, groups, compiler)
    case 'aggregate':
      return aggregated(step.aggregate, stage, groups, compiler)
    case 'groupby':
      return grouped(step, stage, groups, compiler)
    case 'concat':
      return united(
        step.branches.map(branch => sequence(branch, stage, groups, compiler)),
        compiler,
      )
  }
}

/** The frame of expressions on the items or rows that are named `alias`. */
function frameOf(stage: Stage, alias: string, { scope, frame }: Compiler): Frame {
  const current = stage.kind === 'rows' ? membersOf(stage.columns, alias) : itemOperand(stage, alias, scope)
  return { ...frame, current, it: current }
}

function itemOperand({ table, compute }: ItemStage, alias: string, { type }: Scope): Operand {
  const row = rowOperand(type, table, alias)
  return compute.length === 0
    ? row
    : { ...row, computed: new Map(compute.map(({ alias: name, expression }) => [name, expression])) }
}

function membersOf(columns: readonly RowColumn[], alias: string): Operand {
  const members = new Map<string, Operand>()
  const below = new Map<string, RowColumn[]>()
  for (const column of columns) {
    const [first = '', ...rest] = column.path
    if (rest.length === 0) members.set(first, column.operand(sql`${sql.id(alias, column.column)}`))
    else below.set(first, [...(below.get(first) ?? []), { ...column, path: rest }])
  }
  for (const [name, inner] of below) members.set(name, membersOf(inner, alias))
  return { kind: 'members', members }
}

/** FROM and WHERE of a stage whose rows are named `alias`. */
export function fromOf(stage: Stage, alias: string): Sql {
  return stage.kind === 'rows'
    ? sql`FROM ${stage.source} AS ${sql.id(alias)}`
    : sql`FROM ${rowsOf(stage.table)} AS ${sql.id(alias)} WHERE ${stage.where(alias)}`
}

/** A stage with a condition more. */
function narrowed(stage: Stage, condition: (alias: string, frame: Frame) => Sql, compiler: Compiler): Stage {
  if (stage.kind === 'items') {
    const where = (alias: string): Sql => allOf([stage.where(alias), condition(alias, frameOf(stage, alias, compiler))])
    return { ...stage, where }
  }
  const alias = compiler.alias()
  const holds = condition(alias, frameOf(stage, alias, compiler))
  return { ...stage, source: sql`(SELECT ${sql.id(alias)}.* ${fromOf(stage, alias)} WHERE ${holds})` }
}

function searchedStage(
  search: Extract<Transformation, { kind: 'search' }>['search'],
  stage: Stage,
  compiler: Compiler,
): Stage {
  const { scope, frame, searched } = compiler
  if (stage.kind !== 'items') throw unsupportedQuery('$apply', "'search' finds items of the collection only.")
  return narrowed(
    stage,
    alias =>
      searchCondition(search, {
        table: scope.table,
        dialect: frame.dialect,
        column: column => sql`${sql.id(alias, column)}`,
        properties: searched,
      }),
    compiler,
  )
}

/** The keys of a total order. */
function keysOf(stage: Stage, alias: string, first: readonly SortKey[], compiler: Compiler): readonly SortKey[] {
  const frame = frameOf(stage, alias, compiler)
  const rest =
    stage.kind === 'items'
      ? sortKeys(stage.orderby, stage.table, alias, frame)
      : [...stage.orderby.flatMap(item => requestedKeys(item, frame)), ...columnKeys(stage.columns, alias)]
  return [...first, ...rest]
}

/** All columns that have an order, so that the order is the same each time. */
export function columnKeys(columns: readonly RowColumn[], alias: string): readonly SortKey[] {
  return columns
    .filter(({ type }) => type.kind !== 'json')
    .map(({ column, type }) => ({
      value: sql`${sql.id(alias, column)}`,
      direction: 'asc',
      storage: storageOf(type.kind),
      nullable: true,
      placesNull: true,
    }))
}

/** The rows whose numbers in the order, from 1 in each group, meet a condition. */
function numbered(
  stage: Stage,
  groups: readonly Path[],
  first: readonly SortKey[],
  compiler: Compiler,
  condition: (number: Sql) => Sql,
): Stage {
  const alias = compiler.alias()
  const { dialect } = compiler.frame
  const order = orderSql(keysOf(stage, alias, first, compiler), dialect)
  const number = sql`row_number() OVER (${partition(stage, alias, groups, compiler)} ORDER BY ${order})`
  return withColumns(stage, alias, [number], compiler, ([place = sql``]) => condition(place))
}

function partition(stage: Stage, alias: string, groups: readonly Path[], compiler: Compiler): Sql {
  if (groups.length === 0) return sql``
  const frame = frameOf(stage, alias, compiler)
  return sql`PARTITION BY ${sql.join(groups.map(path => encoded(scalarAt(path, frame), frame).value))}`
}

/** The rows that meet a condition on columns that are computed first. */
function withColumns(
  stage: Stage,
  alias: string,
  added: readonly Sql[],
  compiler: Compiler,
  condition: (columns: readonly Sql[]) => Sql,
): Stage {
  const names = added.map(() => compiler.alias())
  const columns = added.map((value, index) => sql`${value} AS ${sql.id(names[index] ?? '')}`)
  const source = sql`(SELECT ${sql.id(alias)}.*, ${sql.join(columns)} ${fromOf(stage, alias)})`
  const holds = (outer: string): Sql => condition(names.map(name => sql`${sql.id(outer, name)}`))
  if (stage.kind === 'items') return { ...stage, table: { ...stage.table, source }, where: holds }
  const outer = compiler.alias()
  const kept = sql.join(
    [...stage.columns.map(({ column }) => column), partColumn].map(name => sql`${sql.id(outer, name)}`),
  )
  return { ...stage, source: sql`(SELECT ${kept} FROM ${source} AS ${sql.id(outer)} WHERE ${holds(outer)})` }
}

/** @see OData Extension for Data Aggregation 4.0, 3.3.1 (top and bottom transformations) */
function ranked(
  { end, by, amount, measure }: Extract<Transformation, { kind: 'ranked' }>,
  stage: Stage,
  groups: readonly Path[],
  compiler: Compiler,
): Stage {
  const alias = compiler.alias()
  const frame = frameOf(stage, alias, compiler)
  const { dialect } = frame
  const direction = end === 'top' ? 'desc' : 'asc'
  const keys = keysOf(stage, alias, requestedKeys({ expression: measure, direction }, frame), compiler)
  const within = partition(stage, alias, groups, compiler)
  const given = compileOperand(amount, frame)
  const limit = given.kind === 'scalar' ? sql`(${given.sql})` : sql`NULL`
  const order = sql`${within} ORDER BY ${orderSql(keys, dialect)}`
  if (by === 'count') {
    return withColumns(
      stage,
      alias,
      [sql`row_number() OVER (${order})`],
      compiler,
      ([place = sql``]) => sql`${place} <= ${limit}`,
    )
  }
  const operand = compileOperand(measure, frame)
  if (operand.kind !== 'scalar' || given.kind !== 'scalar') return narrowed(stage, () => never, compiler)
  const frameOfRows = sql`${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING`
  if (dialect.name === 'sqlite' && operand.type.kind !== 'double') {
    throw unsupportedQuery('$apply', `'${end}${by}' of exact numbers is not supported on SQLite.`)
  }
  const sum = windowSum(operand)
  const before = sql`coalesce(${sum} OVER (${frameOfRows}), 0)`
  const total = sql`coalesce(${sum} OVER (${within}), 0)`
  const kind = operand.type.kind === 'double' ? 'double' : 'decimal'
  const times = (left: Sql, right: Sql): Sql => {
    const product = dialect.arithmetic('mul', left, right, kind)
    return product.exact ?? product.sql
  }
  return withColumns(stage, alias, [before, total], compiler, ([reached = sql``, all = sql``]) => {
    const [left, right] =
      by === 'sum' ? [reached, exactSql(given)] : [times(reached, sql`100`), times(exactSql(given), all)]
    return kind === 'double' ? sql`${left} < ${right}` : sql`${dialect.compareExact(left, right)} < 0`
  })
}

/** The sum of a group. Exact numbers stay exact. */
function sumOf(operand: Scalar, { dialect }: Frame): Sql {
  if (dialect.name !== 'sqlite') return windowSum(operand)
  return operand.type.kind === 'double'
    ? sql`double_sum(json_group_array(json_number(${operand.sql})))`
    : sql`exact_sum(json_group_array(CAST(${exactSql(operand)} AS TEXT)))`
}

/** An aggregate function of the engine that adds numbers. */
function windowSum(operand: Scalar): Sql {
  return operand.type.kind === 'double'
    ? sql`sum(CAST(${operand.sql} AS double precision))`
    : sql`sum((${exactSql(operand)})::numeric)`
}

function scalarAt(path: Path, frame: Frame): Scalar {
  const operand = compileOperand(pathOfNames(path), frame)
  if (operand.kind !== 'scalar') throw unsupportedQuery('$apply', `'${path.join('/')}' is not a single value.`)
  return operand
}

interface Encoded {
  readonly value: Sql
  readonly type: StoredType
}

/** A value as a column of a subquery holds it. */
function encoded(operand: Scalar, { dialect }: Frame): Encoded {
  const { type } = operand
  if (type.kind !== 'decimal') return { value: textual(operand.sql, type, dialect.collated), type }
  if (operand.floating === true) throw unsupportedQuery('$apply', "A quotient of 'divby' may be infinite. Use 'div'.")
  if (operand.sortable !== undefined) return { value: operand.sortable, type }
  return {
    value: dialect.name === 'sqlite' ? sql`sortable_decimal(${exactSql(operand)})` : sql`(${operand.sql})::numeric`,
    type,
  }
}

function textual(value: Sql, { kind }: StoredType, collated: (text: Sql) => Sql): Sql {
  return storageOf(kind) === 'text' && kind !== 'json' ? collated(value) : value
}

function columnOf(path: Path, index: number, type: StoredType, { frame }: Compiler): RowColumn {
  const column = `c${index}`
  const operand = (value: Sql): Operand =>
    type.kind === 'decimal'
      ? { kind: 'scalar', type, ...frame.dialect.storedDecimal(value), nullable: true }
      : { kind: 'scalar', type, sql: value, nullable: true }
  return { path: path.filter(name => !name.includes('.')), column, type, operand }
}

/** Rows with these columns. */
function rowStage(
  cells: readonly (Encoded & { readonly path: Path })[],
  rest: Sql,
  orderby: readonly OrderbyItem[],
  compiler: Compiler,
): RowStage {
  const columns = cells.map(({ path, type }, index) => columnOf(path, index, type, compiler))
  const listed = cells.map(({ value }, index) => sql`${value} AS ${sql.id(`c${index}`)}`)
  const source = sql`(SELECT ${sql.join([...listed, sql`0 AS ${sql.id(partColumn)}`])} ${rest})`
  return { kind: 'rows', source, columns, parts: [columns], orderby }
}

function aggregated(
  aggregate: readonly AggregateItem[],
  stage: Stage,
  groups: readonly Path[],
  compiler: Compiler,
): RowStage {
  const alias = compiler.alias()
  const frame = frameOf(stage, alias, compiler)
  const keys = groups.map(path => ({ path, ...encoded(scalarAt(path, frame), frame) }))
  const values = aggregate.map(item => ({ path: [item.alias], ...aggregatedValue(item, frame) }))
  const by = keys.length === 0 ? sql`` : sql`GROUP BY ${sql.join(keys.map((_, index) => sql.lit(index + 1)))}`
  return rowStage([...keys, ...values], sql`${fromOf(stage, alias)} ${by}`, [], compiler)
}

const decimal: StoredType = { kind: 'decimal' }

/** @see OData Extension for Data Aggregation 4.0, 3.2.1.3 (aggregation methods) */
function aggregatedValue({ expression, method }: AggregateItem, frame: Frame): Encoded {
  const { dialect } = frame
  const isSqlite = dialect.name === 'sqlite'
  const number = (value: Sql): Encoded => ({
    value: isSqlite ? sql`sortable_decimal(${value})` : sql`(${value})::numeric`,
    type: decimal,
  })
  if (expression === undefined) return number(sql`count(*)`)
  const operand = compileOperand(expression, frame)
  if (operand.kind === 'null') return number(method === 'count' || method === 'countdistinct' ? sql`0` : sql`NULL`)
  if (operand.kind !== 'scalar' || operand.type.kind === 'json') {
    throw unsupportedQuery('$apply', `'${method}' aggregates single values only.`)
  }
  const { type } = operand
  switch (method) {
    case 'count':
      return number(sql`coalesce(sum(${operand.sql}), 0)`)
    case 'countdistinct':
      return number(sql`count(DISTINCT ${encoded(operand, frame).value})`)
    case 'min':
    case 'max':
      return { value: extreme(method, operand, frame), type }
    default: {
      if (type.kind === 'double') {
        const average = sql`(${sumOf(operand, frame)} / nullif(count(${operand.sql}), 0))`
        return { value: method === 'sum' ? sumOf(operand, frame) : average, type }
      }
      const exact = exactSql(operand)
      const sum = sumOf(operand, frame)
      if (method === 'sum') return number(sum)
      const average = dialect.arithmetic('div', sum, sql`count(${exact})`, 'decimal')
      return number(average.exact ?? average.sql)
    }
  }
}

/** NaN is less than all other numbers. */
function extreme(method: 'min' | 'max', operand: Scalar, frame: Frame): Sql {
  const { dialect } = frame
  const { value, type } = encoded(operand, frame)
  if (type.kind === 'boolean' && dialect.name !== 'sqlite')
    return method === 'min' ? sql`bool_and(${value})` : sql`bool_or(${value})`
  const plain = textual(sql`${sql.raw(method)}(${value})`, type, dialect.collated)
  if (type.kind !== 'double') return plain
  const holds = dialect.isNaN(value)
  const nan = sql`max(CASE WHEN ${holds} THEN ${value} END)`
  const others = sql`${sql.raw(method)}(CASE WHEN ${holds} THEN NULL ELSE ${value} END)`
  return method === 'min' ? sql`coalesce(${nan}, ${others})` : sql`coalesce(${others}, ${nan})`
}

function computedRows(compute: readonly ComputeItem[], stage: RowStage, compiler: Compiler): RowStage {
  return compute.reduce<RowStage>((rows, { expression, alias: name }) => {
    const alias = compiler.alias()
    const frame = frameOf(rows, alias, compiler)
    const operand = compileOperand(expression, frame)
    if (operand.kind !== 'scalar') throw unsupportedQuery('$apply', `'${name}' is not a single value.`)
    const { value, type } = encoded(operand, frame)
    const added = columnOf([name], rows.columns.length, type, compiler)
    return {
      ...rows,
      source: sql`(SELECT ${sql.id(alias)}.*, ${value} AS ${sql.id(added.column)} ${fromOf(rows, alias)})`,
      columns: [...rows.columns, added],
      parts: rows.parts.map(part => [...part, added]),
    }
  }, stage)
}

function grouped(
  { by, apply }: { readonly by: readonly GroupingItem[]; readonly apply: readonly Transformation[] },
  stage: Stage,
  groups: readonly Path[],
  compiler: Compiler,
): Stage {
  const levels = groupings(by).map(paths => {
    const all = [...groups, ...paths]
    return apply.length === 0 ? aggregated([], stage, all, compiler) : sequence(apply, stage, all, compiler)
  })
  const [only] = levels
  return levels.length === 1 && only !== undefined ? only : united(levels, compiler)
}

/** Items as rows with their properties. */
function asRows(stage: Stage, compiler: Compiler): RowStage {
  if (stage.kind === 'rows') return stage
  const { scope, frame } = compiler
  const alias = compiler.alias()
  const inner = frameOf(stage, alias, compiler)
  const properties = storedProperties(scope.type).filter(({ returned }) => returned !== 'onSelect')
  const cells = [
    ...properties.map(property => {
      const { name, type } = stage.table.columnOf(property)
      return { path: [property.name], value: textual(sql`${sql.id(alias, name)}`, type, frame.dialect.collated), type }
    }),
    ...stage.compute.map(({ alias: name }) => ({ path: [name], ...encoded(scalarAt([name], inner), inner) })),
  ]
  const rows = rowStage(cells, fromOf(stage, alias), stage.orderby, compiler)
  const columns = rows.columns.map((column, index) => {
    const property = properties[index]
    if (property === undefined || column.type.kind !== 'json') return column
    const operand = (value: Sql): Operand =>
      ofColumn(property, { ...rowOperand(scope.type, stage.table, alias), column: () => value }, frame)
    return { ...column, operand }
  })
  return { ...rows, columns, parts: [columns] }
}

/** The rows of all stages, one after the other. */
function united(stages: readonly Stage[], compiler: Compiler): RowStage {
  const all = stages.map(stage => asRows(stage, compiler))
  const columns: RowColumn[] = []
  for (const { columns: own } of all) {
    for (const column of own) {
      const name = column.path.join('/')
      const known = columns.find(({ path }) => path.join('/') === name)
      if (known === undefined) columns.push({ ...column, column: `c${columns.length}` })
      else if (known.type.kind !== column.type.kind)
        throw unsupportedQuery('$apply', `'${name}' has different types in the parts of 'concat'.`)
    }
  }
  const places = new Map(columns.map(column => [column.path.join('/'), column]))
  const parts: (readonly RowColumn[])[] = []
  const selects = all.map(rows => {
    const alias = compiler.alias()
    const listed = columns.map(({ path, column, type }) => {
      const own = rows.columns.find(candidate => candidate.path.join('/') === path.join('/'))
      const value = own === undefined ? nullOf(type, compiler) : sql`${sql.id(alias, own.column)}`
      return sql`${textual(value, type, compiler.frame.dialect.collated)} AS ${sql.id(column)}`
    })
    const offset = sql.lit(parts.length)
    for (const part of rows.parts) {
      parts.push(part.flatMap(({ path }) => places.get(path.join('/')) ?? []))
    }
    const part = sql`${sql.id(alias, partColumn)} + ${offset} AS ${sql.id(partColumn)}`
    return sql`SELECT ${sql.join([...listed, part])} ${fromOf(rows, alias)}`
  })
  return { kind: 'rows', source: sql`(${sql.join(selects, sql` UNION ALL `)})`, columns, parts, orderby: [] }
}

function nullOf({ kind }: StoredType, { frame }: Compiler): Sql {
  const storage: Storage = storageOf(kind)
  return frame.dialect.name === 'sqlite' ? sql`NULL` : frame.dialect.bind(null, storage)
}

/** The frame of a query's other options on rows that are named `alias`. */
export function rowsFrame(stage: RowStage, alias: string, frame: Frame): Frame {
  const current = membersOf(stage.columns, alias)
  return { ...frame, current, it: current }
}
