import { sql } from 'kysely'
import { type ComputeItem, type OrderbyItem, pathOfNames } from '../../../runtime/query/index.js'
import { allOf } from '../../conditions.js'
import type { Sql } from '../../dialects/dialect.js'
import { exactSql } from '../../filter/arithmetic.js'
import { compileOperand } from '../../filter/expressions.js'
import type { Frame, Operand, Scalar } from '../../filter/frame.js'
import { rowOperand } from '../../filter/paths.js'
import { unsupportedQuery } from '../../query-faults.js'
import { rowsOf, type Table } from '../../schema/schema.js'
import { type StoredType, storageOf } from '../../schema/stored-type.js'
import { type SortKey, sortKeys } from '../keyset-pagination.js'
import type { Scope } from '../scope.js'

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
  /** The order of the rows. The frame is that of expressions on rows that are named `alias`. */
  readonly order: RowOrder
}

export type RowOrder = (alias: string, frame: Frame) => readonly SortKey[]

export type Stage = ItemStage | RowStage

/** The name of the column with the number of the part. */
export const partColumn = 'part'

export interface Compiler {
  readonly scope: Scope
  readonly frame: Frame
  readonly searched: readonly string[]
  readonly alias: () => string
}

export type Path = readonly string[]

/** The groups that a sequence of transformations applies to, one after the other. */
export interface Groups {
  /** The properties that the items of a group have in common. None: all items are one group. */
  readonly paths: readonly Path[]
  /** The items of all groups before the sequence. */
  readonly origin: Stage
}

/** The frame of expressions on the items or rows that are named `alias`. */
export function frameOf(stage: Stage, alias: string, { scope, frame }: Compiler): Frame {
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
export function narrowed(stage: Stage, condition: (alias: string, frame: Frame) => Sql, compiler: Compiler): Stage {
  if (stage.kind === 'items') {
    const where = (alias: string): Sql => allOf([stage.where(alias), condition(alias, frameOf(stage, alias, compiler))])
    return { ...stage, where }
  }
  const alias = compiler.alias()
  const holds = condition(alias, frameOf(stage, alias, compiler))
  return { ...stage, source: sql`(SELECT ${sql.id(alias)}.* ${fromOf(stage, alias)} WHERE ${holds})` }
}

/** The rows that meet a condition on columns that are computed first. */
export function withColumns(
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
  return { ...stage, source: sql`(SELECT ${sql.id(outer)}.* FROM ${source} AS ${sql.id(outer)} WHERE ${holds(outer)})` }
}

/** The keys of a total order. */
export function keysOf(stage: Stage, alias: string, first: readonly SortKey[], compiler: Compiler): readonly SortKey[] {
  const frame = frameOf(stage, alias, compiler)
  const rest =
    stage.kind === 'items'
      ? sortKeys(stage.orderby, stage.table, alias, frame)
      : [...stage.order(alias, frame), ...columnKeys(stage.columns, alias)]
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

/** PARTITION BY of the groups, for window functions. */
export function partition(stage: Stage, alias: string, { paths }: Groups, compiler: Compiler): Sql {
  if (paths.length === 0) return sql``
  const frame = frameOf(stage, alias, compiler)
  return sql`PARTITION BY ${sql.join(paths.map(path => encoded(scalarAt(path, frame), frame).value))}`
}

export function scalarAt(path: Path, frame: Frame): Scalar {
  const operand = compileOperand(pathOfNames(path), frame)
  if (operand.kind !== 'scalar') throw unsupportedQuery('$apply', `'${path.join('/')}' is not a single value.`)
  return operand
}

export interface Encoded {
  readonly value: Sql
  readonly type: StoredType
}

/** A value as a column of a subquery holds it. */
export function encoded(operand: Scalar, { dialect }: Frame): Encoded {
  const { type } = operand
  if (type.kind !== 'decimal') return { value: textual(operand.sql, type, dialect.collated), type }
  if (operand.floating === true) throw unsupportedQuery('$apply', "A quotient of 'divby' may be infinite. Use 'div'.")
  if (operand.sortable !== undefined) return { value: operand.sortable, type }
  return {
    value: dialect.name === 'sqlite' ? sql`sortable_decimal(${exactSql(operand)})` : sql`(${operand.sql})::numeric`,
    type,
  }
}

export function textual(value: Sql, { kind }: StoredType, collated: (text: Sql) => Sql): Sql {
  return storageOf(kind) === 'text' && kind !== 'json' ? collated(value) : value
}

export function columnOf(path: Path, index: number, type: StoredType, { frame }: Compiler): RowColumn {
  const column = `c${index}`
  const operand = (value: Sql): Operand =>
    type.kind === 'decimal'
      ? { kind: 'scalar', type, ...frame.dialect.storedDecimal(value), nullable: true }
      : { kind: 'scalar', type, sql: value, nullable: true }
  return { path: path.filter(name => !name.includes('.')), column, type, operand }
}

/** Rows with these columns. */
export function rowStage(
  cells: readonly (Encoded & { readonly path: Path })[],
  rest: Sql,
  compiler: Compiler,
  hidden: readonly Sql[] = [],
  order: RowOrder = () => [],
): RowStage {
  const columns = cells.map(({ path, type }, index) => columnOf(path, index, type, compiler))
  const listed = cells.map(({ value }, index) => sql`${value} AS ${sql.id(`c${index}`)}`)
  const source = sql`(SELECT ${sql.join([...listed, ...hidden, sql`0 AS ${sql.id(partColumn)}`])} ${rest})`
  return { kind: 'rows', source, columns, parts: [columns], order }
}

/** The frame of a query's other options on rows that are named `alias`. */
export function rowsFrame(stage: RowStage, alias: string, frame: Frame): Frame {
  const current = membersOf(stage.columns, alias)
  return { ...frame, current, it: current }
}
