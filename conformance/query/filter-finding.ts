import type { Expression } from '../../runtime/query/index.js'
import type { Answer } from '../http/answer.js'
import { constructsOf } from '../rule/constructs-of.js'
import type { Finding } from '../rule/verdict.js'
import { explain } from '../semantics/explain.js'
import type { Prediction } from '../semantics/predict.js'
import type { Session } from '../session/session.js'
import type { Snapshot } from '../site/snapshot.js'
import { diagnose } from './diagnose.js'
import { valueAt } from './value-at.js'

const mostExplained = 3

/** What is wrong with the rows that a filter gave; absent when nothing is. */
export function filterFinding(
  filter: Expression,
  given: { readonly keys: ReadonlySet<string>; readonly isWhole: boolean; readonly answers: readonly Answer[] },
  { must, may }: Prediction,
  snapshot: Snapshot,
  session: Session,
): Finding | undefined {
  const missing = given.isWhole ? [...must].filter(key => !given.keys.has(key)) : []
  const isWrong = (key: string): boolean => !may.has(key) && (snapshot.complete || snapshot.byKey.has(key))
  const surplus = [...given.keys].filter(isWrong)
  if (missing.length === 0 && surplus.length === 0) return undefined
  const wrong = given.isWhole && snapshot.complete ? diagnose(filter, given.keys, snapshot, session) : []
  const looks = wrong.slice(0, 3).map(({ says }) => `it looks as if ${says}`)
  const counted = must.size === may.size ? `${must.size}` : `${must.size} to ${may.size}`
  return {
    message: messageOf(missing.length, surplus.length),
    expected: `${counted} of ${snapshot.rows.length} rows, as evaluated on those that were harvested`,
    received: `${given.keys.size} rows${given.isWhole ? '' : ' and more'}`,
    missing,
    surplus,
    why: [
      ...looks,
      ...[...surplus, ...missing].slice(0, mostExplained).flatMap(key => {
        const row = snapshot.byKey.get(key)
        if (row === undefined) return [`${key} was not among the rows that were harvested`]
        return [
          `on ${key}, which is ${surplus.includes(key) ? 'there' : 'missing'}:`,
          ...explain(filter, row, snapshot, session),
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
  if (missing === 0) return `A filter gave ${surplus} rows that do not meet it.`
  if (surplus === 0) return `A filter left out ${missing} rows that meet it.`
  return `A filter left out ${missing} rows that meet it, and gave ${surplus} that do not.`
}

/** What the filter uses, and whether all rows that are wrong have null there. */
export function filterFeatures(filter: Expression, wrong: readonly string[], snapshot: Snapshot): readonly string[] {
  const constructs = constructsOf({ filter })
  const used = constructs.filter(construct => construct.startsWith('filter.'))
  const paths = constructs.flatMap(construct => (construct.startsWith('filter:') ? [construct.slice(7)] : []))
  const rows = wrong.flatMap(key => snapshot.byKey.get(key) ?? [])
  const isAtNull = rows.length > 0 && rows.every(row => paths.some(path => valueAt(row, path.split('/')) === null))
  return [...used.sort(), ...(isAtNull ? ['null'] : [])]
}
