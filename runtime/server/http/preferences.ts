import type { PreferenceInfo } from '../service-table.js'
import { isToken, splitUnquoted, unquote } from './message.js'

/** The preferences of a request that its endpoint honours. */
export interface Preferences {
  readonly values: PreferenceValues
  /** `return=minimal` or `return=representation`. */
  readonly return: 'minimal' | 'representation' | undefined
  readonly maxPageSize: number | undefined
  /** `omit-values=nulls` or `omit-values=defaults`. */
  readonly omitValues: 'nulls' | 'defaults' | undefined
  /** How the request spells these, `odata.maxpagesize`, for `Preference-Applied`. */
  readonly names: { readonly return: string; readonly maxPageSize: string; readonly omitValues: string }
  /** The preferences in `values` that the request contains, for `Preference-Applied`. */
  readonly applied: readonly string[]
}

/** The values of an endpoint's preferences, including defaults, by name without vendor prefix. */
export type PreferenceValues = Readonly<Record<string, string | undefined>>

/**
 * Reads the preferences that an endpoint honours. It ignores all others.
 *
 * @see RFC 7240, 2 and 4.2; OData Protocol 4.01, 8.2.8
 */
export function readPreferences(field: string | null, known: readonly PreferenceInfo[]): Preferences {
  const given = field === null ? noPreferences : parsePrefer(field)
  const values: Record<string, string | undefined> = Object.create(null)
  const applied: string[] = []
  for (const info of known) {
    const preference = given.get(info.name.toLowerCase())
    const requested = preference?.value.toLowerCase()
    const value = info.values.find(candidate => candidate.toLowerCase() === requested)
    if (value === undefined || preference === undefined) {
      if (info.default !== undefined) values[info.name] = info.default
    } else {
      values[info.name] = value
      applied.push(`${preference.name}="${value}"`)
    }
  }
  const omitted = given.get('omit-values')?.value.toLowerCase()
  const returnPreference = given.get('return')?.value.toLowerCase()
  return {
    values,
    applied,
    return: returnPreference === 'minimal' || returnPreference === 'representation' ? returnPreference : undefined,
    maxPageSize: positiveInteger(given.get('maxpagesize')?.value),
    omitValues: omitted === 'nulls' || omitted === 'defaults' ? omitted : undefined,
    names: {
      return: given.get('return')?.name ?? 'return',
      maxPageSize: given.get('maxpagesize')?.name ?? 'maxpagesize',
      omitValues: given.get('omit-values')?.name ?? 'omit-values',
    },
  }
}

const noPreferences: ReadonlyMap<string, Preference> = new Map()

function positiveInteger(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}

interface Preference {
  /** As in the request, `outlook.body-content-type`. */
  readonly name: string
  /** Empty if the preference has no value. */
  readonly value: string
}

/**
 * Parses a `Prefer` field. The first of several equal names counts. Malformed preferences are ignored, because a
 * preference must not cause an error.
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

/** Vendor prefixes are optional: `odata.maxpagesize` is the same preference as `maxpagesize`. */
function withoutPrefix(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}
