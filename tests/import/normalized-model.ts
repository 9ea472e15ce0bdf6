import type { Service } from '../../spec/language/index.js'

/**
 * The model of a service as plain data that can be compared: without places, members by name, and a number where something
 * stands that was met before, since types refer to each other in circles.
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
