import { byCodePoint, type Folding, fold } from './text.js'
import type { Value } from './value.js'

type Choices = Readonly<Record<string, string | number>>

/** Whether two values are equal; null equals null only. */
export function equalValues(left: Value, right: Value, choices: Choices): boolean {
  if (left === null || right === null) return left === right
  return compareValues(left, right, choices) === 0
}

/** Less than 0 when `left` comes first; undefined when the two have no order. */
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

/** How strings are folded before they are compared. */
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
