import type { UnaryExpression } from '../ast.js'
import { isPrimary } from './binary.js'
import { printExpression, printGroup } from './expression.js'
import { type Place, within } from './place.js'

/** `not (x)` or `-x`. Servers disagree about how far a bare `not` reaches, so its operand is put in parentheses. */
export function printUnary({ operator, operand }: UnaryExpression, place: Place): string {
  const inner = within(place)
  const mayStandBare = isPrimary(operand) || operand.kind === 'unary'
  if (operator === 'not') {
    const bare = place.parentheses === 'fewest' && mayStandBare
    return `not ${bare ? printExpression(operand, inner) : printGroup(operand, inner)}`
  }
  if (!mayStandBare) return `-${printGroup(operand, inner)}`
  if (place.parentheses === 'fewest') return printBareNegation(printExpression(operand, inner))
  const text = operand.kind === 'literal' || operand.kind === 'unary' ? undefined : printExpression(operand, inner)
  return text === undefined || joinsMinus(text) ? `-${printGroup(operand, inner)}` : `-${text}`
}

function printBareNegation(operand: string): string {
  return joinsMinus(operand) ? `- ${operand}` : `-${operand}`
}

/** Whether a minus directly before the text would become part of a literal. */
function joinsMinus(text: string): boolean {
  return /^(?:[0-9]|INF)/.test(text)
}
