import type { Service } from '../../spec/language/index.js'

/**
 * The model of a service as plain data for comparison: without locations, with members sorted by name, and with a number in place of a
 * repeated object, because types refer to each other in cycles.
 */
export function normalizedModel(service: Service): unknown {
  const known = new Map<object, number>()
  const plain = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const before = known.get(value)
    if (before !== undefined) return `what is number ${before}`
    known.set(value, known.size)
    if (value instanceof Map) return ['map', ...[...value].map(plain)]
    if (Array.isArray(value)) return value.map(plain)
    const members = Object.entries(value).filter(([key, member]) => key !== 'place' && member !== undefined)
    return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, member]) => [key, plain(member)]))
  }
  return plain(service)
}
