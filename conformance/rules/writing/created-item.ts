import { permittedValues } from '../../choices/choices.js'
import { keyOf } from '../../discover/site.js'
import type { TestResponse } from '../../http/message.js'
import { pause } from '../../http/rate-limiter.js'
import { isRow, type Row } from '../../json.js'
import { isSameValue } from '../../lists/values.js'
import { describeResponse, inconclusiveVerdict, isRejection } from '../../rule/response.js'
import type { Finding, Verdict } from '../../rule/rule.js'
import type { Session } from '../../session/session.js'
import { type Body, createBody } from './body.js'
import type { WriteSite } from './write-site.js'

/** An item that a check made. */
export interface CreatedItem {
  readonly path: string
  /** As the create answered; absent when it answered without a body. */
  readonly row?: Row
  /** What it must show: what was sent, and defaults. */
  readonly expected: Row
  readonly answer: TestResponse
}

type CreateOutcome =
  | { readonly kind: 'made'; readonly item: CreatedItem; readonly finding?: Finding }
  | { readonly kind: 'ended'; readonly verdict: Verdict }

/**
 * Makes an item, through the ledger. A refusal is no fault: the interface does not say which properties a create must have.
 *
 * @returns with a finding when something was made, and the answer is not what it should be
 */
export async function createItem(wanted: Body, site: WriteSite, session: Session): Promise<CreateOutcome> {
  const { ledger } = session
  const body = ledger?.mayCreate() === true ? createBody(site, wanted, session) : undefined
  if (ledger === undefined || body === undefined) {
    return ended({ kind: 'inconclusive', why: 'no more items may be created, or no body can be generated' })
  }
  const { answer, path } = await ledger.create(site, body)
  const nothing = inconclusiveVerdict(answer)
  if (nothing !== undefined) return ended(nothing)
  if (isRejection(answer, session)) return ended({ kind: 'unsupported', constructs: ['create'] })
  const finding = answerFinding(answer, body, site, session)
  if (path === undefined) {
    if (finding !== undefined) return ended({ kind: 'fail', finding })
    return ended({ kind: 'inconclusive', why: 'the response to a create does not identify the new item' })
  }
  const item = {
    path,
    expected: expectedAfterCreate(body, site),
    answer,
    ...(isRow(answer.json) ? { row: answer.json } : {}),
  }
  return { kind: 'made', item, ...(finding === undefined ? {} : { finding }) }
}

function ended(verdict: Verdict): CreateOutcome {
  return { kind: 'ended', verdict }
}

function answerFinding(answer: TestResponse, body: Body, site: WriteSite, session: Session): Finding | undefined {
  const { status, json } = answer
  const received = describeResponse(answer)
  const statuses = permittedStatuses('createStatus', site.endpoint.status, session)
  if (!statuses.includes(status)) {
    return {
      message: `A create got status ${status}.`,
      expected: `status ${statuses.join(' or ')}`,
      received,
      answers: [answer],
      features: ['create', 'status'],
    }
  }
  if (status === 202 || status === 204) return undefined
  if (!isRow(json) || keyOf(json, site.type) === undefined) {
    return {
      message: 'The response to a create does not contain the new item with its key.',
      expected: 'the created item',
      received,
      answers: [answer],
      features: ['create', 'body'],
    }
  }
  const why = valueMismatches(json, expectedAfterCreate(body, site), site, session)
  if (why.length === 0) return undefined
  return {
    message: 'The response to a create has other values than the request.',
    expected: 'the values of the request, and defaults for the rest',
    received,
    why,
    answers: [answer],
    features: ['create', 'values'],
  }
}

/** Deletes what a run made, and tells the ledger when it is gone. */
export async function removeItem(
  path: string,
  session: Session,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestResponse | undefined> {
  const { ledger } = session
  if (ledger?.isOwned(path) !== true) return undefined
  let answer = await session.send({ method: 'DELETE', path, headers })
  if (answer.status === 428) {
    const { headers: shown } = await session.send({ method: 'GET', path })
    answer = await session.send({ method: 'DELETE', path, headers: { 'if-match': shown['etag'] ?? '*' } })
  }
  if ((answer.status >= 200 && answer.status < 300) || answer.status === 404) ledger.markRemoved(path)
  return answer
}

/** Lines that tell which values an item shows that it should not. */
export function valueMismatches(
  row: Row,
  expected: Row,
  { type }: Pick<WriteSite, 'type'>,
  session: Pick<Session, 'service' | 'choices'>,
): readonly string[] {
  const mayLeaveOut = permittedValues(session, 'defaultProjection', 'all').includes('limited')
  const mayTrim = permittedValues(session, 'trailingSpaces', 'distinct').includes('folded')
  return type.properties.flatMap(property => {
    const { name, nullable, collection } = property
    if (!Object.hasOwn(expected, name)) {
      const isFalse = row[name] === null && !nullable && !collection
      return isFalse ? [`${name}: null, but the property is not nullable`] : []
    }
    if (mayTrim && trimmed(expected[name]) !== undefined && trimmed(expected[name]) === trimmed(row[name])) return []
    const isAbsent = !Object.hasOwn(row, name)
    const wanted = expected[name]
    const mayBeAbsent = wanted === null || mayLeaveOut || property.returned === 'onSelect'
    if (isAbsent ? mayBeAbsent : isSameValue(wanted, row[name], property)) return []
    return [`${name}: ${JSON.stringify(wanted)} expected, ${isAbsent ? 'nothing' : JSON.stringify(row[name])} shown`]
  })
}

function trimmed(value: unknown): string | undefined {
  return typeof value === 'string' ? value.trim() : undefined
}

/** What is expected of an item after a create: what was sent, and the defaults of the rest. */
function expectedAfterCreate(sent: Body, { type }: WriteSite): Row {
  const defaults = type.properties.flatMap(({ name, default: initial, computed, assumed }) => {
    return initial === undefined || computed || assumed !== undefined ? [] : [[name, initial] as const]
  })
  return { ...Object.fromEntries(defaults), ...sent }
}

/** What a read of an item came to. */
type ItemRead =
  | { readonly kind: 'right'; readonly answer: TestResponse; readonly row: Row }
  | { readonly kind: 'wrong'; readonly finding: Finding }
  | { readonly kind: 'untold'; readonly why: string }

/**
 * Reads an item until it shows what is expected, as long as the service may take.
 *
 * @param features of the finding when it does not
 */
export async function readBack(
  path: string,
  expected: Row,
  site: WriteSite,
  session: Session,
  message: string,
  features: readonly string[],
): Promise<ItemRead> {
  let last: ItemRead = { kind: 'untold', why: 'it was not read' }
  await eventually(async () => {
    const answer = await session.send({ method: 'GET', path })
    last = verdictOnRead(answer, expected, site, session, message, features)
    return last.kind === 'wrong' ? last : undefined
  }, session)
  return last
}

function verdictOnRead(
  answer: TestResponse,
  expected: Row,
  site: WriteSite,
  session: Session,
  message: string,
  features: readonly string[],
): ItemRead {
  const nothing = inconclusiveVerdict(answer)
  if (nothing !== undefined) return { kind: 'untold', why: nothing.why }
  const received = describeResponse(answer)
  if (answer.status !== 200 || !isRow(answer.json)) {
    const finding = { message, expected: 'status 200 with the item', received, answers: [answer], features }
    return { kind: 'wrong', finding }
  }
  const why = valueMismatches(answer.json, expected, site, session)
  if (why.length === 0) return { kind: 'right', answer, row: answer.json }
  const finding = { message, expected: 'the item as written', received, why, answers: [answer], features }
  return { kind: 'wrong', finding }
}

/** Milliseconds that a write may take to show while nothing is known of it. */
const maxUnknownDelay = 5_000
const retryDelays = [50, 150, 400, 1_000, 2_000, 4_000] as const

/** Milliseconds that are granted to a service that showed its writes at once, when it was tried. */
const maxImmediateDelay = 600

/**
 * Looks again until what is seen is right, as long as a service may take to show a write; only once where the interface
 * has reads see writes immediately.
 *
 * @returns what was wrong the last time; absent when it was right
 */
export async function eventually<T>(look: () => Promise<T | undefined>, session: Session): Promise<T | undefined> {
  const longest = maxDelay(session)
  let wrong = await look()
  let waited = 0
  for (const wait of retryDelays) {
    if (wrong === undefined || waited >= longest) return wrong
    await pause(wait)
    waited += wait
    wrong = await look()
  }
  return wrong
}

function maxDelay(session: Session): number {
  const declared = session.service.open.find(({ name }) => name === 'readYourWrites')
  if (declared?.legal.includes('delayed') !== true) return 0
  if (permittedValues(session, 'readYourWrites', 'immediate').isOnly('immediate')) return maxImmediateDelay
  const settle = session.visibilityDelay()
  return settle > 0 ? settle * 3 + maxImmediateDelay : maxUnknownDelay
}

/** The statuses of success that a write may have: those of the choice, or the one that was learned; else the declared one. */
export function permittedStatuses(
  choice: 'createStatus' | 'updateStatus' | 'deleteStatus',
  declared: number,
  { service, choices }: Pick<Session, 'service' | 'choices'>,
): readonly number[] {
  const learned = choices.get(choice)
  if (learned !== undefined) return [Number(learned)]
  const legal = service.open.find(({ name }) => name === choice)?.legal
  return legal === undefined ? [declared] : legal.map(Number)
}
