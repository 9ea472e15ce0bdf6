import type { ErrorDefinition } from '../../../spec/language/index.js'
import type { Answer } from '../../http/answer.js'
import { isRow } from '../../is-row.js'
import type { Json, Row } from '../../json.js'
import { describeAnswer } from '../../rule/describe-answer.js'
import { errorFinding, isRefusal } from '../../rule/refusal.js'
import { untold } from '../../rule/untold.js'
import type { Finding, Verdict } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { eventually } from '../writing/eventually.js'
import { valueProblems } from '../writing/expected-item.js'
import { changedBody } from '../writing/wanted-values.js'
import type { WriteSite } from '../writing/write-sites.js'

/** An item that was made to be changed under conditions, with the tag that it had then. */
export interface Made {
  readonly path: string
  readonly tag: string
  readonly row: Row
  readonly site: WriteSite
  readonly session: Session
}

export function sameTag(tag: string, answers: readonly Answer[]): Verdict {
  const received = `the tag ${tag}`
  return failed('An item that was changed has the same tag as before.', 'another tag', received, answers, ['unchanged'])
}

/** The verdict on a change with the tag that the item has; absent when it was carried out. */
export function carriedOut(answer: Answer, session: Session): Verdict | undefined {
  if (answer.status < 300) return untold(answer)
  return untold(answer) ?? refusedWithCurrent(answer, session)
}

function refusedWithCurrent(answer: Answer, session: Session): Verdict {
  if (answer.status !== 412 && isRefusal(answer, session)) return { kind: 'unsupported', constructs: ['ifMatch'] }
  return failed(
    `A change with the tag that the item has was answered with ${answer.status}.`,
    'status 200 or 204',
    describeAnswer(answer),
    [answer],
    ['current'],
  )
}

/** The verdict on a write with a tag that the item has not, or none where one is needed; absent when it was refused. */
export function stale(
  answer: Answer,
  session: Session,
  fault: ErrorDefinition = session.service.faults.preconditionFailed,
): Verdict | undefined {
  const nothing = untold(answer)
  if (nothing !== undefined) return nothing
  const finding = errorFinding(answer, fault, session)
  if (finding === undefined) return undefined
  const { method, headers } = answer.ask
  const what = headers?.['if-match'] === undefined ? 'without a tag' : 'with a tag that the item has not'
  const isDone = answer.status < 300
  const message = `A ${method} ${what} was ${isDone ? 'carried out' : `answered with ${answer.status}`}.`
  return {
    kind: 'fail',
    finding: { ...finding, message, features: [...finding.features, isDone ? 'stale' : 'status'] },
  }
}

/** Such a write is refused, and nothing has changed. */
export async function refusal(
  answer: Answer,
  row: Row,
  { path, site, session }: Made,
  fault?: ErrorDefinition,
): Promise<Verdict> {
  const verdict = stale(answer, session, fault)
  if (verdict !== undefined) return verdict
  const wrong = await eventually(async (): Promise<Finding | undefined> => {
    const read = await session.ask({ method: 'GET', path })
    if (untold(read) !== undefined) return undefined
    const why = isRow(read.json) ? valueProblems(read.json, settable(row, site), site, session) : []
    if (read.status === 200 && why.length === 0) return undefined
    return {
      message: `A ${answer.ask.method} that was refused for its tag changed the item, after all.`,
      expected: 'the item as it was',
      received: describeAnswer(read),
      why,
      answers: [answer, read],
      features: ['ifMatch', 'changed'],
    }
  }, session)
  return wrong === undefined ? { kind: 'pass' } : { kind: 'fail', finding: wrong }
}

export function failed(
  message: string,
  expected: string,
  received: string,
  answers: readonly Answer[],
  features: readonly string[],
): Verdict {
  return { kind: 'fail', finding: { message, expected, received, answers, features: ['ifMatch', ...features] } }
}

function settable(row: Row, { type }: WriteSite): Row {
  const names = type.properties.filter(({ computed }) => !computed).map(({ name }) => name)
  return Object.fromEntries(names.flatMap(name => (Object.hasOwn(row, name) ? [[name, row[name]] as const] : [])))
}

export function changes(body: Readonly<Record<string, Json>>): boolean {
  return Object.keys(body).length > 0
}

/** A change of the marked text: it is there, and keeps its mark. */
export function bodyFor(
  site: WriteSite,
  which: 'first' | 'second',
  { ledger }: Session,
): Readonly<Record<string, Json>> {
  if (site.marked.createOnly) return changedBody(site, which === 'first' ? 1 : 2)
  return { [site.marked.name]: `${ledger?.mark ?? ''} ${which}` }
}
