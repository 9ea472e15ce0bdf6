import { versions } from 'node:process'
import { setFlagsFromString } from 'node:v8'

/** With at least this many rows, the rows take most of the memory of a run. */
const manyRows = 10_000

/**
 * Tunes V8 for a conformance run, which executes much code a few times and ends soon. docs/architecture.md has the figures.
 *
 * - V8 optimizes functions later: most of that work does not pay off before the run ends. Only Node.js 20 has
 *   this flag.
 * - The main thread collects the young generation, which has its full size from the start: on a small heap, helper
 *   threads cost more than they save.
 * - With many rows, V8 collects garbage before the heap has grown by a third, instead of several times its size.
 *
 * @param maxRows the number of rows that the run reads from each collection
 * @see https://nodejs.org/api/v8.html#v8setflagsfromstringflags
 */
export function tuneV8(maxRows: number): void {
  setFlags(['--interrupt-budget=1200000'], 11)
  if (maxRows >= manyRows) setFlags(['--heap-growing-percent=30'], 14)
  else setFlags(['--semi-space-growth-factor=16', '--no-parallel-scavenge', '--no-concurrent-marking'], 14)
}

/** Sets flags that exist in V8 from version 11 to the given one. V8 warns on standard error about an unknown flag. */
function setFlags(flags: readonly string[], newest: number): void {
  const major = Number.parseInt(versions.v8, 10)
  if (major < 11 || major > newest) return
  for (const flag of flags) setFlagsFromString(flag)
}
