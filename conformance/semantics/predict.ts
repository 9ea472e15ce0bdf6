import type { Expression } from '../../runtime/query/index.js'
import type { Session } from '../session/session.js'
import { keyOf } from '../site/key-of.js'
import type { Snapshot } from '../site/snapshot.js'
import { truthOn } from './evaluate.js'
import { type Known, lawsOf } from './laws.js'
import type { Subject } from './subject.js'
import { isTrue } from './truth.js'

/** The rows that a filter gives: all of `must`, and none that is not in `may`. Keys as `keyOf` writes them. */
export interface Prediction {
  /** True on them whatever a service may choose. */
  readonly must: ReadonlySet<string>
  /** True on them under some legal choice that is not excluded; holds `must`. */
  readonly may: ReadonlySet<string>
}

/** Rows of which what was read is remembered within one evaluation. */
const mostRemembered = 2_000

/** What is known of the rows of a snapshot. */
export function subjectOf(snapshot: Snapshot, known: Known, now: number = Date.now()): Subject {
  const { type } = snapshot.site
  return {
    laws: lawsOf(known),
    types: known.types,
    type: type === undefined ? '' : type.name,
    properties: snapshot.properties,
    now,
    read: new Map(),
  }
}

/**
 * Which of the harvested rows a filter gives, as far as the choices known at this point tell. Rows without a key are left
 * out.
 */
export function predict(
  expression: Expression,
  snapshot: Snapshot,
  session: Pick<Session, 'choices' | 'service' | 'types'>,
): Prediction {
  const { read = new Map(), ...subject } = subjectOf(snapshot, session)
  const isLarge = snapshot.rows.length > mostRemembered
  const evaluate = truthOn(expression, isLarge ? subject : { ...subject, read })
  const must = new Set<string>()
  const may = new Set<string>()
  const { type } = snapshot.site
  if (type === undefined) return { must, may }
  for (const row of snapshot.rows) {
    const key = keyOf(row, type)
    if (key === undefined) continue
    const truth = evaluate(row)
    if (truth & isTrue) may.add(key)
    if (truth === isTrue) must.add(key)
  }
  return { must, may }
}
