import type { Redact } from './redactor-of.js'

/** What this package and the spec say, and no service: it stays as it is, whatever words the secrets are. */
const ours: ReadonlySet<string> = new Set([
  'area',
  'clauses',
  'description',
  'fingerprint',
  'legal',
  'method',
  'name',
  'pointer',
  'ref',
  'reference',
  'replay',
  'rule',
  'service',
  'severity',
  'started',
  'state',
  'statement',
  'template',
  'value',
  'verdict',
])

/** The same plain data with the secrets taken out of its texts. */
export function redacted<Plain>(data: Plain, redact: Redact): Plain
export function redacted(data: unknown, redact: Redact): unknown {
  if (typeof data === 'string') return redact(data)
  if (Array.isArray(data)) return data.map(each => redacted(each, redact))
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, ours.has(name) ? value : redacted(value, redact)]),
  )
}
