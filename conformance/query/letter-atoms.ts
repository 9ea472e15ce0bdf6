import type { Expression } from '../../runtime/query/index.js'
import type { Atom } from './atom.js'
import { binary, call, text } from './build.js'
import type { Term } from './grammar.js'

/** Conditions that show whether `tolower` and `toupper` know the letters beyond ASCII, where the values have some. */
export function* letterAtoms(
  path: Expression,
  { allows }: Term,
  values: readonly string[],
  name: string,
): Generator<Atom> {
  for (const [turned, change] of changes) {
    const value = allows(turned) ? values.find(each => change(each) !== onAscii(each, change)) : undefined
    if (value === undefined) continue
    yield { kind: `${turned} letters ${name}`, filter: binary('eq', call(turned, path), text(change(value))) }
  }
}

type Change = (value: string) => string

const changes: readonly (readonly [turned: string, change: Change])[] = [
  ['toupper', value => value.toUpperCase()],
  ['tolower', value => value.toLowerCase()],
]

function onAscii(value: string, change: Change): string {
  return value.replace(/[A-Za-z]/g, change)
}
