import type { Exchange } from '../exchange.js'

/**
 * The header that tells which preferences were honoured, empty without any; and, where one decides what a body looks like,
 * the one that tells caches so.
 *
 * @see RFC 7240, 2 (Vary) and 3 (Preference-Applied)
 */
export function preferenceApplied({ preferences, compiled }: Exchange): Readonly<Record<string, string>> {
  const { kind, query } = compiled.route
  const applied = [...preferences.applied]
  const writes = kind === 'create' || kind === 'update' || kind === 'replace'
  if (writes && preferences.return !== undefined) applied.push(`return=${preferences.return}`)
  if (kind === 'collection' && query !== undefined && preferences.maxPageSize !== undefined) {
    applied.push(`maxpagesize=${preferences.maxPageSize}`)
  }
  return {
    ...(compiled.preferences.length === 0 ? {} : { vary: 'Prefer' }),
    ...(applied.length === 0 ? {} : { 'preference-applied': applied.join(', ') }),
  }
}
