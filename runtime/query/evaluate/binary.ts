import type { BinaryExpression, BinaryOperator } from '../ast.js'
import { EvaluationError } from '../evaluation-error.js'
import { evaluateArithmetic } from './arithmetic.js'
import { areEqual, compare } from './compare.js'
import type { Environment } from './environment.js'
import { evaluateExpression } from './expression.js'
import { evaluateHas } from './has.js'
import { truthOf } from './truth.js'
import { describeValue, type Value } from './value.js'

/** A binary operator. A chain that leans to the left is walked without recursion, since it may be long. */
export function evaluateBinary(expression: BinaryExpression, environment: Environment): Value {
  const chain: BinaryExpression[] = [expression]
  let first = expression.left
  while (first.kind === 'binary') {
    chain.push(first)
    first = first.left
  }
  let value = evaluateExpression(first, environment)
  for (let link = chain.pop(); link !== undefined; link = chain.pop()) value = applied(link, value, environment)
  return value
}

function applied({ operator, right }: BinaryExpression, left: Value, environment: Environment): Value {
  if (operator === 'and' || operator === 'or') {
    const decisive = operator === 'or'
    const truth = truthOf(left, operator)
    if (truth === decisive) return decisive
    const other = truthOf(evaluateExpression(right, environment), operator)
    return other === decisive ? decisive : truth === null || other === null ? null : !decisive
  }
  return operated(operator, left, evaluateExpression(right, environment), environment)
}

function operated(
  operator: Exclude<BinaryOperator, 'and' | 'or'>,
  left: Value,
  right: Value,
  environment: Environment,
): Value {
  const { types } = environment.options
  switch (operator) {
    case 'eq':
      return areEqual(left, right, types)
    case 'ne':
      return !areEqual(left, right, types)
    case 'gt':
      return left !== null && right !== null && compare(left, right, types) > 0
    case 'ge':
      return left !== null && right !== null && compare(left, right, types) >= 0
    case 'lt':
      return left !== null && right !== null && compare(left, right, types) < 0
    case 'le':
      return left !== null && right !== null && compare(left, right, types) <= 0
    case 'has':
      return evaluateHas(left, right, types)
    case 'in':
      return evaluateIn(left, right, environment)
    default:
      return left === null || right === null ? null : evaluateArithmetic(operator, left, right)
  }
}

/** Whether an item of the collection equals the left operand; null when there is no collection. */
function evaluateIn(left: Value, right: Value, { options }: Environment): Value {
  if (right === null) return null
  if (typeof right === 'boolean' || right.kind !== 'collection') {
    throw new EvaluationError(`\`in\` needs a collection on its right, not ${describeValue(right)}.`)
  }
  return right.items.some(item => areEqual(left, item, options.types))
}
