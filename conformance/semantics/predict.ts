import type { Expression } from '../../runtime/query/index.js'
import type { Session } from '../session/session.js'
import { keyOf } from '../site/key-of.js'
import type { Snapshot } from '../site/snapshot.js'
import { truthOn } from './evaluate.js'
import { type Known, type Laws, lawsOf } from './laws.js'
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
const mostRead = 2_000
/** Rows of which it is remembered from one evaluation to the next, and what was predicted. */
const mostRemembered = 500

/** What was found out about a snapshot under the same laws. */
interface Memory {
  readonly laws: Laws
  readonly read: NonNullable<Subject['read']>
  readonly predictions: WeakMap<Expression, Prediction>
}

const memories = new WeakMap<Snapshot, Memory>()

function memoryOf(snapshot: Snapshot, laws: Laws): Memory {
  const before = memories.get(snapshot)
  if (before?.laws === laws) return before
  const memory: Memory = { laws, read: new Map(), predictions: new WeakMap() }
  if (snapshot.rows.length <= mostRemembered) memories.set(snapshot, memory)
  return memory
}

/** What is known of the rows of a snapshot. */
export function subjectOf(snapshot: Snapshot, known: Known, now: number = Date.now()): Subject {
  const { type } = snapshot.site
  const laws = lawsOf(known)
  return {
    laws,
    types: known.types,
    type: type === undefined ? '' : type.name,
    properties: snapshot.properties,
    now,
    read: memoryOf(snapshot, laws).read,
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
  const { read, ...subject } = subjectOf(snapshot, session)
  const { predictions } = memoryOf(snapshot, subject.laws)
  const before = predictions.get(expression)
  if (before !== undefined) return before
  const clock = { isRead: false }
  const timed: Subject = {
    ...subject,
    ...(read === undefined || snapshot.rows.length > mostRead ? {} : { read }),
    get now() {
      clock.isRead = true
      return subject.now
    },
  }
  const prediction = predictAnew(expression, snapshot, timed)
  if (!clock.isRead) predictions.set(expression, prediction)
  return prediction
}

function predictAnew(expression: Expression, snapshot: Snapshot, subject: Subject): Prediction {
  const evaluate = truthOn(expression, subject)
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
