import { isToken, splitUnquoted, unquote } from './media-type.js'

/** One preference of a request. */
export interface Preference {
  /** As it was written, `outlook.body-content-type`. */
  readonly name: string
  /** Empty when it was given without one. */
  readonly value: string
}

/**
 * Reads a `Prefer` field: the first of equal names counts, and what cannot be read is left out, since a preference is
 * never a reason to refuse.
 *
 * @see RFC 7240, 2
 */
export function parsePrefer(field: string | null): ReadonlyMap<string, Preference> {
  const preferences = new Map<string, Preference>()
  if (field === null) return preferences
  for (const part of splitUnquoted(field, ',')) {
    const [first = ''] = splitUnquoted(part, ';')
    const equals = first.indexOf('=')
    const name = (equals < 0 ? first : first.slice(0, equals)).trim()
    if (!isToken(name)) continue
    const value = equals < 0 ? '' : unquote(first.slice(equals + 1).trim())
    const key = withoutPrefix(name).toLowerCase()
    if (!preferences.has(key)) preferences.set(key, { name, value })
  }
  return preferences
}

/** `outlook.body-content-type` and `odata.maxpagesize` are the same preferences without their vendor's prefix. */
function withoutPrefix(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}
