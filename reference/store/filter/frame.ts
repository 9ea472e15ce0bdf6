import type { Expression, Literal } from '../../../runtime/query/index.js'
import type { ComplexType, EntityType, ValueType } from '../../../spec/language/index.js'
import type { Dialect, GeoFamily, JsonLocation, Sql } from '../engines/engine.js'
import { unsupportedQuery } from '../query-faults.js'
import type { Relation, StoreSchema, Table } from '../schema/schema.js'
import type { StoredType } from '../schema/stored-type.js'
import type { ColumnReader } from '../sql-conditions.js'

/** Where an expression stands while it becomes SQL. */
export interface Frame {
  readonly schema: StoreSchema
  readonly dialect: Dialect
  /** `$this`, and the start of paths without a root. */
  readonly current: Operand
  /** `$it`; undefined inside `$expand`, where it is an item of another statement. */
  readonly it: Operand | undefined
  readonly variables: ReadonlyMap<string, Operand>
  /** Parameter aliases of the request. */
  readonly aliases: Readonly<Record<string, Expression>>
  /** Aliases that stand for parameters of an operation: their values come when the statement runs. */
  readonly parameters: ReadonlyMap<string, ParameterType>
  /** Literals whose values come when the statement runs. */
  readonly literalPlaceholders: LiteralPlaceholders
  /** For messages: `$filter`, `$orderby`. */
  readonly option: string
  readonly depth: number
  /** Lambdas around it. */
  readonly lambdas: number
  /** How often the SQL of what stands here is in the statement: some operands are written several times. */
  readonly copies: number
  readonly budget: SizeBudget
  /** Makes a name for a table in the statement. */
  readonly alias: () => string
  readonly compiler: ExpressionCompiler
}

/** Compiles any expression. The frame carries it, so that the modules of the compiler don't import each other in circles. */
export interface ExpressionCompiler {
  readonly operand: (expression: Expression, frame: Frame) => Operand
  /** SQL that is true exactly when a condition is true. */
  readonly isTrue: (condition: Expression, frame: Frame) => Sql
}

/** The operand that a subexpression compiles to. */
export function operandOf(expression: Expression, frame: Frame): Operand {
  return frame.compiler.operand(expression, frame)
}

/** SQL that is true exactly when a nested condition is true. */
export function conditionOf(condition: Expression, frame: Frame): Sql {
  return frame.compiler.isTrue(condition, frame)
}

export interface ParameterType {
  readonly type: StoredType
  readonly collection: boolean
  /** Of a single spatial value. */
  readonly geo?: GeoTraits
}

/** Subqueries that may stand in each other: lambdas, and relations of a path. More is beyond what engines follow. */
export const maxSubqueries = 16

/** Nesting that SQL can follow on both engines; chains of `and` and `or` do not nest. */
const maxDepth = 150

/** What is left of the size that the SQL of one query may have, in nodes of its syntax tree, copies included. */
interface SizeBudget {
  left: number
}

/** Far beyond what anybody asks for, and answered within moments. */
const maxSize = 20_000

export function sizeBudget(): SizeBudget {
  return { left: maxSize }
}

/** The frame one level deeper. @throws {RequestFault} for an expression that is too deep, or too large as SQL */
export function nested(frame: Frame): Frame {
  if (frame.depth >= maxDepth)
    throw unsupportedQuery(frame.option, `The expression is nested more than ${maxDepth} levels deep.`)
  spend(frame)
  return { ...frame, depth: frame.depth + 1 }
}

/** The frame of an operand whose SQL is written several times. */
export function copied(frame: Frame, times: number): Frame {
  return { ...frame, copies: frame.copies * times }
}

/** Counts one more piece of SQL. @throws {RequestFault} */
export function spend({ budget, copies, option }: Frame): void {
  budget.left -= copies
  if (budget.left < 0)
    throw unsupportedQuery(option, 'The expression is too large for the store, or too deeply nested.')
}

/** Gives names to the tables of one statement. */
export function aliasSource(prefix: string): () => string {
  let count = 0
  return () => `${prefix}${++count}`
}

/** What an expression is in SQL. */
export type Operand = Scalar | Structure | EntityRow | Collection | { readonly kind: 'null' }

/** A single value. */
export interface Scalar {
  readonly kind: 'scalar'
  readonly type: StoredType
  readonly sql: Sql
  readonly nullable: boolean
  /** The text of a literal string: it takes on the type of what it meets. */
  readonly text?: string
  /** The parameter that it is, which takes on the type of what it meets, too. */
  readonly parameter?: string
  /** The number in the form that loses no digits, where the engine's own would. */
  readonly exact?: Sql
  /** Whether it may be infinite, or no number, though its type knows neither: a quotient of `divby`. */
  readonly floating?: boolean
  /** Whether it is never what is no number, though its type knows that. */
  readonly isNumber?: boolean
  /** The value of a literal number. */
  readonly number?: string
  /** Of GeoJSON. */
  readonly geo?: GeoTraits
}

export function scalar(type: StoredType, value: Sql, nullable = true): Scalar {
  return { kind: 'scalar', type, sql: value, nullable }
}

/** A kind of spatial values, and the number of their reference system, when that is known. */
export interface GeoTraits {
  readonly family: GeoFamily
  readonly srid: number | undefined
}

/** A complex value. */
export interface Structure {
  readonly kind: 'structure'
  readonly type: ComplexType
  readonly place: JsonLocation
}

/** An item: `column` reads what it has. */
export interface EntityRow {
  readonly kind: 'row'
  readonly type: EntityType
  readonly table: Table
  readonly column: ColumnReader
  /** Whether the item may not be there. */
  readonly nullable: boolean
}

/** What `any`, `all`, `in` and `$count` look into. */
export type Collection =
  | {
      readonly kind: 'items'
      readonly type: ValueType
      readonly place: JsonLocation
      readonly filters: readonly Expression[]
    }
  | {
      readonly kind: 'targets'
      readonly type: EntityType
      readonly relation: Relation
      readonly source: ColumnReader
      readonly filters: readonly Expression[]
    }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'parameter'; readonly name: string; readonly type: StoredType }

/** Names of the slots that stand for literals whose values come when a statement runs. */
export type LiteralPlaceholders = ReadonlyMap<Literal, string>

/** Every literal is a value of the statement itself. */
export const noLiteralPlaceholders: LiteralPlaceholders = new Map<Literal, string>()

/** Names the slots of literals by their order. */
export function literalPlaceholders(literals: readonly Literal[]): LiteralPlaceholders {
  return literals.length === 0
    ? noLiteralPlaceholders
    : new Map(literals.map((literal, index) => [literal, literalPlaceholder(index)]))
}

/** Name of the slot of a literal, by its place among those of a query. */
export function literalPlaceholder(index: number): string {
  return `literal ${index}`
}
