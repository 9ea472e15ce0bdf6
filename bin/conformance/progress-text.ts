import type { Progress } from '../../conformance/index.js'

/** How far a run has come, in one line; where there is little room, without what matters least. */
export function progressText(progress: Progress, columns: number): string {
  const { phase, rulesExercised, rules, requests, requestLimit, violations, left } = progress
  const asked = `${requests}/${requestLimit} requests`
  const failing = violations > 0 ? [`${violations} failing`] : []
  const exercised = rules > 0 ? [`${rulesExercised}/${rules} rules`] : []
  const rest = left !== undefined && left >= 1 ? [`${Math.ceil(left)} s left`] : []
  const whole = [phase.padEnd(9), asked, ...exercised, ...failing, ...rest.map(text => `about ${text}`)].join('  ')
  if (whole.length < columns) return whole
  return [phase, ...failing, ...(exercised.length === 0 ? [asked] : exercised), ...rest].join('  ')
}
