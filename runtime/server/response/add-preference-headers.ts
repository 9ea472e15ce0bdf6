import type { Exchange } from '../exchange.js'

/**
 * Adds the header that tells which preferences were honoured, where there were any; and, where one decides what a body
 * looks like or how long a page is, the one that tells caches so, whether this request had a preference or not.
 *
 * @see RFC 7240, 2 (Vary) and 3 (Preference-Applied)
 */
export function addPreferenceHeaders(headers: Record<string, string>, { preferences, compiled }: Exchange): void {
  const { kind, query } = compiled.route
  const isPaged = (kind === 'collection' || kind === 'delta') && query !== undefined
  if (isPaged || compiled.preferences.length > 0) headers['vary'] = 'Prefer'
  const writes = kind === 'create' || kind === 'update' || kind === 'replace'
  const ofReturn = writes && preferences.return !== undefined
  const ofSize = isPaged && preferences.maxPageSize !== undefined
  if (preferences.applied.length === 0 && !ofReturn && !ofSize) return
  const applied = [...preferences.applied]
  if (ofReturn) applied.push(`return=${preferences.return}`)
  if (ofSize) applied.push(`maxpagesize=${preferences.maxPageSize}`)
  headers['preference-applied'] = applied.join(', ')
}
