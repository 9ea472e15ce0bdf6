import { integerOf } from './rational.js'
import { mapped, type Possible } from './value.js'

/** Minutes ahead of UTC, where a service keeps what it was given; else it is in UTC throughout. */
export function offsetOf(value: Possible): Possible {
  return mapped(value, each => {
    if (each === null) return [null]
    if (typeof each === 'boolean' || each.kind !== 'instant') return 'unknown'
    return [...new Set([0, each.offset])].map(offset => ({
      kind: 'number' as const,
      value: integerOf(offset),
      isInteger: true,
      approximate: false,
    }))
  })
}
