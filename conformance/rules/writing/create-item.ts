import type { Answer } from '../../http/answer.js'
import { isRow } from '../../is-row.js'
import type { Row } from '../../json.js'
import { describeAnswer } from '../../rule/describe-answer.js'
import { isRefusal } from '../../rule/refusal.js'
import { untold } from '../../rule/untold.js'
import type { Finding, Verdict } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { keyOf } from '../../site/key-of.js'
import { createdValues, valueProblems } from './expected-item.js'
import { legalStatuses } from './legal-status.js'
import { type Body, newBody } from './new-body.js'
import type { WriteSite } from './write-sites.js'

/** An item that a check made. */
export interface MadeItem {
  readonly path: string
  /** As the create answered; absent when it answered without a body. */
  readonly row?: Row
  /** What it must show: what was sent, and defaults. */
  readonly expected: Row
  readonly answer: Answer
}

export type Making =
  | { readonly kind: 'made'; readonly item: MadeItem; readonly finding?: Finding }
  | { readonly kind: 'ended'; readonly verdict: Verdict }

/**
 * Makes an item, through the ledger. A refusal is no fault: the interface does not say which properties a create must have.
 *
 * @returns with a finding when something was made, and the answer is not what it should be
 */
export async function createItem(wanted: Body, site: WriteSite, session: Session): Promise<Making> {
  const { ledger } = session
  const body = ledger?.mayCreate() === true ? newBody(site, wanted, session) : undefined
  if (ledger === undefined || body === undefined) {
    return ended({ kind: 'inconclusive', why: 'no more items may be created, or no body can be made up' })
  }
  const { answer, path } = await ledger.create(site, body)
  const nothing = untold(answer)
  if (nothing !== undefined) return ended(nothing)
  if (isRefusal(answer, session)) return ended({ kind: 'unsupported', constructs: ['create'] })
  const finding = answerFinding(answer, body, site, session)
  if (path === undefined) {
    if (finding !== undefined) return ended({ kind: 'fail', finding })
    return ended({ kind: 'inconclusive', why: 'the answer to a create does not tell where the item is' })
  }
  const item = {
    path,
    expected: createdValues(body, site),
    answer,
    ...(isRow(answer.json) ? { row: answer.json } : {}),
  }
  return { kind: 'made', item, ...(finding === undefined ? {} : { finding }) }
}

function ended(verdict: Verdict): Making {
  return { kind: 'ended', verdict }
}

function answerFinding(answer: Answer, body: Body, site: WriteSite, session: Session): Finding | undefined {
  const { status, json } = answer
  const received = describeAnswer(answer)
  const statuses = legalStatuses('createStatus', site.endpoint.status, session)
  if (!statuses.includes(status)) {
    return {
      message: `A create was answered with status ${status}.`,
      expected: `status ${statuses.join(' or ')}`,
      received,
      answers: [answer],
      features: ['create', 'status'],
    }
  }
  if (status === 202 || status === 204) return undefined
  if (!isRow(json) || keyOf(json, site.type) === undefined) {
    return {
      message: 'The answer to a create does not show the created item with its key.',
      expected: 'the item that was created',
      received,
      answers: [answer],
      features: ['create', 'body'],
    }
  }
  const why = valueProblems(json, createdValues(body, site), site, session)
  if (why.length === 0) return undefined
  return {
    message: 'The answer to a create shows other values than were sent.',
    expected: 'the values that were sent, and the defaults of the rest',
    received,
    why,
    answers: [answer],
    features: ['create', 'values'],
  }
}
