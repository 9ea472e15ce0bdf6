import { setFlagsFromString } from 'node:v8'

/** From so many rows on, what a run keeps is most of its memory. */
export const manyRows = 10_000

/**
 * Lets V8 collect garbage before the heap has grown by a third, not only when it has grown several times as large: a run over
 * many rows takes half of the memory, and a tenth more of the time.
 *
 * @see https://nodejs.org/api/v8.html#v8setflagsfromstringflags
 */
export function collectSooner(): void {
  setFlagsFromString('--heap-growing-percent=30')
}
