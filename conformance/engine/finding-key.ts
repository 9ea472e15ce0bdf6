import type { Area } from '../rule/rule.js'
import type { Finding } from '../rule/verdict.js'

/** What findings of one fault have in common. */
export function findingKey(area: Area, { features }: Finding): string {
  return `${isOfErrors(features) ? 'errors' : area}: ${[...new Set(features)].sort().join(' ')}`
}

/** How a service tells of an error is one matter, whatever was asked; that it tells of none is a matter of what was. */
function isOfErrors(features: readonly string[]): boolean {
  return features.some(feature => feature.startsWith('error.')) && !features.includes('accepted')
}
