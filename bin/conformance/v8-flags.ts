import { versions } from 'node:process'
import { setFlagsFromString } from 'node:v8'

/** Majors of V8. */
interface KnownBy {
  readonly from: number
  readonly to: number
}

/**
 * Sets flags of V8 where it has them, and nothing where it is a version that nobody looked at: of a flag that it does not have, it
 * tells whoever runs the command, on standard error.
 *
 * @see https://nodejs.org/api/v8.html#v8setflagsfromstringflags
 */
function setV8Flags(flags: readonly string[], { from, to }: KnownBy): void {
  const major = Number.parseInt(versions.v8, 10)
  if (major < from || major > to) return
  for (const flag of flags) setFlagsFromString(flag)
}

/**
 * Lets V8 collect garbage in the thread that makes it, and give what is young all its room at once. Threads that help cost more
 * than they save on a heap as small as that of a run on a small service: a twentieth of its processor time.
 */
export function collectAlone(): void {
  setV8Flags(['--semi-space-growth-factor=16', '--no-parallel-scavenge', '--no-concurrent-marking'], {
    from: 11,
    to: 14,
  })
}

/** From so many rows on, what a run keeps is most of its memory. */
export const manyRows = 10_000

/**
 * Lets V8 collect garbage before the heap has grown by a third, not only when it has grown several times as large: a run over
 * 50,000 rows took 450 MB instead of 1,130. Small runs gain nothing, and would take longer.
 */
export function collectSooner(): void {
  setV8Flags(['--heap-growing-percent=30'], { from: 11, to: 14 })
}

/**
 * Lets V8 wait longer before it compiles a function for speed. A run of the judge visits much code a little, and is over before
 * most of that work pays off: it takes a quarter off the processor time of a run on a small service. That is Node.js 20: later ones
 * have no such flag.
 */
export function optimiseLater(): void {
  setV8Flags(['--interrupt-budget=1200000'], { from: 11, to: 11 })
}
