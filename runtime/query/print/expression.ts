import type { Expression } from '../ast.js'
import { PrintError } from '../print-error.js'
import { printBinary } from './binary.js'
import { printCall } from './call.js'
import { printJsonArray, printJsonObject } from './json.js'
import { printLambda } from './lambda.js'
import { printLiteral } from './literal.js'
import { printIdentifier } from './names.js'
import { printPath } from './path.js'
import { type Place, within } from './place.js'
import { printUnary } from './unary.js'

/** An expression that needs no parentheses where it stands. */
export function printExpression(expression: Expression, place: Place): string {
  switch (expression.kind) {
    case 'literal':
      return printLiteral(expression)
    case 'path':
      return printPath(expression, place)
    case 'unary':
      return printUnary(expression, place)
    case 'binary':
      return printBinary(expression, place)
    case 'call':
      return printCall(expression, place)
    case 'lambda':
      return printLambda(expression, place)
    case 'list':
      if (expression.form === 'json') return printJsonArray(expression, place)
      throw new PrintError('A list in parentheses can only stand behind `in`.')
    case 'object':
      return printJsonObject(expression, place)
    case 'alias':
      return `@${printIdentifier(expression.name)}`
    case 'type':
      throw new PrintError('A type can only stand in `cast` and `isof`.')
  }
}

/** The expression in parentheses. */
export function printGroup(expression: Expression, place: Place): string {
  return `(${printExpression(expression, within(place))})`
}
