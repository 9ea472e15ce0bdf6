import type { LambdaExpression } from '../ast.js'
import { PrintError } from '../print-error.js'
import { printExpression } from './expression.js'
import { printIdentifier } from './names.js'
import { printCollectionPath } from './path.js'
import { type Place, within } from './place.js'

/** `collection/any(x:predicate)`, or `collection/any()`. */
export function printLambda({ operator, collection, variable, predicate }: LambdaExpression, place: Place): string {
  const path = printCollectionPath(collection, place)
  const inner = within(place)
  if (variable === undefined && predicate === undefined && operator === 'any') return `${path}/any()`
  if (variable === undefined || predicate === undefined) {
    throw new PrintError(`\`${operator}\` needs both a variable and a predicate.`)
  }
  const scope = { variable: printIdentifier(variable), outer: place.scope }
  return `${path}/${operator}(${variable}:${printExpression(predicate, { ...inner, scope })})`
}
