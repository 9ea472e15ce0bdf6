import fc from 'fast-check'
import type { Support, UpdateEndpoint } from '../../../spec/language/index.js'
import type { TestResponse } from '../../http/message.js'
import { isRow, type Json, type Row } from '../../json.js'
import { describeResponse, errorFinding, inconclusiveVerdict, isRejection } from '../../rule/response.js'
import type { Finding, TestStep, Verdict } from '../../rule/rule.js'
import type { Session } from '../../session/session.js'
import type { Body } from './body.js'
import {
  createItem,
  eventually,
  permittedStatuses,
  readBack,
  removeItem,
  valueMismatches,
  writtenValues,
} from './created-item.js'
import { listingVerdict, listOf, readWholeList } from './listing.js'
import { commandsOf, type ModelItem, type WriteModel, type WriteTarget } from './model.js'
import type { WriteSite } from './write-site.js'

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

/** Undefined: continue with the next step. */
type Outcome = Promise<Verdict | undefined>

async function runStep(step: TestStep, item: ModelItem | undefined, model: WriteModel, context: Context): Outcome {
  if (step.action === 'list') return compareList(model, context)
  if (item === undefined) return undefined
  switch (step.action) {
    case 'create':
      return create(item, bodyOf(step), model, context)
    case 'read':
      return item.state === 'live' ? read(item, context) : readDeleted(item, context)
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
  // Values that the service has chosen must not change from now on either.
  item.expected = { ...(row === undefined ? {} : writtenValues(row, site)), ...expected }
  return outcome.finding === undefined ? undefined : { kind: 'fail', finding: outcome.finding }
}

async function read(item: ModelItem, { site, session }: Context): Outcome {
  const message = 'A read does not return the item as written.'
  const reading = await readBack(item.path, item.expected, site, session, message, ['read', 'values'])
  if (reading.kind === 'inconclusive') return reading
  if (reading.kind === 'differs') return { kind: 'fail', finding: reading.finding }
  item.expected = { ...writtenValues(reading.row, site), ...item.expected }
  return undefined
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
  return finding === undefined ? inconclusive : { kind: 'fail', finding }
}

/** Compares a listing with all items of the model. Collections that are too large to read prove nothing. */
async function compareList({ items }: WriteModel, { site, session }: Context): Outcome {
  const list = listOf(site, session)
  if (list === undefined) return undefined
  const expected = items.filter(({ state }) => state !== 'replaced')
  let verdict: Verdict | undefined
  await eventually(async () => {
    const whole = await readWholeList(list, session)
    if (whole === undefined) return undefined
    const verdicts = expected.map(item => {
      const isLive = item.state === 'live'
      return listingVerdict(whole, item, isLive, ['list', isLive ? 'missing' : 'remains'], site, session)
    })
    verdict = verdicts.find(each => each?.kind === 'fail')
    return verdict
  }, session)
  return verdict
}

async function patch(item: ModelItem, body: Body, context: Context): Outcome {
  const { update } = context.site
  if (update === undefined || Object.keys(body).length === 0) return undefined
  return write(item, 'PATCH', body, { ...item.expected, ...body }, update, context)
}

/** Omitted properties get their defaults or null. Properties that cannot be updated stay. */
async function replace(item: ModelItem, body: Body, context: Context): Outcome {
  const { replacement, type, markProperty } = context.site
  if (replacement === undefined) return undefined
  const sent: Record<string, Json> = {}
  const expected: Record<string, unknown> = {}
  for (const property of type.properties) {
    const { name, computed, createOnly, required, default: initial, collection } = property
    if (computed) continue
    const isFixed = createOnly || type.key.includes(property)
    if (isFixed || required || name === markProperty.name) {
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

function isJson(value: unknown): value is Json {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return true
  return Array.isArray(value) ? value.every(isJson) : isRow(value) && Object.values(value).every(isJson)
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
  if (session.ledger?.isOwned(item.path) !== true) return undefined
  const headers = await requiredHeaders(item, endpoint.ifMatch, session)
  const response = await session.send({ method, path: item.path, body, headers })
  const statuses = permittedStatuses('updateStatus', endpoint.status, session)
  const feature = method === 'PATCH' ? 'patch' : 'replace'
  const failed = statusVerdict(response, statuses, feature, 'An update', session)
  if (failed !== undefined) return failed
  item.expected = expected
  if (response.status === 204 || !isRow(response.json)) return undefined
  const why = valueMismatches(response.json, expected, site, session)
  if (why.length === 0) return undefined
  const isSent = why.some(line => Object.keys(body).some(name => line.startsWith(`${name}:`)))
  return {
    kind: 'fail',
    finding: {
      message: 'The response to an update does not contain the updated item.',
      expected: `the values of the request, and ${method === 'PATCH' ? 'everything else unchanged' : 'defaults for the rest'}`,
      received: describeResponse(response),
      why,
      answers: [response],
      features: [feature, isSent ? 'sent' : 'omitted'],
    },
  }
}

async function remove(item: ModelItem, context: Context): Outcome {
  const { site, session, remaining } = context
  if (session.ledger?.isOwned(item.path) !== true) return undefined
  const headers = await requiredHeaders(item, site.deletion.ifMatch, session)
  const response = await session.send({ method: 'DELETE', path: item.path, headers })
  const statuses = permittedStatuses('deleteStatus', site.deletion.status, session)
  const failed = statusVerdict(response, statuses, 'delete', 'A delete', session) ?? (await readDeleted(item, context))
  if (failed !== undefined) return failed
  remaining.delete(item.path)
  session.ledger.markRemoved(item.path)
  return undefined
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
  if (isRejection(response, session) && status !== 404) {
    return { kind: 'unsupported', constructs: [feature === 'delete' ? 'delete' : 'patch'] }
  }
  if (statuses.includes(status)) return undefined
  return {
    kind: 'fail',
    finding: {
      message: `${write} got status ${status}.`,
      expected: `status ${statuses.join(' or ')}`,
      received: describeResponse(response),
      answers: [response],
      features: [feature, 'status'],
    },
  }
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
