import type { Expression, PathExpression } from '../../../../runtime/query/index.js'
import type { NavigationProperty, Property, StructuredType } from '../../../../spec/language/index.js'
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
    case 'path':
      return endsInInteger(node, env)
    default:
      return false
  }
}

/** Whether the last step of a path is a property of whole numbers, or a count. */
function endsInInteger({ root, segments }: PathExpression, env: Environment): boolean {
  const start = root?.kind === 'variable' ? env.variables.get(root.name) : env.it
  let type: StructuredType | undefined = typeof start === 'object' && start?.kind === 'object' ? start.type : undefined
  let isInteger = false
  for (const segment of segments) {
    if (segment.kind === 'count') return true
    if (segment.kind !== 'property') continue
    const property: Property | undefined = type?.properties.find(({ name }) => name === segment.name)
    const relation: NavigationProperty | undefined = type?.navigation.find(({ name }) => name === segment.name)
    isInteger = property?.type.kind === 'primitive' && integerTypes.has(property.type.name)
    type = relation?.type ?? (property?.type.kind === 'complexType' ? property.type : undefined)
  }
  return isInteger
}
