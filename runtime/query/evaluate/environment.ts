import type { Expression } from '../ast.js'
import type { FunctionOperations } from '../functions.js'
import type { TypeTable } from '../type-table.js'
import type { Value } from './value.js'

/** What an evaluation can use beyond the expression and the row. */
export interface EvaluationOptions {
  /** The service's types. Without them, the JSON values and the literals decide how values compare. */
  readonly types?: TypeTable | undefined
  /** The unqualified name of the row's type in `types`. */
  readonly type?: string | undefined
  /** The parameter aliases of the request, by name without `@`. */
  readonly aliases?: Readonly<Record<string, Expression>> | undefined
  /** The value of `$it` if it is not the row: the item of the resource path when a nested collection is filtered. */
  readonly it?: unknown
  /** The unqualified name of the type of `it`. */
  readonly itType?: string | undefined
  /** The value of `$root`: entity sets and singletons by name. */
  readonly root?: unknown
  /** The time of `now()`. Default: the clock of the computer. */
  readonly now?: (() => Date) | undefined
}

/** An item of a collection in JSON. */
export type Item = Readonly<Record<string, unknown>>

export interface ApplyOptions extends EvaluationOptions {
  /** The properties that `$search` searches. Default: all strings of an item. */
  readonly searchProperties?: readonly string[] | undefined
}

/** A lambda variable and its value, and those of the enclosing lambdas. */
export interface Binding {
  readonly name: string
  readonly value: Value
  readonly outer: Binding | undefined
}

/** The environment of an expression. */
export interface Environment {
  readonly options: EvaluationOptions
  /** `$this`, and the start of paths without a root. */
  readonly row: Value
  /** `$it` */
  readonly it: Value
  readonly bindings: Binding | undefined
  /** The current depth of recursion, shared by all environments of one evaluation. */
  readonly level: { current: number }
  /** Aliases already evaluated for this row. */
  readonly aliasValues: Map<string, Value>
  /** Aliases whose value is being evaluated, to detect cycles. */
  readonly aliasesInProgress: ReadonlySet<string>
  /** Evaluates an expression inside a path. */
  readonly evaluate: (expression: Expression, environment: Environment) => Value
  readonly operations: FunctionOperations
}

/** The environment of a predicate on an item of a collection, which is `$this`. */
export function forItem(environment: Environment, row: Value): Environment {
  return { ...environment, row, aliasValues: new Map() }
}
