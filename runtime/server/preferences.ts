import { type Preference, parsePrefer } from './http/prefer.js'
import type { PreferenceInfo } from './service-table.js'

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
