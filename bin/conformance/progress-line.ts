import type { Progress } from '../../conformance/index.js'

/** How far a run has come, in one line. */
export function progressLine(progress: Progress): string {
  const { phase, rulesExercised, rules, requests, requestLimit, violations, left } = progress
  const parts = [phase.padEnd(9), `${requests}/${requestLimit} requests`]
  if (rules > 0) parts.push(`${rulesExercised}/${rules} rules`)
  if (violations > 0) parts.push(`${violations} failing`)
  if (left !== undefined && left >= 1) parts.push(`about ${Math.ceil(left)} s left`)
  return parts.join('  ')
}
