import type { Expression, Literal, ServiceFunctions } from '../../runtime/query/index.js'
import type { ComplexType, EntityType, ValueType } from '../../spec/language/index.js'
import type { ColumnReader } from '../conditions.js'
import type { Dialect, GeoFamily, JsonLocation, Sql, SqlValue } from '../dialects/dialect.js'
import { unsupportedQuery } from '../query-faults.js'
import type { Relation, StoreSchema, Table } from '../schema/schema.js'
import type { Storage, StoredType } from '../schema/stored-type.js'

/** The context in which an expression is compiled to SQL. */
export interface Frame {
  readonly schema: StoreSchema
  readonly dialect: Dialect
  /** `$this`, and the start of paths without a root. */
  readonly current: Operand
  /** `$it`; undefined inside `$expand`, where it is an item of another statement. */
  readonly it: Operand | undefined
  readonly variables: ReadonlyMap<string, Operand>
  /** The parameter aliases of the request. */
  readonly aliases: Readonly<Record<string, Expression>>
  /** The aliases of parameters of an operation. Their values are bound when the statement runs. */
  readonly parameters: ReadonlyMap<string, ParameterType>
  /** The functions of the service that expressions can call. */
  readonly functions: ServiceFunctions | undefined
  /** In the definition of such a function: the arguments of the call by name, and the frame of the call. */
  readonly given?: { readonly values: ReadonlyMap<string, Expression>; readonly frame: Frame }
  /** The literals whose values are bound when the statement runs. */
  readonly literalPlaceholders: LiteralPlaceholders
  /** For messages: `$filter` or `$orderby`. */
  readonly option: string
  readonly depth: number
  /** The number of enclosing lambdas. */
  readonly lambdas: number
  /** How often the SQL of this expression appears in the statement. Some operands are repeated. */
  readonly copies: number
  readonly budget: SizeBudget
  /** Creates a unique name for a table of the statement. */
  readonly alias: () => string
  readonly compiler: ExpressionCompiler
}

/** Compiles any expression. Frames carry it so that the modules of the compiler need not import each other. */
export interface ExpressionCompiler {
  readonly operand: (expression: Expression, frame: Frame) => Operand
  /** SQL that is true exactly if a condition is true. */
  readonly isTrue: (condition: Expression, frame: Frame) => Sql
}

/** The operand of a subexpression. */
export function operandOf(expression: Expression, frame: Frame): Operand {
  return frame.compiler.operand(expression, frame)
}

/** SQL that is true exactly if a nested condition is true. */
export function conditionOf(condition: Expression, frame: Frame): Sql {
  return frame.compiler.isTrue(condition, frame)
}

export interface ParameterType {
  readonly type: StoredType
  readonly collection: boolean
  /** For a single spatial value. */
  readonly geo?: GeoTraits
}

/** The maximum number of nested subqueries: lambdas, and relations of a path. Engines cannot handle more. */
export const maxSubqueries = 16

/** The maximum nesting depth that both engines can handle. Chains of `and` and `or` do not nest. */
const maxDepth = 150

/** The remaining size of the SQL of one query, in nodes of the syntax tree, repeated operands included. */
interface SizeBudget {
  left: number
}

/** Far larger than any realistic query. Engines answer such a query quickly. */
const maxSize = 20_000

export function sizeBudget(): SizeBudget {
  return { left: maxSize }
}

/**
 * The frame of a nested expression.
 *
 * @throws {RequestFault} if the expression is too deep or its SQL too large
 */
export function nested(frame: Frame): Frame {
  if (frame.depth >= maxDepth)
    throw unsupportedQuery(frame.option, `The expression is nested more than ${maxDepth} levels deep.`)
  spend(frame)
  return { ...frame, depth: frame.depth + 1 }
}

/** The frame of an operand whose SQL is repeated. */
export function copied(frame: Frame, times: number): Frame {
  return { ...frame, copies: frame.copies * times }
}

/**
 * Counts one node of SQL.
 *
 * @throws {RequestFault}
 */
export function spend({ budget, copies, option }: Frame): void {
  budget.left -= copies
  if (budget.left < 0) throw unsupportedQuery(option, 'The expression is too large or too deeply nested for the store.')
}

/** Creates the table names of one statement. */
export function aliasSource(prefix: string): () => string {
  let count = 0
  return () => `${prefix}${++count}`
}

/** A compiled expression. */
export type Operand = Scalar | Structure | EntityRow | RowMembers | Collection | { readonly kind: 'null' }

/** A row that transformations made, or a value in it that has properties. */
interface RowMembers {
  readonly kind: 'members'
  readonly members: ReadonlyMap<string, Operand>
}

/** A single value. */
export interface Scalar {
  readonly kind: 'scalar'
  readonly type: StoredType
  readonly sql: Sql
  readonly nullable: boolean
  /** The text of a literal string. It takes the type of the other operand. */
  readonly text?: string
  /** The name of the parameter. A parameter takes the type of the other operand, too. */
  readonly parameter?: string
  /** The exact form of a number, if the engine's own numbers would lose digits. */
  readonly exact?: Sql
  /** A decimal number as text in the order of the numbers, if the engine stores it so. */
  readonly sortable?: Sql
  /** Whether the number may be infinite or NaN although its type is not floating-point: a quotient of `divby`. */
  readonly floating?: boolean
  /** Whether the number is never NaN although its type is floating-point. */
  readonly isNumber?: boolean
  /** The text of a literal number. */
  readonly number?: string
  /** For GeoJSON. */
  readonly geo?: GeoTraits
  /** The value in a type of the engine, which its indexes have. */
  readonly native?: { readonly sql: Sql; readonly storage: Storage }
  /** The stored form of a literal. */
  readonly constant?: SqlValue
}

export function scalar(type: StoredType, value: Sql, nullable = true): Scalar {
  return { kind: 'scalar', type, sql: value, nullable }
}

/** The family of a spatial type and the number of its reference system, if known. */
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

/** An item. `column` reads a column of it. */
export interface EntityRow {
  readonly kind: 'row'
  readonly type: EntityType
  readonly table: Table
  readonly column: ColumnReader
  /** Whether the item may be missing. */
  readonly nullable: boolean
  /** The properties that `$compute` adds, in order. Each can use those before it. */
  readonly computed?: ReadonlyMap<string, Expression>
}

/** A collection that `any`, `all`, `in` and `$count` can use. */
export type Collection =
  | {
      readonly kind: 'items'
      readonly type: ValueType
      readonly place: JsonLocation
      /** Only the items of this type. */
      readonly cast?: ComplexType
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

/** The placeholder names of literals whose values are bound when the statement runs. */
export type LiteralPlaceholders = ReadonlyMap<Literal, string>

/** All literals are part of the statement. */
export const noLiteralPlaceholders: LiteralPlaceholders = new Map<Literal, string>()

/** Names the placeholders of literals by their index. */
export function literalPlaceholders(literals: readonly Literal[]): LiteralPlaceholders {
  return literals.length === 0
    ? noLiteralPlaceholders
    : new Map(literals.map((literal, index) => [literal, literalPlaceholder(index)]))
}

/** The name of a literal's placeholder. */
export function literalPlaceholder(index: number): string {
  return `literal ${index}`
}
