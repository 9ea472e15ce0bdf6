import type { Expression, QueryOptions } from '../../runtime/query/index.js'
import { keyOf, type Site, type Snapshot, shareOf } from '../discover/site.js'
import type { TestResponse } from '../http/message.js'
import type { ServiceKnowledge } from '../oracle/comparison-semantics.js'
import { explain } from '../oracle/explain.js'
import { evaluationContextOf, type Prediction, predict } from '../oracle/predict.js'
import { constructsOf } from '../rule/query-request.js'
import { type Finding, failure, type Verdict } from '../rule/verdict.js'
import type { Session } from '../session/session.js'
import type { BugModel } from './bug-models/bug-model.js'
import { bugModels } from './bug-models/index.js'
import { buggyEvaluator, certainlyTrue, correctEvaluator, equivalentRows } from './evaluators.js'
import { withDefinitions } from './expressions.js'
import { valueAt } from './observed-values.js'
import { queryKeys } from './query-keys.js'

/** A result that agrees with the prediction, or the verdict. */
type PredictionCheck =
  | {
      readonly kind: 'agreed'
      readonly prediction: Prediction
      /** Number of harvested rows. */
      readonly rows: number
      /** The share of the rows that the filter returned, or must return if not all pages were read. */
      readonly selected: number
    }
  | { readonly kind: 'ended'; readonly verdict: Verdict }

/** Queries a filter and compares the result with our own evaluation of the harvested rows. */
export async function checkPrediction(
  options: QueryOptions | undefined,
  site: Site,
  session: Session,
): Promise<PredictionCheck> {
  const snapshot = session.snapshot(site)
  if (options?.filter === undefined) return ended({ kind: 'pass', vacuous: true })
  if (snapshot === undefined) return ended({ kind: 'inconclusive', why: 'the collection could not be read' })
  const answer = await queryKeys(site, session, options)
  if (answer.kind === 'ended') return answer
  const meaning = withDefinitions(options.filter, session.service)
  const prediction = predict(meaning, snapshot, session)
  const finding = filterFinding({ filter: options.filter, meaning }, answer, prediction, snapshot, session)
  if (finding !== undefined) return ended(failure(finding))
  const selected = shareOf(answer.isWhole ? answer.keys.size : prediction.must.size, snapshot)
  return { kind: 'agreed', prediction, rows: snapshot.rows.length, selected }
}

function ended(verdict: Verdict): PredictionCheck {
  return { kind: 'ended', verdict }
}

const maxExplainedRows = 3

/**
 * What is wrong with the result of a filter; absent if nothing is.
 *
 * @param filter `meaning` is the filter with the definitions of the functions that it calls
 */
function filterFinding(
  { filter, meaning }: { readonly filter: Expression; readonly meaning: Expression },
  given: { readonly keys: ReadonlySet<string>; readonly isWhole: boolean; readonly answers: readonly TestResponse[] },
  { must, may }: Prediction,
  snapshot: Snapshot,
  session: Session,
): Finding | undefined {
  const missing = given.isWhole ? [...must].filter(key => !given.keys.has(key)) : []
  const isWrong = (key: string): boolean => !may.has(key) && (snapshot.complete || snapshot.byKey.has(key))
  const surplus = [...given.keys].filter(isWrong)
  if (missing.length === 0 && surplus.length === 0) return undefined
  const wrong = given.isWhole && snapshot.complete ? diagnose(meaning, given.keys, snapshot, session) : []
  const looks = wrong.slice(0, 3).map(({ description }) => `it looks as if ${description}`)
  const counted = must.size === may.size ? `${must.size}` : `${must.size} to ${may.size}`
  return {
    message: messageOf(missing.length, surplus.length),
    expected: `${counted} of ${snapshot.rows.length} rows, evaluated on the harvested rows`,
    received: `${given.keys.size} rows${given.isWhole ? '' : ' and more'}`,
    missing,
    surplus,
    why: [
      ...looks,
      ...[...surplus, ...missing].slice(0, maxExplainedRows).flatMap(key => {
        const row = snapshot.byKey.get(key)
        if (row === undefined) return [`${key} was not harvested`]
        return [
          `on ${key}, which is ${surplus.includes(key) ? 'present' : 'missing'}:`,
          ...explain(meaning, row, snapshot, session),
        ]
      }),
    ],
    answers: given.answers,
    ...(wrong.length === 0 ? {} : { explanations: wrong.map(({ id }) => `filter.${id}`) }),
    features:
      wrong[0] === undefined ? filterFeatures(filter, [...missing, ...surplus], snapshot) : [`filter.${wrong[0].id}`],
  }
}

function messageOf(missing: number, surplus: number): string {
  if (missing === 0) return `A filter returned ${surplus} rows that do not match it.`
  if (surplus === 0) return `A filter omitted ${missing} rows that match it.`
  return `A filter omitted ${missing} rows that match it, and returned ${surplus} that do not.`
}

/** The operators and functions of the filter, and `null` if all wrong rows have null there. */
export function filterFeatures(filter: Expression, wrong: readonly string[], snapshot: Snapshot): readonly string[] {
  const constructs = constructsOf({ filter })
  const used = constructs.filter(construct => construct.startsWith('filter.'))
  const paths = constructs.flatMap(construct => (construct.startsWith('filter:') ? [construct.slice(7)] : []))
  const rows = wrong.flatMap(key => snapshot.byKey.get(key) ?? [])
  const isAtNull = rows.length > 0 && rows.every(row => paths.some(path => valueAt(row, path.split('/')) === null))
  return [...used.sort(), ...(isAtNull ? ['null'] : [])]
}

const maxDiagnosedRows = 1000

/** The bug models that explain exactly this result, the most likely first. */
export function diagnose(
  filter: Expression,
  keys: ReadonlySet<string>,
  snapshot: Snapshot,
  knowledge: ServiceKnowledge,
): readonly BugModel[] {
  const { type } = snapshot.site
  if (type === undefined) return []
  const rows = snapshot.rows.slice(0, maxDiagnosedRows)
  const context = evaluationContextOf(snapshot, knowledge)
  const rowClass = equivalentRows(rows)
  const right = correctEvaluator(rowClass, context)
  const given = rows.map(row => keys.has(keyOf(row, type) ?? ''))
  return bugModels.filter(bugModel => {
    const vector = buggyEvaluator(bugModel, rowClass, context, right).evaluate(filter)
    const must = certainlyTrue(vector)
    return given.every((isThere, index) => {
      const bit = 1n << BigInt(index)
      return isThere ? (vector.mayBeTrue & bit) !== 0n : (must & bit) === 0n
    })
  })
}
