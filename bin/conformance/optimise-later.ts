import { setFlagsFromString } from 'node:v8'

/**
 * Lets V8 wait longer before it compiles a function for speed. A run of the judge visits much code a little, and is over before
 * most of that work pays off: it takes a quarter off the processor time of a run on a small service.
 *
 * @see https://nodejs.org/api/v8.html#v8setflagsfromstringflags
 */
export function optimiseLater(): void {
  setFlagsFromString('--interrupt-budget=1200000')
}
