import type { BinaryExpression } from '../../../../runtime/query/index.js'
import { alike } from '../value/alike.js'
import { compareValues, equalValues } from '../value/compare-values.js'
import type { Truth, Value } from '../value/value.js'
import type { Environment } from './environment.js'
import { isNothing } from './is-nothing.js'

/** What a comparison comes to. @see OData URL Conventions 4.01, 5.1.1.1 */
export function compare(node: BinaryExpression, left: Value, right: Value, env: Environment): Truth {
  const { choices } = env.at.behaviour
  if (node.operator === 'in') return isIn(left, right, env)
  if (node.operator === 'has') return hasFlags(left, right)
  const [a, b] = alike(left, right)
  const isNullAsked = isNothing(node.right, b, env) || isNothing(node.left, a, env)
  if (node.operator === 'eq' || node.operator === 'ne') {
    const isUnknown = (a === null || b === null) && !isNullAsked && choices['nullEquality'] === 'threeValued'
    if (isUnknown) return null
    const equal = equalValues(emptied(a, env), emptied(b, env), choices)
    return node.operator === 'eq' ? equal : !equal
  }
  const order = a === null || b === null ? undefined : compareValues(a, b, choices)
  if (order === undefined) return choices['nullRelational'] === 'threeValued' ? null : false
  return relations[node.operator]?.(order) ?? null
}

function isIn(left: Value, right: Value, env: Environment): Truth {
  if (typeof right !== 'object' || right?.kind !== 'collection') return null
  const { choices } = env.at.behaviour
  if (left === null && choices['nullEquality'] === 'threeValued') return null
  return right.items.some(item => {
    const [a, b] = alike(left, item)
    return equalValues(a, b, choices)
  })
}

function hasFlags(left: Value, right: Value): Truth {
  const [a, b] = alike(left, right)
  if (typeof a !== 'object' || a?.kind !== 'enum') return null
  const wanted = typeof b === 'object' && b?.kind === 'enum' ? b.number : b
  return typeof wanted === 'number' ? (a.number & wanted) === wanted : null
}

function emptied(value: Value, env: Environment): Value {
  return value === '' && env.at.behaviour.choices['emptyString'] === 'null' ? null : value
}

const relations: Readonly<Partial<Record<string, (order: number) => boolean>>> = {
  gt: order => order > 0,
  ge: order => order >= 0,
  lt: order => order < 0,
  le: order => order <= 0,
}
