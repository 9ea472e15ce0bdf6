import type { BinaryExpression, BinaryOperator, Expression } from '../ast.js'
import { operatorPrecedence } from '../operator-precedence.js'
import { printExpression, printGroup } from './expression.js'
import { printLiteralList } from './list.js'
import type { Place } from './place.js'

type Class = 'logical' | 'comparison' | 'arithmetic'

function classOf(operator: BinaryOperator): Class {
  if (operatorPrecedence[operator] <= operatorPrecedence.and) return 'logical'
  const isArithmetic =
    operatorPrecedence[operator] >= operatorPrecedence.add && operatorPrecedence[operator] <= operatorPrecedence.mod
  return isArithmetic ? 'arithmetic' : 'comparison'
}

/** `left operator right`. A chain of equally strong operators is printed without recursion, since it may be long. */
export function printBinary(expression: BinaryExpression, place: Place): string {
  const chain: BinaryExpression[] = [expression]
  let first = expression.left
  while (first.kind === 'binary' && operatorPrecedence[first.operator] === operatorPrecedence[expression.operator]) {
    chain.push(first)
    first = first.left
  }
  const parts = [printOperand(first, expression.operator, place)]
  for (let index = chain.length - 1; index >= 0; index -= 1) {
    const link = chain[index]
    if (link !== undefined) parts.push(` ${link.operator} ${printRight(link, place)}`)
  }
  return parts.join('')
}

function printRight({ operator, right }: BinaryExpression, place: Place): string {
  if (operator === 'in' && right.kind === 'list' && right.form === 'parentheses') return printLiteralList(right, place)
  const groups = right.kind === 'binary' && operatorPrecedence[right.operator] <= operatorPrecedence[operator]
  return groups ? printGroup(right, place) : printOperand(right, operator, place)
}

function printOperand(operand: Expression, operator: BinaryOperator, place: Place): string {
  return needsGroup(operand, operator, place) ? printGroup(operand, place) : printExpression(operand, place)
}

/** The order of precedence is beyond doubt only between arithmetic, comparisons and `and`/`or`, and for chains. */
function needsGroup(operand: Expression, operator: BinaryOperator, place: Place): boolean {
  if (operand.kind === 'unary')
    return place.parentheses === 'cautious' || operatorPrecedence[operator] === operatorPrecedence.in
  if (operand.kind !== 'binary') return false
  if (operatorPrecedence[operand.operator] <= operatorPrecedence[operator]) return true
  if (place.parentheses === 'fewest') return false
  const inner = classOf(operand.operator)
  const outer = classOf(operator)
  return inner === outer || (inner === 'comparison' && outer === 'arithmetic')
}

/** Whether an expression is one operand to the operators `-`, `not`, `has` and `in`. */
export function isPrimary(expression: Expression): boolean {
  if (expression.kind === 'binary') return operatorPrecedence[expression.operator] === operatorPrecedence.in
  return expression.kind !== 'unary'
}
