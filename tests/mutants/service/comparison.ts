import type { BinaryExpression, Expression } from '../../../runtime/query/index.js'
import type { Environment } from './behaviour.js'
import { coerceOperands, type Truth, type Value } from './values.js'

/** Evaluates a comparison. @see OData URL Conventions 4.01, 5.1.1.1 */
export function compare(node: BinaryExpression, left: Value, right: Value, env: Environment): Truth {
  const { choices } = env.at.behaviour
  if (node.operator === 'in') return isIn(left, right, env)
  if (node.operator === 'has') return hasFlags(left, right)
  const [a, b] = coerceOperands(left, right)
  const isNullAsked = isNullLiteral(node.right, b, env) || isNullLiteral(node.left, a, env)
  if (node.operator === 'eq' || node.operator === 'ne') {
    const isUnknown = (a === null || b === null) && !isNullAsked && choices['nullEquality'] === 'threeValued'
    if (isUnknown) return null
    const equal = equalValues(emptyAsNull(a, env), emptyAsNull(b, env), choices)
    return node.operator === 'eq' ? equal : !equal
  }
  const order = a === null || b === null ? undefined : compareValues(a, b, choices)
  if (order === undefined) return choices['nullRelational'] === 'threeValued' ? null : false
  return relationalOperators[node.operator]?.(order) ?? null
}

function isIn(left: Value, right: Value, env: Environment): Truth {
  if (typeof right !== 'object' || right?.kind !== 'collection') return null
  const { choices } = env.at.behaviour
  if (left === null && choices['nullEquality'] === 'threeValued') return null
  return right.items.some(item => {
    const [a, b] = coerceOperands(left, item)
    return equalValues(a, b, choices)
  })
}

function hasFlags(left: Value, right: Value): Truth {
  const [a, b] = coerceOperands(left, right)
  if (typeof a !== 'object' || a?.kind !== 'enum') return null
  const flags = typeof b === 'object' && b?.kind === 'enum' ? b.number : b
  return typeof flags === 'number' ? (a.number & flags) === flags : null
}

function emptyAsNull(value: Value, env: Environment): Value {
  return value === '' && env.at.behaviour.choices['emptyString'] === 'null' ? null : value
}

const relationalOperators: Readonly<Partial<Record<string, (order: number) => boolean>>> = {
  gt: order => order > 0,
  ge: order => order >= 0,
  lt: order => order < 0,
  le: order => order <= 0,
}

/** Whether an operand is the literal null. `eq` and `ne` with it test for null, so the result is never unknown. */
function isNullLiteral(node: Expression, value: Value, env: Environment): boolean {
  if (node.kind !== 'literal') return false
  return value === null || (value === '' && env.at.behaviour.choices['emptyString'] === 'null')
}

type Choices = Readonly<Record<string, string | number>>

/** Whether two values are equal. Null equals only null. */
function equalValues(left: Value, right: Value, choices: Choices): boolean {
  if (left === null || right === null) return left === right
  return compareValues(left, right, choices) === 0
}

/** Negative if `left` comes first. Undefined if the values are not comparable. */
export function compareValues(left: Value, right: Value, choices: Choices): number | undefined {
  if (typeof left === 'string' && typeof right === 'string') {
    const folding = foldingOf(choices)
    return byCodePoint(fold(left, folding), fold(right, folding))
  }
  if (typeof left === 'number' && typeof right === 'number') return left - right
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right)
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return undefined
  return compareTagged(left, right, choices)
}

/** How strings are normalized before they are compared. */
export function foldingOf(choices: Choices, letterCase = choices['stringComparison'] === 'caseInsensitive'): Folding {
  return {
    letterCase,
    accents: choices['accents'] === 'folded',
    trailingSpaces: choices['trailingSpaces'] === 'folded',
    normalization: choices['normalization'] === 'folded',
  }
}

type Tagged = Extract<Value, { readonly kind: string }>

function compareTagged(left: Tagged, right: Tagged, choices: Choices): number | undefined {
  if (left.kind === 'enum' && right.kind === 'enum') {
    if (choices['enumOrder'] === 'name') return byCodePoint(left.text, right.text)
    return left.number - right.number
  }
  if ('nanos' in left && 'nanos' in right && left.kind === right.kind) {
    return left.nanos < right.nanos ? -1 : left.nanos > right.nanos ? 1 : 0
  }
  if ('text' in left && 'text' in right && left.kind === right.kind) return byCodePoint(left.text, right.text)
  if (left.kind === 'object' && right.kind === 'object') {
    return left.values === right.values ? 0 : undefined
  }
  return undefined
}

/** Compares strings by Unicode code point. */
export function byCodePoint(left: string, right: string): number {
  const a = [...left]
  const b = [...right]
  for (let index = 0; index < a.length && index < b.length; index++) {
    const difference = (a[index]?.codePointAt(0) ?? 0) - (b[index]?.codePointAt(0) ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** How to normalize strings before comparing them. */
interface Folding {
  readonly letterCase: boolean
  readonly accents: boolean
  readonly trailingSpaces: boolean
  readonly normalization: boolean
}

/** Normalizes a string. */
export function fold(text: string, folding: Folding): string {
  let folded = text
  if (folding.accents) folded = folded.normalize('NFD').replaceAll(/\p{M}/gu, '')
  if (folding.normalization) folded = folded.normalize('NFC')
  if (folding.letterCase) folded = folded.toLowerCase()
  if (folding.trailingSpaces) while (folded.endsWith(' ')) folded = folded.slice(0, -1)
  return folded
}
