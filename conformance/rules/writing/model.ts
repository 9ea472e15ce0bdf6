import fc from 'fast-check'
import type { StructuredType, Support, UpdateEndpoint } from '../../../spec/language/index.js'
import { permittedValues } from '../../choices/choices.js'
import type { TestResponse } from '../../http/message.js'
import { isJson, isRow, type Json, type Row } from '../../json.js'
import { selectItems } from '../../lists/properties.js'
import { isAssumed } from '../../lists/type-mismatch.js'
import { readRequest } from '../../rule/query-request.js'
import { describeResponse, errorFinding, inconclusiveVerdict, isRejection } from '../../rule/response.js'
import type { TestCase, TestStep } from '../../rule/rule.js'
import { type Finding, failure, type Verdict } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { acceptedPart, isRefusal, typeNameOf, untriedOrAccepted } from './accepted-body.js'
import { type Body, fullBody, partialBody, patchBody } from './body.js'
import { copiesFinding, copiesIn } from './create-once.js'
import {
  createItem,
  eventually,
  type ItemState,
  permittedStatuses,
  readBack,
  valueMismatches,
  writtenValues,
} from './created-item.js'
import { listingVerdict, type QueriedListing, readWholeList } from './listing.js'
import { listOf, removeItem, type WriteSite } from './write-site.js'

// The write rules are model-based tests: a sequence of commands runs against a model of the created items and against the
// service, and each response must agree with the model. fast-check generates the sequences and shrinks them.

/** What the service should hold of the items that one sequence creates. */
interface WriteModel {
  readonly items: ModelItem[]
}

/** An item as the service should return it. The command that creates it fills in what only the response reveals. */
export interface ModelItem {
  path: string
  /** Undefined if the response does not reveal it. */
  key: string | undefined
  expected: Row
  /** The last representation of the item; absent if there was none. */
  shown?: Row
  /** The response to the create, until the item is read or changed. */
  created?: TestResponse | undefined
  /** The text in which a new item differs from all others. */
  text?: unknown
  /** The item before its last change. */
  before?: ItemState
  /** `replaced`: the item was deleted, and the service has given its key to a new item. */
  state: 'live' | 'deleted' | 'replaced'
}

/** Runs the commands of a sequence: on the service, or as a dry run. */
export interface WriteTarget {
  /** @param item the item that the step concerns; undefined for `list`. The model has already made the transition. */
  readonly run: (step: TestStep, item: ModelItem | undefined, model: WriteModel) => Promise<void>
}

type WriteCommand = fc.AsyncCommand<WriteModel, WriteTarget>

/**
 * The command of a step: `create`, `read`, `patch`, `replace`, `delete` or `list`. Whether it can run depends only on the
 * model: `item` counts modulo the items that the action applies to. So a sequence stays valid if fast-check drops commands.
 */
function writeCommand(step: TestStep): WriteCommand {
  return {
    check: model => step.action === 'create' || eligibleItems(step, model).length > 0,
    run: (model, target) => target.run(step, transition(step, model), model),
    toString: () => step.action,
  }
}

function eligibleItems({ action }: TestStep, { items }: WriteModel): readonly ModelItem[] {
  const isReadOnly = action === 'read' || action === 'list'
  return items.filter(({ state }) => (isReadOnly ? state !== 'replaced' : state === 'live'))
}

/** Applies a step to the model. Returns the item that it concerns. */
function transition(step: TestStep, model: WriteModel): ModelItem | undefined {
  if (step.action === 'list') return undefined
  if (step.action === 'create') {
    const item: ModelItem = { path: '', key: undefined, expected: {}, state: 'live' }
    model.items.push(item)
    return item
  }
  const eligible = eligibleItems(step, model)
  const item = eligible[(step.item ?? 0) % eligible.length]
  if (step.action === 'delete' && item !== undefined) item.state = 'deleted'
  return item
}

const maxCommands = 8

/** Random sequences: a create, up to eight commands, and a final comparison with the list. */
export function writeSequences(site: WriteSite): fc.Arbitrary<TestCase> {
  const item = fc.nat(2)
  const number = fc.nat(40)
  const create = number.map((each): TestStep => ({ action: 'create', body: fullBody(site, each) }))
  const patch = fc.tuple(item, number).map(([each, n]) => ({ action: 'patch', item: each, body: patchBody(site, n) }))
  const replace = fc.tuple(item, number).map(([each, n]) => {
    return { action: 'replace', item: each, body: partialBody(site, n) }
  })
  const step: fc.Arbitrary<TestStep> = fc.oneof(
    { weight: 3, arbitrary: create },
    { weight: site.update === undefined ? 0 : 4, arbitrary: patch },
    { weight: site.replacement === undefined ? 0 : 2, arbitrary: replace },
    { weight: site.deletion === undefined ? 0 : 2, arbitrary: item.map(each => ({ action: 'delete', item: each })) },
    { weight: 1, arbitrary: item.map(each => ({ action: 'read', item: each })) },
    { weight: 1, arbitrary: fc.constant({ action: 'list' }) },
  )
  return fc.tuple(create, fc.commands([step.map(writeCommand)], { maxCommands })).map(([first, rest]) => {
    const [begin, end] = [writeCommand(first), writeCommand({ action: 'list' })]
    const planned = plan([begin, ...fc.cloneIfNeeded(rest), end])
    generatedCommands.set(planned, [begin, ...rest, end])
    return { steps: planned }
  })
}

/** The steps of the commands that can run, by a dry run. */
function plan(commands: Iterable<WriteCommand>): readonly TestStep[] {
  const model: WriteModel = { items: [] }
  const steps: TestStep[] = []
  const dryRun: WriteTarget = { run: async step => void steps.push(step) }
  for (const command of commands) if (command.check(model)) void command.run(model, dryRun)
  return steps
}

const generatedCommands = new WeakMap<readonly TestStep[], readonly WriteCommand[]>()

/** The commands of a sequence. fast-check shrinks a generated sequence by those of its own commands that have run. */
export function commandsOf(steps: readonly TestStep[]): readonly WriteCommand[] {
  return generatedCommands.get(steps) ?? steps.map(writeCommand)
}

/** Ends a sequence before its last step. */
class SequenceEnd extends Error {
  override readonly name = 'SequenceEnd'
  readonly verdict: Verdict

  constructor(verdict: Verdict) {
    super(verdict.kind)
    this.verdict = verdict
  }
}

/** Runs a sequence of writes and reads on the service, and compares each response with the model. Deletes what it created. */
export async function runSequence(steps: readonly TestStep[], site: WriteSite, session: Session): Promise<Verdict> {
  const model: WriteModel = { items: [] }
  const remaining = new Set<string>()
  const service = serviceTarget(site, session, remaining)
  try {
    await fc.asyncModelRun(() => ({ model, real: service }), commandsOf(steps))
    return { kind: 'pass', vacuous: model.items.length === 0 }
  } catch (error) {
    if (error instanceof SequenceEnd) return error.verdict
    throw error
  } finally {
    for (const path of remaining) await removeItem(path, session)
  }
}

/** Runs a sequence of updates and reads on an item that existed before. Changes the item of the model. */
export async function runOnItem(
  steps: readonly TestStep[],
  item: ModelItem,
  site: WriteSite,
  session: Session,
): Promise<Verdict> {
  try {
    const real = serviceTarget(site, session, new Set())
    await fc.asyncModelRun(() => ({ model: { items: [item] }, real }), steps.map(writeCommand))
    return { kind: 'pass' }
  } catch (error) {
    if (error instanceof SequenceEnd) return error.verdict
    throw error
  }
}

/** @param remaining paths of the items that still have to be deleted */
function serviceTarget(site: WriteSite, session: Session, remaining: Set<string>): WriteTarget {
  return {
    run: async (step, item, model) => {
      const verdict = await runStep(step, item, model, { site, session, remaining })
      if (verdict !== undefined) throw new SequenceEnd(verdict)
    },
  }
}

interface Context {
  readonly site: WriteSite
  readonly session: Session
  readonly remaining: Set<string>
}

const unowned: Verdict = { kind: 'inconclusive', why: 'a read does not show that the item is the created one' }

/** Undefined: continue with the next step. */
type Outcome = Promise<Verdict | undefined>

async function runStep(step: TestStep, item: ModelItem | undefined, model: WriteModel, context: Context): Outcome {
  if (step.action === 'list') return compareList(model, context)
  if (item === undefined) return undefined
  switch (step.action) {
    case 'create':
      return create(item, bodyOf(step), model, context)
    case 'read':
      if (item.state !== 'live') return readDeleted(item, context)
      return step.select === undefined ? read(item, context) : readSelected(item, step.select, context)
    case 'patch':
      return patch(item, bodyOf(step), context)
    case 'replace':
      return replace(item, bodyOf(step), context)
    case 'delete':
      return remove(item, context)
    default:
      return undefined
  }
}

function bodyOf({ body }: TestStep): Body {
  return isJsonObject(body) ? body : {}
}

function isJsonObject(value: Json | undefined): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

async function create(
  item: ModelItem,
  body: Body,
  { items }: WriteModel,
  { site, session, remaining }: Context,
): Outcome {
  const outcome = await createItem(body, site, session)
  if (outcome.kind === 'ended') return outcome.verdict
  const { path, key, row, expected } = outcome.item
  remaining.add(path)
  for (const other of items) if (other.path === path && other.state === 'deleted') other.state = 'replaced'
  item.path = path
  item.key = key
  item.text = expected[site.markProperty?.name ?? '']
  // Values that the service has chosen must not change from now on either.
  item.expected = { ...(row === undefined ? {} : writtenValues(row, site)), ...expected }
  if (row !== undefined) item.shown = row
  item.created = outcome.item.response
  return outcome.finding === undefined ? undefined : failure(outcome.finding)
}

async function read(item: ModelItem, { site, session }: Context): Outcome {
  const message = 'A read does not return the item as written.'
  const reading = await readBack(item.path, { ...item, message, features: ['read', 'values'] }, site, session)
  if (reading.kind === 'inconclusive') return reading
  if (reading.kind === 'differs') return failure(reading.finding)
  const { created } = item
  item.created = undefined
  item.expected = { ...writtenValues(reading.row, site), ...item.expected }
  item.shown = reading.row
  if (created === undefined) return undefined
  return omittedVerdict(created, reading.row, site) ?? lostVerdict(item, reading.row, { site, session })
}

/**
 * A new item shows the values that it was created with, at least if a read selects them. Only of properties that existing items have: a
 * service need not store others.
 */
async function lostVerdict(
  { path, expected }: ModelItem,
  row: Row,
  { site, session }: Pick<Context, 'site' | 'session'>,
): Outcome {
  const { reading, examples, type } = site
  if (reading?.query?.select === undefined || reading.query.select === 'none') return undefined
  const isLost = (shown: Row, name: string): boolean => (shown[name] ?? null) === null
  const names = type.properties.flatMap(property => {
    const { name, collection, computed } = property
    const isGiven = !collection && !computed && !isAssumed(property) && (expected[name] ?? '') !== ''
    return isGiven && isLost(row, name) && examples.rows.some(each => !isLost(each, name)) ? [name] : []
  })
  if (names.length === 0) return undefined
  const response = await session.send(readRequest({ endpoint: reading, path }, { select: selectItems(names) }))
  const { status, json } = response
  const name = status === 200 && isRow(json) ? names.find(each => isLost(json, each)) : undefined
  if (name === undefined) return undefined
  return failure({
    message: 'A new item lacks a value that it was created with.',
    expected: `${name}: ${JSON.stringify(expected[name])}`,
    received: describeResponse(response),
    answers: [response],
    features: ['create', 'lost'],
  })
}

/** The response to a create is the created item: it shows the values of the request that a read shows. */
function omittedVerdict(created: TestResponse, row: Row, { type }: WriteSite): Verdict | undefined {
  const { json, status, testRequest } = created
  if ((status !== 200 && status !== 201) || !isRow(json) || !isRow(testRequest.body)) return undefined
  const { body } = testRequest
  const omitted = type.properties.filter(({ name, returned }) => {
    const isSent = (body[name] ?? null) !== null && (row[name] ?? null) !== null
    return isSent && returned !== 'onSelect' && (json[name] ?? null) === null
  })
  if (omitted.length === 0) return undefined
  return failure({
    message: 'The response to a create does not show values that a read of the new item shows.',
    expected: 'the created item',
    received: describeResponse(created),
    why: omitted.map(({ name }) => `${name}: a read returns ${JSON.stringify(row[name])}`),
    answers: [created],
    features: ['create', 'omitted'],
  })
}

/**
 * Reads some properties of an item. The same URL before and after an update shows whether the service keeps responses too
 * long.
 */
async function readSelected(item: ModelItem, names: readonly string[], { site, session }: Context): Outcome {
  const { reading } = site
  if (reading?.query?.select === undefined || reading.query.select === 'none') return undefined
  const selected = names.filter(name => Object.hasOwn(item.expected, name))
  const expected = Object.fromEntries(selected.map(name => [name, item.expected[name]]))
  const request = readRequest({ endpoint: reading, path: item.path }, { select: selectItems(names) })
  const message = 'A read with $select does not return the values as written.'
  const found = await readBack(
    request,
    { ...item, expected, message, features: ['read', 'select'], selected: names },
    site,
    session,
  )
  if (found.kind === 'differs') return failure(found.finding)
  return found.kind === 'inconclusive' ? found : undefined
}

async function readDeleted({ path }: ModelItem, { session }: Context): Outcome {
  let inconclusive: Verdict | undefined
  const finding = await eventually(async (): Promise<Finding | undefined> => {
    const response = await session.send({ method: 'GET', path })
    inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return undefined
    const wrong = errorFinding(response, session.service.faults.itemNotFound, session)
    if (wrong === undefined) return undefined
    const message = `A read of a deleted item got status ${response.status}.`
    return { ...wrong, message, features: ['delete', 'remains'] }
  }, session)
  return finding === undefined ? inconclusive : failure(finding)
}

/** Compares a listing with all items of the model. Collections that are too large to read prove nothing. */
async function compareList({ items }: WriteModel, { site, session }: Context): Outcome {
  const list = listOf(site, session)
  if (list === undefined) return undefined
  const expected = items.filter(({ state }) => state !== 'replaced')
  let verdict: Verdict | undefined
  await eventually(async () => {
    const whole = await readWholeList(list, site, session)
    if (whole === undefined) return undefined
    const verdicts = expected.map(item => {
      const isLive = item.state === 'live'
      return listingVerdict(whole, item, isLive, ['list', isLive ? 'missing' : 'remains'], site, session)
    })
    verdict = verdicts.find(each => each?.kind === 'fail') ?? copiesVerdict(whole, expected, site, session)
    return verdict
  }, session)
  return verdict
}

/** A create that makes two items. */
function copiesVerdict(
  { rows, pages }: QueriedListing,
  items: readonly ModelItem[],
  site: WriteSite,
  session: Session,
): Verdict | undefined {
  for (const { expected, text, state } of items) {
    const isStill = state === 'live' && expected[site.markProperty?.name ?? ''] === text
    const copies = isStill ? copiesIn(rows, text, site) : []
    if (copies.length > 1) return failure(copiesFinding(copies, pages, site, session))
  }
  return undefined
}

async function patch(item: ModelItem, body: Body, context: Context): Outcome {
  const { site, session } = context
  const { update } = site
  if (update === undefined) return undefined
  const wanted = untriedOrAccepted('PATCH', body, site, session)
  if (Object.keys(wanted).length === 0) return undefined
  let failed: Verdict | undefined
  const send = async (part: Body): Promise<boolean> => {
    if (failed !== undefined) return false
    const verdict = await write(item, 'PATCH', part, patched(item.expected, part, site), update, context)
    if (verdict?.kind === 'unsupported') return false
    failed = verdict
    return verdict === undefined
  }
  if (await send(wanted)) return undefined
  if (failed === undefined) await acceptedPart('PATCH', wanted, site, session, send)
  return failed
}

/** An item after an update: named properties are set, complex values are merged. */
function patched(before: Row, changes: Row, { type }: { readonly type: StructuredType }): Row {
  const after: Record<string, unknown> = { ...before }
  for (const [name, value] of Object.entries(changes)) {
    const property = type.properties.find(each => each.name === name)
    const old = before[name]
    const isMerged = property?.type.kind === 'complexType' && !property.collection && isRow(value) && isRow(old)
    after[name] =
      isMerged && property.type.kind === 'complexType' ? patched(old, value, { type: property.type }) : value
  }
  return after
}

/** The names of the objects of which a body sends only some members, if the service may replace objects as a whole. */
function partialObjects(body: Body, { type }: WriteSite, session: Session): readonly string[] {
  if (!permittedValues(session, 'complexUpdate', 'merged').includes('replaced')) return []
  return Object.entries(body).flatMap(([name, value]) => {
    const property = type.properties.find(each => each.name === name)
    if (property?.type.kind !== 'complexType' || property.collection || !isRow(value)) return []
    return property.type.properties.some(member => !Object.hasOwn(value, member.name)) ? [name] : []
  })
}

/** The item after an update without a response body, if its objects may be merged or replaced. */
async function shownAfter(item: ModelItem, body: Body, site: WriteSite, session: Session): Promise<Row | undefined> {
  if (partialObjects(body, site, session).length === 0) return undefined
  const { json } = await session.send({ method: 'GET', path: item.path })
  return isRow(json) ? json : undefined
}

/** The expected item, with the omitted members of objects as the service chose them where it may replace objects. */
function withReplacedObjects(expected: Row, body: Body, shown: Row, site: WriteSite, session: Session): Row {
  const replaced = partialObjects(body, site, session).flatMap(name => {
    const [sent, now] = [body[name], shown[name]]
    return isRow(sent) && isRow(now) ? [[name, { ...now, ...sent }] as const] : []
  })
  return { ...expected, ...Object.fromEntries(replaced) }
}

/** Omitted properties get their defaults or null. Properties that cannot be updated stay. */
async function replace(item: ModelItem, body: Body, context: Context): Outcome {
  const { replacement, type, markProperty } = context.site
  if (replacement === undefined) return undefined
  const sent: Record<string, Json> = { ...typeNameOf(context.site) }
  const expected: Record<string, unknown> = { ...sent }
  for (const property of type.properties) {
    const { name, computed, createOnly, required, default: initial, collection } = property
    if (computed) continue
    const isFixed = createOnly || type.key.includes(property)
    if (isFixed || required || name === markProperty?.name) {
      const current = item.expected[name]
      if (Object.hasOwn(item.expected, name)) expected[name] = current
      if (isJson(current) && !isFixed) sent[name] = current
    } else {
      const given = Object.hasOwn(body, name) ? body[name] : undefined
      expected[name] = given ?? initial ?? (collection ? [] : null)
      if (given !== undefined) sent[name] = given
    }
  }
  return write(item, 'PUT', sent, expected, replacement, context)
}

/** Sends an update. From then on, the item should be as `expected`. */
async function write(
  item: ModelItem,
  method: 'PATCH' | 'PUT',
  body: Body,
  expected: Row,
  endpoint: UpdateEndpoint,
  { site, session }: Context,
): Outcome {
  if (!((await session.ledger?.mayUpdate(item.path)) ?? false)) return unowned
  const headers = await requiredHeaders(item, endpoint.ifMatch, session)
  const response = await session.send({ method, path: item.path, body: withTypeName(body, site), headers })
  const statuses = permittedStatuses('updateStatus', endpoint.status, session)
  const feature = method === 'PATCH' ? 'patch' : 'replace'
  const failed = statusVerdict(response, statuses, feature, 'An update', session)
  if (failed !== undefined) return (await refusedChange(response, body, item, { site, session })) ?? failed
  item.created = undefined
  if (item.shown !== undefined) item.before = { expected: item.expected, shown: item.shown }
  item.expected = expected
  const shown = isRow(response.json) ? response.json : await shownAfter(item, body, site, session)
  if (method === 'PATCH' && shown !== undefined)
    item.expected = withReplacedObjects(expected, body, shown, site, session)
  if (response.status === 204 || !isRow(response.json)) return undefined
  const { json } = response
  item.shown = json
  // Without its key, the response is not the item, but for example only what has changed.
  const unnamed = site.type.key.filter(({ name }) => {
    return item.before !== undefined && Object.hasOwn(item.before.shown, name) && !Object.hasOwn(json, name)
  })
  const why = [
    ...unnamed.map(({ name }) => `${name}: expected the key of the item, received nothing`),
    ...valueMismatches(json, item.expected, site, session, item.before),
  ]
  if (why.length === 0) return undefined
  const isSent = why.some(line => Object.keys(body).some(name => line.startsWith(`${name}:`)))
  return failure({
    message: 'The response to an update does not contain the updated item.',
    expected: `the values of the request, and ${method === 'PATCH' ? 'everything else unchanged' : 'defaults for the rest'}`,
    received: describeResponse(response),
    why,
    answers: [response],
    features: [feature, isSent ? 'sent' : 'omitted'],
  })
}

/** An update of what only the type of the item has names the type. Any other update need not. */
function withTypeName(body: Body, site: WriteSite): Body {
  const isBase = Object.keys(body).every(name => site.declaredType.properties.some(each => each.name === name))
  return isBase ? body : { ...typeNameOf(site), ...body }
}

async function remove(item: ModelItem, context: Context): Outcome {
  const { site, session, remaining } = context
  const { deletion } = site
  if (deletion === undefined) return undefined
  if (session.ledger === undefined || !(await session.ledger.isOwned(item.path))) return unowned
  const headers = await requiredHeaders(item, deletion.ifMatch, session)
  const response = await session.send({ method: 'DELETE', path: item.path, headers })
  const statuses = permittedStatuses('deleteStatus', deletion.status, session)
  const refused = statusVerdict(response, statuses, 'delete', 'A delete', session)
  if (refused !== undefined) return (await refusedDelete(response, session)) ?? refused
  const failed = await readDeleted(item, context)
  if (failed !== undefined) return failed
  remaining.delete(item.path)
  session.ledger.markRemoved(item.path)
  return undefined
}

/** Whether the service says that it did not apply a write. Statuses such as 500 and 504 do not say it. */
function saysRefused({ status, transportError }: TestResponse): boolean {
  return transportError === undefined && status >= 400 && status < 500 && status !== 408 && status !== 425
}

/** A refused delete of an item that was there, and that is gone. Waits as long as a copy may lack a new item. */
async function refusedDelete(response: TestResponse, session: Session): Promise<Verdict | undefined> {
  if (!saysRefused(response)) return undefined
  const finding = await eventually(async (): Promise<Finding | undefined> => {
    const after = await session.send({ method: 'GET', path: response.testRequest.path })
    if (after.status !== 404 && after.status !== 410) return undefined
    return {
      message: `A delete got status ${response.status}, although it removed the item.`,
      expected: 'a success status, or an item that is still there',
      received: describeResponse(after),
      answers: [response, after],
      features: ['delete', 'refused'],
    }
  }, session)
  return finding === undefined ? undefined : failure(finding)
}

/** A refused update after which the item has values of it. */
async function refusedChange(
  response: TestResponse,
  body: Body,
  { path, expected }: ModelItem,
  { site, session }: Pick<Context, 'site' | 'session'>,
): Promise<Verdict | undefined> {
  if (!saysRefused(response)) return undefined
  const sent = Object.fromEntries(Object.entries(body).filter(([name]) => Object.hasOwn(expected, name)))
  const before = Object.fromEntries(Object.keys(sent).map(name => [name, expected[name]]))
  const finding = await eventually(async (): Promise<Finding | undefined> => {
    const after = await session.send({ method: 'GET', path })
    if (after.status !== 200 || !isRow(after.json)) return undefined
    const why = valueMismatches(after.json, before, site, session)
    const changed = why.filter(line => {
      const name = line.slice(0, line.indexOf(':'))
      return valueMismatches(onlyOf(after.json, name), onlyOf(sent, name), site, session).length === 0
    })
    if (changed.length === 0) return undefined
    return {
      message: `An update got status ${response.status}, although it changed the item.`,
      expected: 'a success status, or the item as it was',
      received: describeResponse(after),
      why: changed,
      answers: [response, after],
      features: ['update', 'refused'],
    }
  }, session)
  return finding === undefined ? undefined : failure(finding)
}

function onlyOf(row: unknown, name: string): Row {
  return isRow(row) && Object.hasOwn(row, name) ? { [name]: row[name] } : {}
}

/** The verdict on the status of a write. Undefined if the write succeeded. */
function statusVerdict(
  response: TestResponse,
  statuses: readonly number[],
  feature: string,
  write: string,
  session: Session,
): Verdict | undefined {
  const inconclusive = inconclusiveVerdict(response)
  if (inconclusive !== undefined) return inconclusive
  const { status } = response
  if (isRefusal(response) && isRejection(response, session) && status !== 404) {
    return { kind: 'unsupported', constructs: [feature === 'delete' ? 'delete' : 'patch'] }
  }
  if (statuses.includes(status)) return undefined
  return failure({
    message: `${write} got status ${status}.`,
    expected: `status ${statuses.join(' or ')}`,
    received: describeResponse(response),
    answers: [response],
    features: [feature, 'status'],
  })
}

/** The current entity tag, if the interface requires `If-Match`. */
async function requiredHeaders(
  { path }: ModelItem,
  ifMatch: Support,
  session: Session,
): Promise<Readonly<Record<string, string>>> {
  if (ifMatch !== 'required') return {}
  const { headers } = await session.send({ method: 'GET', path })
  return headers['etag'] === undefined ? {} : { 'if-match': headers['etag'] }
}
