import type { FunctionCall } from '../ast.js'
import { EvaluationError } from '../evaluation-error.js'
import type { Environment } from './environment.js'
import { evaluateExpression } from './expression.js'
import { caseFunction } from './functions/case.js'
import { castFunction, isofFunction } from './functions/cast.js'
import { clockFunctions } from './functions/clock.js'
import { collectionFunctions } from './functions/collection.js'
import { dateTimeFunctions } from './functions/date-time.js'
import type { CanonicalFunction } from './functions/function.js'
import { geoFunctions } from './functions/geo.js'
import { roundingFunctions } from './functions/rounding.js'
import { sequenceFunctions } from './functions/sequence.js'
import { textFunctions } from './functions/text.js'
import type { Present, Value } from './value.js'

let functions: ReadonlyMap<string, CanonicalFunction> | undefined

/** Made at first need, so that a bundler can leave the functions out where nothing is evaluated. */
function functionNamed(name: string): CanonicalFunction | undefined {
  functions ??= new Map([
    ...Object.entries(sequenceFunctions),
    ...Object.entries(collectionFunctions),
    ...Object.entries(textFunctions),
    ...Object.entries(dateTimeFunctions),
    ...Object.entries(roundingFunctions),
    ...Object.entries(geoFunctions),
  ])
  return functions.get(name)
}

/**
 * The value of a canonical function; null when an argument is null. Functions of the service's own have no value here.
 *
 * @throws {EvaluationError}
 * @see OData 4.01 URL Conventions, 5.1.1.4
 */
export function evaluateCall(call: FunctionCall, environment: Environment): Value {
  const { function: name, arguments: expressions } = call
  switch (name) {
    case 'case':
      return caseFunction(expressions, environment)
    case 'cast':
      return castFunction(expressions, environment)
    case 'isof':
      return isofFunction(expressions, environment)
    case 'now':
    case 'mindatetime':
    case 'maxdatetime':
      return clockFunctions[name](environment)
    default: {
      const implementation = functionNamed(name)
      if (implementation === undefined) throw new EvaluationError(`Only a service can evaluate the function ${name}.`)
      const values = expressions.map(expression => evaluateExpression(expression, environment))
      return values.every(isPresent) ? implementation(values, environment.options.types) : null
    }
  }
}

function isPresent(value: Value): value is Present {
  return value !== null
}
