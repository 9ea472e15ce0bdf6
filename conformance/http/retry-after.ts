/**
 * Milliseconds that a service asks to wait, from seconds or a date; absent when it does not say.
 *
 * @see RFC 9110, 10.2.3 (Retry-After)
 */
export function retryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined
  if (/^\s*\d{1,9}\s*$/.test(value)) return Number(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
