import type { PreferenceInfo } from '../service-table.js'
import { isToken, splitUnquoted, unquote } from './media-type.js'

/** One preference of a request. */
interface Preference {
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

/** Values of the preferences that an endpoint knows, by name without vendor prefix; defaults filled in. */
export type PreferenceValues = Readonly<Record<string, string | undefined>>

/** The `Prefer` field of a request, held against what its endpoint honours. */
export interface Preferences {
  readonly values: PreferenceValues
  /** `return=minimal` or `return=representation`. */
  readonly return: 'minimal' | 'representation' | undefined
  /** A page no longer than this. */
  readonly maxPageSize: number | undefined
  /** Those of `values` that the request gave, for `Preference-Applied`. */
  readonly applied: readonly string[]
}

const noneGiven: ReadonlyMap<string, Preference> = new Map()

/**
 * Reads the preferences that an endpoint honours; all others are ignored.
 *
 * @see RFC 7240, 2 and 4.2; OData Protocol 4.01, 8.2.8
 */
export function readPreferences(field: string | null, known: readonly PreferenceInfo[]): Preferences {
  const given = field === null ? noneGiven : parsePrefer(field)
  const values: Record<string, string | undefined> = Object.create(null)
  const applied: string[] = []
  for (const info of known) {
    const preference = given.get(info.name.toLowerCase())
    const wanted = preference?.value.toLowerCase()
    const value = info.values.find(candidate => candidate.toLowerCase() === wanted)
    if (value === undefined || preference === undefined) {
      if (info.default !== undefined) values[info.name] = info.default
    } else {
      values[info.name] = value
      applied.push(`${preference.name}="${value}"`)
    }
  }
  const wantedReturn = given.get('return')?.value.toLowerCase()
  return {
    values,
    applied,
    return: wantedReturn === 'minimal' || wantedReturn === 'representation' ? wantedReturn : undefined,
    maxPageSize: positiveInteger(given.get('maxpagesize')?.value),
  }
}

function positiveInteger(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}
