import { versions } from 'node:process'
import { setFlagsFromString } from 'node:v8'

/** Majors of V8. */
export interface KnownBy {
  readonly from: number
  readonly to: number
}

/**
 * Sets flags of V8 where it has them, and nothing where it is a version that nobody looked at: of a flag that it does not have, it
 * tells whoever runs the command, on standard error.
 *
 * @see https://nodejs.org/api/v8.html#v8setflagsfromstringflags
 */
export function setV8Flags(flags: readonly string[], { from, to }: KnownBy): void {
  const major = Number.parseInt(versions.v8, 10)
  if (major < from || major > to) return
  for (const flag of flags) setFlagsFromString(flag)
}
