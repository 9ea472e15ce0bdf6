import type { Expression } from '../../runtime/query/index.js'
import type { Atom } from './atom.js'
import { binary, call, text } from './build.js'
import type { Term } from './grammar.js'

/** Conditions that show whether spaces at the ends of texts count where they must, and go where `trim` takes them away. */
export function* spaceAtoms(
  path: Expression,
  { allows }: Term,
  values: readonly string[],
  name: string,
): Generator<Atom> {
  const padded = values.find(value => value.trim() !== value && value.trim() !== '')
  const [value = padded] = values
  if (value === undefined) return
  yield { kind: `eq spaces ${name}`, filter: binary('eq', path, text(padded ?? `${value} `)) }
  if (padded === undefined || !allows('trim')) return
  yield { kind: `trim spaces ${name}`, filter: binary('eq', call('trim', path), text(padded.trim())) }
}
