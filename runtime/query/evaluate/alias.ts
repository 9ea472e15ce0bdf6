import { EvaluationError } from '../evaluation-error.js'
import type { Environment } from './environment.js'
import { evaluateExpression } from './expression.js'
import type { Value } from './value.js'

/** The value of `@name`, worked out once a row. An alias that was not given is null. @see OData 4.01 Protocol, 11.2.5.1.3 */
export function evaluateAlias(name: string, environment: Environment): Value {
  const { aliases } = environment.options
  const expression = aliases !== undefined && Object.hasOwn(aliases, name) ? aliases[name] : undefined
  if (expression === undefined) return null
  const known = environment.aliasValues.get(name)
  if (known !== undefined) return known
  if (environment.openAliases.has(name)) throw new EvaluationError(`The alias @${name} stands for itself.`)
  const openAliases = new Set(environment.openAliases).add(name)
  const value = evaluateExpression(expression, { ...environment, openAliases, bindings: undefined })
  environment.aliasValues.set(name, value)
  return value
}
