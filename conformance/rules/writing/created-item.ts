import { isDeepStrictEqual } from 'node:util'
import type { Property } from '../../../spec/language/index.js'
import { permittedValues } from '../../choices/choices.js'
import { permitsNull } from '../../choices/scope.js'
import { keyOf } from '../../discover/site.js'
import type { TestRequest, TestResponse } from '../../http/message.js'
import { pause } from '../../http/sender.js'
import { isRow, type Row } from '../../json.js'
import { leafValue, mayHideValues, mustNameTypes, namedType, namesType } from '../../lists/properties.js'
import { isAssumed } from '../../lists/type-mismatch.js'
import { isInOtherForm, isPlainText, isRenderedOtherwise, isSameValue } from '../../lists/values.js'
import { describeResponse, inconclusiveVerdict, isRejection } from '../../rule/response.js'
import { type Finding, failure, type Verdict } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { acceptedPart, isRefusal, newBody, untriedOrAccepted } from './accepted-body.js'
import type { Body } from './body.js'
import { sampleTextsIn } from './sample-value.js'
import type { WriteSite } from './write-site.js'
import { removeItem } from './write-site.js'

/** An item that a check has created. */
export interface CreatedItem {
  readonly path: string
  /** Undefined if the response does not reveal it. */
  readonly key: string | undefined
  /** The item in the response. Absent if the response has no body. */
  readonly row?: Row
  /** The values that reads must return: those of the request, and defaults. */
  readonly expected: Row
  readonly response: TestResponse
}

type CreateOutcome =
  /** With a finding if an item was created but the response is wrong. */
  | { readonly kind: 'created'; readonly item: CreatedItem; readonly finding?: Finding }
  | { readonly kind: 'ended'; readonly verdict: Verdict }

/**
 * Creates an item and records it in the ledger. A rejection is no violation, because the interface does not declare all
 * properties that a create requires. Values that the service refuses are left out.
 */
export async function createItem(values: Body, site: WriteSite, session: Session): Promise<CreateOutcome> {
  const posted = await post(values, site, session)
  if (posted.kind === 'ended') return posted
  const { body, response, path } = posted
  if (await isOfDeclaredType(posted, site, session)) {
    if (path !== undefined) await removeItem(path, session)
    return ended({ kind: 'unsupported', constructs: ['create.derived'] })
  }
  const expected = expectedAfterCreate(body, site)
  const finding = createFinding(response, expected, site, session)
  if (path === undefined) {
    if (finding !== undefined) return ended(failure(finding))
    return ended({ kind: 'inconclusive', why: 'the response to a create does not identify the new item' })
  }
  const row = isRow(response.json) ? response.json : undefined
  const key = (row === undefined ? undefined : keyOf(row, site.type)) ?? keyOf(expected, site.type)
  const item = { path, key, expected, response, ...(row === undefined ? {} : { row }) }
  return { kind: 'created', item, ...(finding === undefined ? {} : { finding }) }
}

/**
 * Whether a service has made an item of the declared type, although the body names a derived type. Where nothing says that
 * items name their types, a service need not know derived types at all.
 */
async function isOfDeclaredType(
  { response, path, body }: Extract<Posted, { readonly kind: 'posted' }>,
  { type, declaredType }: WriteSite,
  session: Session,
): Promise<boolean> {
  if (type === declaredType || mustNameTypes(session.service)) return false
  const shown = isRow(response.json) || path === undefined ? response : await session.send({ method: 'GET', path })
  const { json } = shown
  if (!isRow(json) || namesType(json, type)) return false
  const own = Object.keys(body).filter(name => !declaredType.properties.some(each => each.name === name))
  return !own.some(name => Object.hasOwn(json, name))
}

type Posted =
  | { readonly kind: 'posted'; readonly body: Body; readonly response: TestResponse; readonly path?: string }
  | Extract<CreateOutcome, { kind: 'ended' }>

/** Sends a create without the values that the service refuses. */
async function post(values: Body, site: WriteSite, session: Session): Promise<Posted> {
  const { ledger } = session
  const send = async (part: Body): Promise<Posted> => {
    const body = ledger?.mayCreate(site) === true ? await newBody(part, site, session) : undefined
    if (ledger === undefined || body === undefined) return ended({ kind: 'inconclusive', why: cannotCreate })
    const { response, path } = await ledger.create(site, body)
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return ended(inconclusive)
    return { kind: 'posted', body, response, ...(path === undefined ? {} : { path }) }
  }
  const wanted = untriedOrAccepted('POST', values, site, session)
  const first = await send(wanted)
  if (first.kind === 'ended' || !isRefusal(first.response)) return first
  const part = await acceptedPart('POST', wanted, site, session, async some => {
    const tried = await send(some)
    if (tried.kind === 'ended' || isRefusal(tried.response)) return false
    if (tried.path !== undefined) await removeItem(tried.path, session)
    return true
  })
  const rest = await send(part)
  if (rest.kind === 'ended' || !isRefusal(rest.response)) return rest
  const plain = await send({})
  if (plain.kind === 'ended' || !isRefusal(plain.response)) return plain
  return ended({ kind: 'unsupported', constructs: ['create'] })
}

/** Why no item is created. */
export const cannotCreate = 'no more items may be created, or the service accepts no body'

function ended(verdict: Verdict): Extract<CreateOutcome, { kind: 'ended' }> {
  return { kind: 'ended', verdict }
}

/** The values of the request, and the defaults of the omitted properties. */
function expectedAfterCreate(sent: Body, { type }: WriteSite): Row {
  const defaults = type.properties.flatMap(({ name, default: initial, computed, assumed }) => {
    return initial === undefined || computed || assumed !== undefined ? [] : [[name, initial] as const]
  })
  return { ...Object.fromEntries(defaults), ...sent }
}

function createFinding(response: TestResponse, values: Row, site: WriteSite, session: Session): Finding | undefined {
  const { status, json } = response
  const received = describeResponse(response)
  const statuses = permittedStatuses('createStatus', site.endpoint.status, session)
  if (!statuses.includes(status)) {
    return {
      message: `A create got status ${status}.`,
      expected: `status ${statuses.join(' or ')}`,
      received,
      answers: [response],
      features: ['create', 'status'],
    }
  }
  if (status === 202 || status === 204) return undefined
  if (!isRow(json) || keyOf(json, site.type) === undefined) {
    return {
      message: 'The response to a create does not contain the new item with its key.',
      expected: 'the created item',
      received,
      answers: [response],
      features: ['create', 'body'],
    }
  }
  const taken = takenKey(json, response.testRequest.body, site)
  if (taken !== undefined) {
    return {
      message: 'A new item has the key of an existing one.',
      expected: 'a key that no item has',
      received: `the key ${taken}`,
      surplus: [taken],
      answers: [response],
      features: ['create', 'key'],
    }
  }
  const foreign = foreignValue(json, response.testRequest.body, site)
  if (foreign !== undefined) {
    return {
      message: 'A new item has a value of another item.',
      expected: 'values of the request, or of the service',
      received,
      why: [foreign],
      answers: [response],
      features: ['create', 'foreign value'],
    }
  }
  const why = valueMismatches(json, values, site, session)
  if (why.length === 0) return undefined
  return {
    message: 'The response to a create has other values than the request.',
    expected: 'the values of the request, and defaults for the rest',
    received,
    why,
    answers: [response],
    features: ['create', 'values'],
  }
}

/** The key of a new item, if the service chose it and an item from before the run has it. */
function takenKey(row: Row, body: unknown, { type, mark, examples }: WriteSite): string | undefined {
  const key = keyOf(row, type)
  const isGiven = isRow(body) && type.key.some(({ name }) => Object.hasOwn(body, name))
  const isOld = (each: Row): boolean => keyOf(each, type) === key && !JSON.stringify(each).includes(mark)
  return key !== undefined && !isGiven && examples.rows.some(isOld) ? key : undefined
}

/**
 * A value with a text that this run wrote to another item: texts have the mark of the run and a number, or are samples. Undefined if
 * the item has no such value.
 */
function foreignValue(row: Row, body: unknown, { type, mark, examples }: WriteSite): string | undefined {
  const own = new Set([...markedTexts(body, mark), ...sampleTextsIn(body)])
  const isForeign = (name: string): boolean => {
    const samples = sampleTextsIn(row[name])
    // Items from before the run may have such texts, and so may a default.
    const old = samples.length === 0 ? [] : sampleTextsIn(examples.rows.map(each => each[name]))
    return [...markedTexts(row[name], mark), ...samples].some(text => !own.has(text) && !old.includes(text))
  }
  const found = type.properties.find(
    ({ name }) => Object.hasOwn(row, name) && !(isRow(body) && Object.hasOwn(body, name)) && isForeign(name),
  )
  return found && `${found.name}: ${JSON.stringify(row[found.name])}`
}

function markedTexts(value: unknown, mark: string): readonly string[] {
  const plain = mark.replace(/[^a-z0-9]/gi, '').toLowerCase()
  const text = (JSON.stringify(value) ?? '').toLowerCase().replaceAll(mark.toLowerCase(), plain)
  return [...text.matchAll(new RegExp(`${plain} ?(\\d+)`, 'g'))].map(([, number = '']) => number)
}

/** The success statuses that a write may have: the learned one, those of the open choice, or the declared one. */
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

/** The values that only a write changes. */
export function writtenValues(row: Row, { type }: Pick<WriteSite, 'type'>): Row {
  const names = type.properties.filter(({ computed }) => !computed).map(({ name }) => name)
  return Object.fromEntries(names.flatMap(name => (Object.hasOwn(row, name) ? [[name, row[name]] as const] : [])))
}

/** An item at one time: the values that it should have, and those that the service showed. */
export interface ItemState {
  readonly expected: Row
  readonly shown: Row
}

/** Whether the service showed a value in this form as it was written: then it still must. */
function wasShownAsWritten(
  property: Property,
  value: unknown,
  before: ItemState | undefined,
  { service }: Pick<Session, 'service'>,
): boolean {
  if (before === undefined) return false
  const [expected, shown] = [before.expected[property.name], before.shown[property.name]]
  return !isInOtherForm(property, expected, shown, service) && !isInOtherForm(property, expected, value, service)
}

/**
 * The differences between the values of an item and the expected ones, one line each.
 *
 * @param before the item before its last change, if known
 */
export function valueMismatches(
  row: Row,
  expected: Row,
  { type, examples }: Pick<WriteSite, 'type'> & Partial<Pick<WriteSite, 'examples'>>,
  session: Pick<Session, 'service' | 'choices'>,
  before?: ItemState,
): readonly string[] {
  const mayOmit = permittedValues(session, 'defaultProjection', 'all').includes('limited')
  const mayHide = mayHideValues(session)
  const mayBeNull = permittedValues(session, 'emptyString', 'distinct').includes('null')
  const mayTrim = permittedValues(session, 'trailingSpaces', 'distinct').includes('folded')
  const values = type.properties.flatMap(property => {
    const { name, collection } = property
    if (isAssumed(property)) return []
    if (!Object.hasOwn(expected, name)) {
      const isInvalid = row[name] === null && !permitsNull(property) && !collection && !mayHide
      return isInvalid ? [`${name}: null, but the property is not nullable`] : []
    }
    const value = expected[name]
    // Where null is only assumed to be permitted, the service may store a default instead.
    const isSeen = examples?.rows.some(each => each[name] === null) === true
    const isReplaced = value === null && property.assumed !== undefined && !isSeen
    if (isReplaced && !isSameValue(row[name], before?.expected[name] ?? null, property)) return []
    if (mayTrim && trimmed(value) !== undefined && trimmed(value) === trimmed(row[name])) return []
    if (mayBeNull && value === '' && row[name] === null) return []
    const isAbsent = !Object.hasOwn(row, name) || (row[name] === null && mayHide)
    const isConverted =
      isRenderedOtherwise(property, value, row[name], session.service) &&
      !hasLostLines(property, value, row[name], session.service)
    const isReset =
      isInOtherForm(property, value, row[name], session.service) && wasShownAsWritten(property, value, before, session)
    if (!isAbsent && isConverted && !isReset) return []
    const mayBeAbsent = value === null || mayOmit || property.returned === 'onSelect'
    if (isAbsent ? mayBeAbsent : isSameValue(namedPart(value, property), withLinesOf(value, row[name]), property))
      return []
    return [`${name}: expected ${JSON.stringify(value)}, received ${isAbsent ? 'nothing' : JSON.stringify(row[name])}`]
  })
  const [created, named] = [namedType(expected), namedType(row)]
  const isOfOtherType = created !== undefined && named !== undefined && named !== created
  return isOfOtherType ? [`@odata.type: expected "#${created}", received "#${named}"`, ...values] : values
}

/** A value without the members that the interface does not name. */
function namedPart(value: unknown, { type }: Pick<Property, 'type'>): unknown {
  if (type.kind !== 'complexType') return value
  if (Array.isArray(value)) return value.map(item => namedPart(item, { type }))
  if (!isRow(value)) return value
  const unnamed = new Set(type.properties.filter(isAssumed).map(({ name }) => name))
  const members = new Map(type.properties.map(property => [property.name, property]))
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !unnamed.has(name))
      .map(([name, each]) => {
        const member = members.get(name)
        return [name, member === undefined ? each : namedPart(each, member)]
      }),
  )
}

/** A value that was read, with the line ends of the written one, and the white space around its lines. */
function withLinesOf(written: unknown, read: unknown): unknown {
  if (typeof written === 'string' && typeof read === 'string')
    return linesOf(written).length > 1 && isDeepStrictEqual(linesOf(written), linesOf(read)) ? written : read
  if (Array.isArray(written) && Array.isArray(read)) return read.map((each, index) => withLinesOf(written[index], each))
  if (!isRow(written) || !isRow(read)) return read
  return Object.fromEntries(Object.entries(read).map(([name, each]) => [name, withLinesOf(written[name], each)]))
}

function linesOf(text: string): readonly string[] {
  return text
    .trim()
    .split(/\r\n?|\n/)
    .map(line => line.trimEnd())
}

/** Whether a value that was written as plain text, and is shown as plain text, has fewer lines than were written. */
function hasLostLines(property: Property, written: unknown, shown: unknown, service: Session['service']): boolean {
  if (!isRow(written) || isInOtherForm(property, written, shown, service)) return false
  const isPlain = service.preferences.some(({ property: path = '' }) => {
    const [first, ...rest] = path.split('/')
    return first === property.name && isPlainText(leafValue(written, rest))
  })
  return isPlain && isShortened(written, shown)
}

function isShortened(written: unknown, shown: unknown): boolean {
  if (isRow(written) && isRow(shown))
    return Object.entries(written).some(([name, value]) => isShortened(value, shown[name]))
  if (typeof written !== 'string' || typeof shown !== 'string') return false
  const count = (text: string): number => linesOf(text).filter(line => line !== '').length
  return count(shown) < count(written)
}

function trimmed(value: unknown): string | undefined {
  return typeof value === 'string' ? value.replace(/ +$/, '') : undefined
}

type ItemRead =
  | { readonly kind: 'matches'; readonly row: Row }
  | { readonly kind: 'differs'; readonly finding: Finding }
  | Extract<Verdict, { readonly kind: 'inconclusive' }>

/** How an item must be when it is read, and the finding if it differs. */
interface ExpectedItem {
  readonly expected: Row
  readonly message: string
  readonly features: readonly string[]
  readonly before?: ItemState
  /** The properties that the request selects. Default: the request selects none. */
  readonly selected?: readonly string[]
}

/**
 * Reads an item until it has the expected values, as long as the service may take to show a write.
 *
 * @param request that reads the item, or its path
 */
export async function readBack(
  request: TestRequest | string,
  item: ExpectedItem,
  site: WriteSite,
  session: Session,
): Promise<ItemRead> {
  let last: ItemRead = { kind: 'inconclusive', why: 'the item was not read' }
  await eventually(async () => {
    const response = await session.send(typeof request === 'string' ? { method: 'GET', path: request } : request)
    last = compareRead(response, item, site, session)
    return last.kind === 'differs' ? last : undefined
  }, session)
  return last
}

function compareRead(
  response: TestResponse,
  { expected, message, features, before, selected }: ExpectedItem,
  site: WriteSite,
  session: Session,
): ItemRead {
  const inconclusive = inconclusiveVerdict(response)
  if (inconclusive !== undefined) return { kind: 'inconclusive', why: inconclusive.why }
  if (selected !== undefined && isRejection(response, session)) {
    return { kind: 'inconclusive', why: 'the service refuses $select on an item' }
  }
  const evidence = { message, received: describeResponse(response), answers: [response], features }
  const { status, json } = response
  if (status !== 200 || !isRow(json)) {
    return { kind: 'differs', finding: { ...evidence, expected: 'status 200 with the item' } }
  }
  // Unselected properties may be null, even if they are not nullable.
  const shown = selected === undefined ? json : onlyMembers(json, selected)
  const why = valueMismatches(shown, expected, site, session, before)
  return why.length === 0
    ? { kind: 'matches', row: json }
    : { kind: 'differs', finding: { ...evidence, expected: 'the item as written', why } }
}

function onlyMembers(row: Row, names: readonly string[]): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)))
}

/** How long to wait for a write to show, in milliseconds, if the delay of the service is not known. */
export const maxUnknownDelay = 5_000
/** The same, for a service that showed writes immediately so far. */
const maxImmediateDelay = 600
const retryDelays = [50, 150, 400, 1_000, 2_000, 4_000] as const

/**
 * Repeats a check until it passes, as long as the service may take to show a write. Checks only once if the interface
 * declares that reads show writes immediately.
 *
 * @param check returns what is wrong, or undefined
 * @param least how long to wait at least, in milliseconds
 * @returns what is wrong in the end
 */
export async function eventually<T>(
  check: () => Promise<T | undefined>,
  session: Session,
  least = 0,
): Promise<T | undefined> {
  const limit = Math.max(least, maxDelay(session))
  let wrong = await check()
  let waited = 0
  for (const delay of retryDelays) {
    if (wrong === undefined || waited >= limit) return wrong
    await pause(delay)
    waited += delay
    wrong = await check()
  }
  return wrong
}

function maxDelay(session: Session): number {
  const declared = session.service.open.find(({ name }) => name === 'readYourWrites')
  if (declared?.legal.includes('delayed') !== true) return 0
  if (permittedValues(session, 'readYourWrites', 'immediate').isOnly('immediate')) return maxImmediateDelay
  const delay = session.visibilityDelay()
  return delay > 0 ? delay * 3 + maxImmediateDelay : maxUnknownDelay
}
