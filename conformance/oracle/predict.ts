import type { Expression } from '../../runtime/query/index.js'
import { keyOf, type Snapshot } from '../discover/site.js'
import { mustNameTypes, namedType } from '../lists/properties.js'
import { renderedProperties } from '../lists/values.js'
import type { Session } from '../session/session.js'
import { type ComparisonSemantics, comparisonSemanticsOf, type ServiceKnowledge } from './comparison-semantics.js'
import { truthOn } from './evaluate.js'
import type { EvaluationContext } from './paths.js'
import { isTrue } from './truth-set.js'

/** The rows that a filter may return: all of `must`, and none outside `may`. Keys are in the format of `keyOf`. */
export interface Prediction {
  /** The filter is true on them in every conforming service. */
  readonly must: ReadonlySet<string>
  /** The filter is true on them in some conforming service; a superset of `must`. */
  readonly may: ReadonlySet<string>
}

/** Maximum rows for which one evaluation caches path values. */
const maxCachedRows = 2_000
/** Maximum rows for which path values and predictions are kept between evaluations. */
const maxRetainedRows = 500

/** Cached results for a snapshot, valid under the same comparison semantics. */
interface PredictionCache {
  readonly semantics: ComparisonSemantics
  readonly pathCache: NonNullable<EvaluationContext['pathCache']>
  readonly predictions: WeakMap<Expression, Prediction>
}

const predictionCaches = new WeakMap<Snapshot, PredictionCache>()

function predictionCacheOf(snapshot: Snapshot, semantics: ComparisonSemantics): PredictionCache {
  const before = predictionCaches.get(snapshot)
  if (before?.semantics === semantics) return before
  const memory: PredictionCache = { semantics: semantics, pathCache: new Map(), predictions: new WeakMap() }
  if (snapshot.rows.length <= maxRetainedRows) predictionCaches.set(snapshot, memory)
  return memory
}

export function evaluationContextOf(
  snapshot: Snapshot,
  knowledge: ServiceKnowledge,
  now: number = Date.now(),
): EvaluationContext {
  const { type } = snapshot.site
  const semantics = comparisonSemanticsOf(knowledge)
  return {
    semantics: semantics,
    types: knowledge.types,
    type: type === undefined ? '' : type.name,
    properties: snapshot.properties,
    rendered: renderedProperties(knowledge.service),
    unnamedIsDeclared: mustNameTypes(knowledge.service) && snapshot.rows.some(row => namedType(row) !== undefined),
    now,
    pathCache: predictionCacheOf(snapshot, semantics).pathCache,
  }
}

/** Predicts which of the harvested rows a filter returns, given the choices known so far. Omits rows without a key. */
export function predict(
  expression: Expression,
  snapshot: Snapshot,
  session: Pick<Session, 'choices' | 'service' | 'types'>,
): Prediction {
  const { pathCache, ...subject } = evaluationContextOf(snapshot, session)
  const { predictions } = predictionCacheOf(snapshot, subject.semantics)
  const before = predictions.get(expression)
  if (before !== undefined) return before
  const clock = { isRead: false }
  const timed: EvaluationContext = {
    ...subject,
    ...(pathCache === undefined || snapshot.rows.length > maxCachedRows ? {} : { pathCache: pathCache }),
    get now() {
      clock.isRead = true
      return subject.now
    },
  }
  const prediction = computePrediction(expression, snapshot, timed)
  if (!clock.isRead) predictions.set(expression, prediction)
  return prediction
}

function computePrediction(expression: Expression, snapshot: Snapshot, context: EvaluationContext): Prediction {
  const evaluate = truthOn(expression, context)
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
