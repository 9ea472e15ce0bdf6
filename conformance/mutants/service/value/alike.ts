import { enumOf } from './read-value.js'
import { durationOf, instantOf, isDate, timeOf } from './temporal.js'
import type { Value } from './value.js'

/** Two operands as values of one type: a text beside a value of another type is read as one of that type. */
export function alike(left: Value, right: Value): readonly [Value, Value] {
  if (typeof left === 'string' && typeof right !== 'string') return [asTypeOf(left, right), right]
  if (typeof right === 'string' && typeof left !== 'string') return [left, asTypeOf(right, left)]
  if (isKind(left, 'date') && isKind(right, 'instant')) return [asTypeOf(`${left.text}T00:00:00Z`, right), right]
  if (isKind(left, 'instant') && isKind(right, 'date')) return [left, asTypeOf(`${right.text}T00:00:00Z`, left)]
  if (isKind(left, 'enum') && typeof right === 'number') return [left.number, right]
  if (typeof left === 'number' && isKind(right, 'enum')) return [left, right.number]
  return [left, right]
}

function asTypeOf(text: string, other: Value): Value {
  if (other === null) return text
  if (typeof other === 'number') return text.trim() === '' || Number.isNaN(Number(text)) ? null : Number(text)
  if (typeof other === 'boolean') return text === 'true' ? true : text === 'false' ? false : null
  if (typeof other === 'string') return text
  switch (other.kind) {
    case 'instant':
      return timed('instant', instantOf(text))
    case 'time':
      return timed('time', timeOf(text))
    case 'duration':
      return timed('duration', durationOf(text))
    case 'date':
      return isDate(text) ? { kind: 'date', text } : null
    case 'guid':
      return { kind: 'guid', text: text.toLowerCase() }
    case 'binary':
      return { kind: 'binary', text }
    case 'enum':
      return enumOf(text, other.type) ?? null
    default:
      return text
  }
}

function timed(kind: 'instant' | 'time' | 'duration', nanos: bigint | undefined): Value {
  return nanos === undefined ? null : { kind, nanos }
}

function isKind<Kind extends string>(value: Value, kind: Kind): value is Extract<Value, { readonly kind: Kind }> {
  return typeof value === 'object' && value !== null && value.kind === kind
}
