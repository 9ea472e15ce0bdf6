import type { BinaryExpression, Expression } from '../../../../runtime/query/index.js'
import { literalValue } from '../value/literal-value.js'
import { type Truth, truthOf, type Value } from '../value/value.js'
import type { Environment } from './environment.js'
import { followPath } from './follow-path.js'
import { isIntegral } from './is-integral.js'

/** The value of an expression; a condition is true, false or null, which is unknown. */
export function evaluate(node: Expression, env: Environment): Value {
  const { behaviour } = env.at
  switch (node.kind) {
    case 'literal':
      return literalValue(node)
    case 'path':
      return followPath(node, env)
    case 'unary': {
      const operand = evaluate(node.operand, env)
      if (node.operator === 'not') return behaviour.negate(truthOf(operand), node.operand)
      return typeof operand === 'number' ? -operand : null
    }
    case 'binary':
      return evaluateBinary(node, env)
    case 'call': {
      const values = node.arguments.map(argument => evaluate(argument, env))
      return behaviour.call(node.function, values, node.arguments, env)
    }
    case 'lambda': {
      const collection = followPath(node.collection, env)
      const items = typeof collection === 'object' && collection?.kind === 'collection' ? collection.items : []
      return behaviour.lambda(node, items, item => testItem(node.variable, node.predicate, item, env), env)
    }
    case 'list':
      return { kind: 'collection', items: node.items.map(item => evaluate(item, env)) }
    case 'alias':
      return evaluateAlias(node.name, env)
    default:
      return null
  }
}

function evaluateBinary(node: BinaryExpression, env: Environment): Value {
  const { behaviour } = env.at
  if (node.operator === 'and' || node.operator === 'or') {
    const left = truthOf(evaluate(node.left, env))
    return behaviour.combine(node.operator, left, () => truthOf(evaluate(node.right, env)))
  }
  const left = evaluate(node.left, env)
  const right = evaluate(node.right, env)
  if (!['add', 'sub', 'mul', 'div', 'divby', 'mod'].includes(node.operator)) {
    return behaviour.compare(node, left, right, env)
  }
  if (typeof left !== 'number' || typeof right !== 'number') return null
  const integral = isIntegral(node.left, env) && isIntegral(node.right, env)
  return behaviour.calculate(node.operator, left, right, integral)
}

function testItem(name: string | undefined, predicate: Expression | undefined, item: Value, env: Environment): Truth {
  if (predicate === undefined) return true
  const variables = new Map(env.variables)
  if (name !== undefined) variables.set(name, item)
  return truthOf(evaluate(predicate, { ...env, variables }))
}

function evaluateAlias(name: string, env: Environment): Value {
  const argument = env.parameters.get(name)
  if (argument !== undefined) return argument
  const value = Object.hasOwn(env.aliases, name) ? env.aliases[name] : undefined
  return value === undefined ? null : evaluate(value, env)
}
