import type { Support, UpdateEndpoint } from '../../../spec/language/index.js'
import { isRow, type Json, type Row } from '../../json.js'
import { describeResponse, errorFinding, inconclusiveVerdict, isRejection } from '../../rule/response.js'
import type { Finding, TestStep, Verdict } from '../../rule/rule.js'
import type { Session } from '../../session/session.js'
import type { Body } from './body.js'
import { createItem, eventually, permittedStatuses, readBack, removeItem, valueMismatches } from './created-item.js'
import type { WriteSite } from './write-site.js'

/** An item of a case, as it should be. */
interface Item {
  readonly path: string
  expected: Row
  isGone: boolean
}

type Outcome = Verdict | undefined

/**
 * Carries out the steps of a case and holds each answer, and each read, to what the writes before it say. What was made is
 * removed again.
 *
 * Steps: `create` with a body, `read`, `patch` and `replace` with a body, `delete`. `item` counts among those that were made.
 */
export async function runLifeCycle(steps: readonly TestStep[], site: WriteSite, session: Session): Promise<Verdict> {
  const items: Item[] = []
  let told = false
  try {
    for (const step of steps) {
      const outcome = await runStep(step, items, site, session)
      if (outcome === undefined) told ||= step.action !== 'create' || items.length > 0
      else if (outcome.kind !== 'pass') return outcome
    }
    return { kind: 'pass', vacuous: !told }
  } finally {
    for (const { path, isGone } of items) if (!isGone) await removeItem(path, session)
  }
}

async function runStep(step: TestStep, items: Item[], site: WriteSite, session: Session): Promise<Outcome> {
  if (step.action === 'create') return create(step, items, site, session)
  const item = items[(step.item ?? 0) % Math.max(items.length, 1)]
  if (item === undefined) return undefined
  switch (step.action) {
    case 'read':
      return read(item, site, session)
    case 'patch':
      return item.isGone ? undefined : change(item, bodyOf(step), site, session)
    case 'replace':
      return item.isGone ? undefined : replace(item, bodyOf(step), site, session)
    case 'delete':
      return item.isGone ? undefined : remove(item, site, session)
    default:
      return undefined
  }
}

function bodyOf({ body }: TestStep): Body {
  return isObject(body) ? body : {}
}

function isJson(value: unknown): value is Json {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return true
  return Array.isArray(value) ? value.every(isJson) : isRow(value) && Object.values(value).every(isJson)
}

function isObject(body: Json | undefined): body is { readonly [name: string]: Json } {
  return typeof body === 'object' && body !== null && !Array.isArray(body)
}

async function create(step: TestStep, items: Item[], site: WriteSite, session: Session): Promise<Outcome> {
  const making = await createItem(bodyOf(step), site, session)
  if (making.kind === 'ended') return making.verdict
  const { path, row } = making.item
  // What the service filled in itself is not to change from now on either.
  const expected = { ...(row === undefined ? {} : kept(row, site)), ...making.item.expected }
  // A key may be given again once its item is gone.
  const before = items.findIndex(item => item.path === path && item.isGone)
  if (before >= 0) items.splice(before, 1)
  items.push({ path, expected, isGone: false })
  return making.finding === undefined ? undefined : { kind: 'fail', finding: making.finding }
}

async function read(item: Item, site: WriteSite, session: Session): Promise<Outcome> {
  if (item.isGone) return readGone(item, session)
  const message = 'A read does not return the item as written.'
  const reading = await readBack(item.path, item.expected, site, session, message, ['read', 'values'])
  if (reading.kind === 'untold') return { kind: 'inconclusive', why: reading.why }
  if (reading.kind === 'wrong') return { kind: 'fail', finding: reading.finding }
  item.expected = { ...kept(reading.row, site), ...item.expected }
  return undefined
}

/** What only a write changes. */
function kept(row: Row, { type }: WriteSite): Row {
  const names = type.properties.filter(({ computed }) => !computed).map(({ name }) => name)
  return Object.fromEntries(names.flatMap(name => (Object.hasOwn(row, name) ? [[name, row[name]] as const] : [])))
}

async function readGone({ path }: Item, session: Session): Promise<Outcome> {
  let why: string | undefined
  const finding = await eventually(async (): Promise<Finding | undefined> => {
    const answer = await session.send({ method: 'GET', path })
    why = inconclusiveVerdict(answer)?.why
    if (why !== undefined) return undefined
    const wrong = errorFinding(answer, session.service.faults.itemNotFound, session)
    if (wrong === undefined) return undefined
    return {
      ...wrong,
      message: `A read of a deleted item got status ${answer.status}.`,
      features: ['delete', 'remains'],
    }
  }, session)
  if (finding !== undefined) return { kind: 'fail', finding }
  return why === undefined ? undefined : { kind: 'inconclusive', why }
}

function change(item: Item, body: Body, site: WriteSite, session: Session): Promise<Outcome> {
  if (site.update === undefined || Object.keys(body).length === 0) return Promise.resolve(undefined)
  return write(item, 'PATCH', body, { ...item.expected, ...body }, site.update, site, session)
}

/** What the body leaves out goes to its default, or is nothing; what cannot be changed stays. */
function replace(item: Item, body: Body, site: WriteSite, session: Session): Promise<Outcome> {
  if (site.replacement === undefined) return Promise.resolve(undefined)
  const { type, markProperty: marked } = site
  const keeps = (name: string): boolean => Object.hasOwn(item.expected, name)
  const full: Record<string, Json> = {}
  const expected: Record<string, unknown> = {}
  for (const property of type.properties) {
    const { name, computed, createOnly, required, default: initial, collection } = property
    if (computed) continue
    const isKept = createOnly || type.key.includes(property) || required || name === marked.name
    const old = item.expected[name]
    if (isKept) {
      if (keeps(name)) expected[name] = old
      if (isJson(old) && !createOnly && !type.key.includes(property)) full[name] = old
    } else {
      expected[name] = Object.hasOwn(body, name) ? body[name] : (initial ?? (collection ? [] : null))
      const given = Object.hasOwn(body, name) ? body[name] : undefined
      if (given !== undefined) full[name] = given
    }
  }
  return write(item, 'PUT', full, expected, site.replacement, site, session)
}

/** Sends a change; from then on the item is as `expected`. */
async function write(
  item: Item,
  method: 'PATCH' | 'PUT',
  body: Body,
  expected: Row,
  endpoint: UpdateEndpoint,
  site: WriteSite,
  session: Session,
): Promise<Outcome> {
  if (session.ledger?.isOwned(item.path) !== true) return undefined
  const headers = await demanded(item, endpoint.ifMatch, session)
  const answer = await session.send({ method, path: item.path, body, headers })
  const nothing = inconclusiveVerdict(answer)
  if (nothing !== undefined) return nothing
  if (isRejection(answer, session) && answer.status !== 404) return { kind: 'unsupported', constructs: ['patch'] }
  const what = method === 'PATCH' ? 'patch' : 'replace'
  const statuses = permittedStatuses('updateStatus', endpoint.status, session)
  const received = describeResponse(answer)
  if (!statuses.includes(answer.status)) {
    const message = `An update got status ${answer.status}.`
    const wanted = `status ${statuses.join(' or ')}`
    const finding = { message, expected: wanted, received, answers: [answer], features: [what, 'status'] }
    return { kind: 'fail', finding }
  }
  item.expected = expected
  if (answer.status === 204 || !isRow(answer.json)) return undefined
  const why = valueMismatches(answer.json, item.expected, site, session)
  if (why.length === 0) return undefined
  return {
    kind: 'fail',
    finding: {
      message: 'The response to an update does not contain the updated item.',
      expected:
        method === 'PATCH'
          ? 'the values of the request, and everything else unchanged'
          : 'the values of the request, and defaults for the rest',
      received,
      why,
      answers: [answer],
      features: [what, omittedOrSent(why, body)],
    },
  }
}

/** Whether what was sent is wrong, or what was not. */
function omittedOrSent(why: readonly string[], body: Body): string {
  return why.some(line => Object.keys(body).some(name => line.startsWith(`${name}:`))) ? 'sent' : 'omitted'
}

async function remove(item: Item, site: WriteSite, session: Session): Promise<Outcome> {
  const { ledger } = session
  if (ledger?.isOwned(item.path) !== true) return undefined
  const headers = await demanded(item, site.deletion.ifMatch, session)
  const answer = await session.send({ method: 'DELETE', path: item.path, headers })
  const nothing = inconclusiveVerdict(answer)
  if (nothing !== undefined) return nothing
  if (isRejection(answer, session) && answer.status !== 404) return { kind: 'unsupported', constructs: ['delete'] }
  const statuses = permittedStatuses('deleteStatus', site.deletion.status, session)
  if (!statuses.includes(answer.status)) {
    return {
      kind: 'fail',
      finding: {
        message: `A delete got status ${answer.status}.`,
        expected: `status ${statuses.join(' or ')}`,
        received: describeResponse(answer),
        answers: [answer],
        features: ['delete', 'status'],
      },
    }
  }
  const gone = await readGone(item, session)
  if (gone !== undefined) return gone
  item.isGone = true
  ledger.markRemoved(item.path)
  return undefined
}

/** The tag that a change must carry where the interface demands one. */
async function demanded({ path }: Item, ifMatch: Support, session: Session): Promise<Readonly<Record<string, string>>> {
  if (ifMatch !== 'required') return {}
  const { headers } = await session.send({ method: 'GET', path })
  return headers['etag'] === undefined ? {} : { 'if-match': headers['etag'] }
}
