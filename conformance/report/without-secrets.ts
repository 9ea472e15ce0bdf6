import type { Redact } from './redactor-of.js'

/** The same error, or, where a secret stands in its text, one like it that holds none. */
export function withoutSecrets(error: unknown, redact: Redact): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? redact(error) : error
  const cause = error.cause === undefined ? undefined : withoutSecrets(error.cause, redact)
  const message = redact(error.message)
  const stack = redact(error.stack ?? '')
  if (cause === error.cause && message === error.message && stack === (error.stack ?? '')) return error
  const clean = new Error(message, cause === undefined ? {} : { cause })
  clean.name = error.name
  clean.stack = stack
  return clean
}
