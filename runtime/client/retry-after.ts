/**
 * Milliseconds that a `Retry-After` asks for, told in seconds or as a date; undefined when it is absent or malformed.
 *
 * @see RFC 9110, 10.2.3
 */
export const retryAfter = (header: string | null, now: number): number | undefined => {
  if (header === null) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
