import type { Expression } from './ast.js'
import type { FunctionSignature } from './binding/context.js'
import { parseFilter } from './expressions.js'

/** A function of the service that expressions can call. */
export interface ServiceFunction extends FunctionSignature {
  /** The name in code, which its handler has. */
  readonly name: string
  /** Its value: an expression on the item that it is bound to, in which `@name` is a parameter. Absent: a handler computes it. */
  readonly definition?: string
}

/** The functions of a service by unqualified name, or by qualified name if they are in another namespace. */
export type ServiceFunctions = Readonly<Record<string, ServiceFunction>>

/** What a query function gets. */
export interface QueryFunctionCall<Item, Parameters> {
  /** The item that the function is bound to. Undefined for a function that is not bound. */
  readonly item: Item
  /** The arguments by name. An optional one that is absent is null. */
  readonly parameters: Parameters
}

/**
 * Computes the value of a function of the service for one item, as JSON. It runs for each item that a query looks at, so it
 * neither waits nor changes anything.
 */
export type QueryFunction<Item, Parameters, Result> = (call: QueryFunctionCall<Item, Parameters>) => Result

/** A query function whose types are not known. */
export type AnyQueryFunction = QueryFunction<unknown, Readonly<Record<string, unknown>>, unknown>

/** The function that a call in an expression names. */
export function functionNamed(name: string, functions: ServiceFunctions | undefined): ServiceFunction | undefined {
  if (functions === undefined) return undefined
  const key = Object.hasOwn(functions, name) ? name : name.slice(name.lastIndexOf('.') + 1)
  return Object.hasOwn(functions, key) ? functions[key] : undefined
}

/** The arguments of a call by position, by the names of the parameters. */
export function argumentsByName(
  { parameters }: FunctionSignature,
  given: readonly Expression[],
): ReadonlyMap<string, Expression> {
  const names = Object.keys(parameters)
  return new Map(given.flatMap((value, index) => (names[index] === undefined ? [] : [[names[index], value] as const])))
}

/** The parsed definition of a function. */
export function definitionOf(called: ServiceFunction): Expression | undefined {
  if (called.definition === undefined) return undefined
  const known = definitions.get(called) ?? parseFilter(called.definition)
  definitions.set(called, known)
  return known
}

const definitions = new WeakMap<ServiceFunction, Expression>()
