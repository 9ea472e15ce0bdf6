import { setV8Flags } from './set-v8-flags.js'

/**
 * Lets V8 wait longer before it compiles a function for speed. A run of the judge visits much code a little, and is over before
 * most of that work pays off: it takes a quarter off the processor time of a run on a small service. That is Node.js 20: later ones
 * have no such flag.
 */
export function optimiseLater(): void {
  setV8Flags(['--interrupt-budget=1200000'], { from: 11, to: 11 })
}
