import { versions } from 'node:process'
import { setFlagsFromString } from 'node:v8'

/** From this many rows on, the rows that a run keeps are most of its memory. */
const manyRows = 10_000

/**
 * Tunes V8 for a conformance run, which visits much code a little and ends soon. docs/architecture.md has the figures.
 *
 * - V8 compiles a function for speed later: most of that work does not pay off before the run ends. Only Node.js 20 has
 *   this flag.
 * - The thread that makes garbage collects it, with all its room from the start: on a small heap, threads that help cost
 *   more than they save.
 * - With many rows, V8 collects garbage before the heap has grown by a third, instead of several times its size.
 *
 * @param maxRows how many rows the run reads of each collection
 * @see https://nodejs.org/api/v8.html#v8setflagsfromstringflags
 */
export function tuneV8(maxRows: number): void {
  setFlags(['--interrupt-budget=1200000'], 11)
  if (maxRows >= manyRows) setFlags(['--heap-growing-percent=30'], 14)
  else setFlags(['--semi-space-growth-factor=16', '--no-parallel-scavenge', '--no-concurrent-marking'], 14)
}

/** Sets flags that V8 has from version 11 to the given one. V8 warns on standard error of a flag that it does not have. */
function setFlags(flags: readonly string[], newest: number): void {
  const major = Number.parseInt(versions.v8, 10)
  if (major < 11 || major > newest) return
  for (const flag of flags) setFlagsFromString(flag)
}
