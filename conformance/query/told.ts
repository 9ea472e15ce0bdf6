import type { Session } from '../session/session.js'
import type { WrongInterpreter } from './wrong/wrong-interpreter.js'

/** What the plans of a service's collections tell, by id, and what any of them would like to. */
export interface Told {
  readonly told: Set<string>
  readonly wanted: Map<string, WrongInterpreter>
}

const toldSoFar = new WeakMap<Session, Told>()

/** What filters of a service's collections tell: each is told once in some collection before any is told again. */
export function toldIn(session: Session): Told {
  const found = toldSoFar.get(session) ?? { told: new Set(), wanted: new Map() }
  toldSoFar.set(session, found)
  return found
}

/** What the data of no collection planned so far can show, for people: `gt were ge`. */
export function tooThinFor(session: Session): readonly string[] {
  const { told, wanted } = toldIn(session)
  return [...wanted.values()].filter(({ id }) => !told.has(id)).map(({ says }) => says)
}
