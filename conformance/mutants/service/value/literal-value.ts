import type { Literal } from '../../../../runtime/query/index.js'
import { durationOf, instantOf, timeOf } from './temporal.js'
import type { Value } from './value.js'

/** What a literal of a query stands for. One of an enumeration stays text: what it is compared with tells its type. */
export function literalValue(literal: Literal): Value {
  switch (literal.type) {
    case 'null':
      return null
    case 'Boolean':
      return literal.value
    case 'Integer':
    case 'Decimal':
    case 'Double':
      return literal.value === 'INF' ? Number.POSITIVE_INFINITY : Number(literal.value.replace('INF', 'Infinity'))
    case 'Guid':
      return { kind: 'guid', text: literal.value.toLowerCase() }
    case 'Date':
      return { kind: 'date', text: literal.value }
    case 'DateTimeOffset':
      return { kind: 'instant', nanos: instantOf(literal.value) ?? 0n }
    case 'TimeOfDay':
      return { kind: 'time', nanos: timeOf(literal.value) ?? 0n }
    case 'Duration':
      return { kind: 'duration', nanos: durationOf(literal.value) ?? 0n }
    case 'Binary':
      return { kind: 'binary', text: literal.value }
    default:
      return literal.value
  }
}
