import type { Expression } from './filter.js'
import { type FormatsByName, type LiteralFormat, literal } from './path.js'

/** The arguments of a function: values, or expressions on the same item. */
type FunctionArguments<Parameters> = {
  readonly [Name in keyof Parameters]: Parameters[Name] | Expression<Parameters[Name]>
}

/** Optional if no parameter is required. */
type GivenArguments<Parameters> = object extends Parameters
  ? [parameters?: FunctionArguments<Parameters>]
  : [parameters: FunctionArguments<Parameters>]

/**
 * A function of the service that is bound to an item, in a filter: `isOverdue('$it', { on: '2024-01-31' })`. The path leads to
 * the item: `$it` is the item that is filtered, `author` a related one, and `x` the item of a lambda.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.15 (path expressions)
 */
export type BoundFunction<Parameters, Result> = (
  path: string,
  ...parameters: GivenArguments<Parameters>
) => Expression<Result>

/** A function of the service that is not bound, in a filter. */
export type UnboundFunction<Parameters, Result> = (...parameters: GivenArguments<Parameters>) => Expression<Result>

/** Creates a function by its qualified name. `formats` says how to write each parameter that is a string. */
export const boundFunction =
  <Parameters, Result>(name: string, formats: FormatsByName): BoundFunction<Parameters, Result> =>
  (path, ...parameters) => ({ text: `${path}/${name}${argumentsText(parameters, formats)}` })

/** Creates a function that is not bound. */
export const unboundFunction =
  <Parameters, Result>(name: string, formats: FormatsByName): UnboundFunction<Parameters, Result> =>
  (...parameters) => ({ text: name + argumentsText(parameters, formats) })

const argumentsText = ([given]: readonly unknown[], formats: FormatsByName): string => {
  const values = Object.entries(given ?? {}).filter(([, value]) => value !== undefined)
  return `(${values.map(([name, value]) => `${name}=${argumentValue(value, formats[name])}`).join()})`
}

const argumentValue = (value: unknown, format: LiteralFormat | undefined): string =>
  isArgumentExpression(value) ? value.text : literal(value, format)

const isArgumentExpression = (value: unknown): value is Expression<unknown> =>
  typeof value === 'object' && value !== null && 'text' in value
