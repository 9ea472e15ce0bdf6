import type { Row } from '../json.js'
import type { Rational } from './rational.js'

/** What an operand stands for. */
export type Value =
  | null
  | boolean
  | { readonly kind: 'text'; readonly text: string }
  /** `approximate`: binary fractions or rounding had a part in it, so that close numbers may be equal or not. */
  | { readonly kind: 'number'; readonly value: Rational; readonly isInteger: boolean; readonly approximate: boolean }
  | { readonly kind: 'guid'; readonly text: string }
  | { readonly kind: 'date'; readonly days: number }
  /** Somewhere from `from` to `to`, both included; a service may keep moments finer than it shows them. */
  | { readonly kind: 'instant'; readonly from: bigint; readonly to: bigint; readonly offset: number }
  | { readonly kind: 'time'; readonly ticks: bigint }
  | { readonly kind: 'duration'; readonly ticks: bigint }
  /** `number` is absent when a member is not declared. */
  | { readonly kind: 'enum'; readonly type: string; readonly text: string; readonly number?: bigint }
  /** Binary and geo values: only equal or not. */
  | { readonly kind: 'opaque'; readonly text: string }
  | { readonly kind: 'items'; readonly items: readonly Possible[] }
  | { readonly kind: 'item'; readonly row: Row; readonly type: string | undefined }

/** The values that an operand may stand for; `unknown` when nothing is known. */
export type Possible = readonly Value[] | 'unknown'

const mostPossibilities = 12

/** What comes of applying a function to every combination of the possible values of two operands. */
export function combined(left: Possible, right: Possible, apply: (left: Value, right: Value) => Possible): Possible {
  if (left === 'unknown' || right === 'unknown') return 'unknown'
  const [a, b] = [left[0], right[0]]
  if (left.length === 1 && right.length === 1 && a !== undefined && b !== undefined) return apply(a, b)
  const found: Value[] = []
  for (const a of left) {
    for (const b of right) {
      const values = apply(a, b)
      if (values === 'unknown') return 'unknown'
      for (const value of values) if (!found.includes(value)) found.push(value)
      if (found.length > mostPossibilities) return 'unknown'
    }
  }
  return found
}

const none: Possible = [null]

/** What comes of applying a function to each possible value. */
export function mapped(values: Possible, apply: (value: Value) => Possible): Possible {
  return combined(values, none, value => apply(value))
}
