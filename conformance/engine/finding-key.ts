import type { Area } from '../rule/rule.js'
import type { Finding } from '../rule/verdict.js'

/** What findings of one fault have in common. */
export function findingKey(area: Area, { features }: Finding): string {
  return `${area}: ${[...new Set(features)].sort().join(' ')}`
}
