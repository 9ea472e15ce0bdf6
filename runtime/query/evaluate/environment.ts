import type { Expression } from '../ast.js'
import type { TypeTable } from '../type-table.js'
import type { Value } from './value.js'

/** What an evaluation may know beyond the expression and the row. */
export interface EvaluationOptions {
  /** The service's types. Without them the JSON values and the literals beside them decide how values compare. */
  readonly types?: TypeTable | undefined
  /** The unqualified name of the row's type in `types`. */
  readonly type?: string | undefined
  /** The parameter aliases of the request, by name without `@`. */
  readonly aliases?: Readonly<Record<string, Expression>> | undefined
  /** What `$it` is, where it is not the row: the item of the resource path when a nested collection is filtered. */
  readonly it?: unknown
  /** The unqualified name of the type of `it`. */
  readonly itType?: string | undefined
  /** What `$root` is: entity sets and singletons by name. */
  readonly root?: unknown
  /** The time for `now()`; the computer's clock when absent. */
  readonly now?: (() => Date) | undefined
}

/** A lambda variable and its value, and those around it. */
export interface Binding {
  readonly name: string
  readonly value: Value
  readonly outer: Binding | undefined
}

/** Where an expression is evaluated. */
export interface Environment {
  readonly options: EvaluationOptions
  /** `$this`, and where paths without a root begin. */
  readonly row: Value
  /** `$it` */
  readonly it: Value
  readonly bindings: Binding | undefined
  /** How many expressions are being evaluated inside each other; shared by all environments of one evaluation. */
  readonly level: { current: number }
  /** Aliases already evaluated for this row. */
  readonly aliasValues: Map<string, Value>
  /** Aliases whose value is being worked out. */
  readonly aliasesInProgress: ReadonlySet<string>
}

/** The environment of a predicate over the items of a collection, each of which is `$this` in turn. */
export function forItem(environment: Environment, row: Value): Environment {
  return { ...environment, row, aliasValues: new Map() }
}
