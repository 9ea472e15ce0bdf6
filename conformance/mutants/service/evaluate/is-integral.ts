import type { Expression } from '../../../../runtime/query/index.js'
import type { Environment } from './environment.js'

const integerTypes: ReadonlySet<string> = new Set(['Byte', 'SByte', 'Int16', 'Int32', 'Int64'])
const integerFunctions: ReadonlySet<string> = new Set([
  'length',
  'indexof',
  'year',
  'month',
  'day',
  'hour',
  'minute',
  'second',
])

/** Whether an operand is a whole number by its type: dividing such gives a whole number again. */
export function isIntegral(node: Expression, env: Environment): boolean {
  switch (node.kind) {
    case 'literal':
      return node.type === 'Integer'
    case 'unary':
      return isIntegral(node.operand, env)
    case 'binary':
      return node.operator !== 'divby' && isIntegral(node.left, env) && isIntegral(node.right, env)
    case 'call':
      return integerFunctions.has(node.function)
    case 'path': {
      const last = node.segments.at(-1)
      if (last?.kind === 'count') return true
      if (last?.kind !== 'property' || typeof env.it !== 'object' || env.it?.kind !== 'object') return false
      const type = env.it.type.properties.find(property => property.name === last.name)?.type
      return type?.kind === 'primitive' && integerTypes.has(type.name)
    }
    default:
      return false
  }
}
