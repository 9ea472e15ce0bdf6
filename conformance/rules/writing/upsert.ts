import { isSamePath, isUpsert, keyInPath, type UpdateEndpoint } from '../../../spec/language/index.js'
import { siteOf } from '../../discover/site.js'
import type { TestResponse } from '../../http/message.js'
import { isRow } from '../../json.js'
import { describeResponse, inconclusiveVerdict, isRejection } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure, type Verdict } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { newBody, untriedOrAccepted } from './accepted-body.js'
import { type Body, fullBody, newValue, nextNumber } from './body.js'
import { promisesLocation } from './create-once.js'
import { cannotCreate, permittedStatuses, readBack, valueMismatches } from './created-item.js'
import { removeItem, type WriteSite, writeSite, writeSites } from './write-site.js'

/** @see OData 4.01 Protocol, 11.4.4 (upsert an entity), 8.2.4 and 8.2.5 */
export const upsert: ActiveRule = {
  kind: 'active',
  id: 'upsert',
  area: 'writing',
  statement:
    'A PATCH or PUT of an item that does not exist creates it with the key or alternate key of the path, but not with If-Match. With If-None-Match: * it never changes an item.',
  advice:
    'If no item has the key, handle the update as a create with that key: 201, or 204 without a body. Evaluate If-Match and If-None-Match first; both are 412 if they do not hold. See OData 4.01 Protocol, 11.4.4.',
  aspects: ['update.create'],
  covers: ['endpoint.update', 'endpoint.replace', 'feature.upsert'],
  severity: 'must',
  writes: true,
  cost: 7,
  weight: 6,
  sites: session =>
    writeSites(session).filter(site => site.reading !== undefined && upsertsOf(site, session).length > 0),
  cases: (site, session) => {
    const writable = writeSite(site, session)
    const endpoints = writable === undefined ? [] : upsertsOf(writable, session)
    return { planned: endpoints.map(endpoint => ({ name: nameOf(endpoint) })) }
  },
  check: async ({ name }, site, session) => {
    const writable = writeSite(site, session)
    const endpoint = writable && upsertsOf(writable, session).find(each => nameOf(each) === name)
    const mayCreate = writable !== undefined && session.ledger?.mayCreate(writable) === true
    if (writable === undefined || endpoint === undefined || !mayCreate)
      return { kind: 'inconclusive', why: cannotCreate }
    const values = untriedOrAccepted('POST', fullBody(writable, 4), writable, session)
    const verdict = await withNewItem(values, endpoint, writable, session)
    // The service may refuse one of the values.
    return verdict.kind === 'unsupported' ? withNewItem({}, endpoint, writable, session) : verdict
  },
}

/** Changes an item that does not exist, first with a condition that forbids to create it. */
async function withNewItem(
  values: Body,
  endpoint: UpdateEndpoint,
  site: WriteSite,
  session: Session,
): Promise<Verdict> {
  const created = await newBody(values, site, session)
  if (created === undefined) return { kind: 'inconclusive', why: cannotCreate }
  const body = { ...keyValues(endpoint, site, session), ...created }
  const path = siteOf(endpoint, { site, row: body })?.path
  const before = path === undefined ? undefined : await session.send({ method: 'GET', path })
  if (path === undefined || before?.status !== 404) return { kind: 'inconclusive', why: 'no unused key is known' }
  const test: UpsertTest = { path, body, endpoint, site, session, created: new Set() }
  try {
    const conditional = endpoint.ifMatch === 'none' ? undefined : await checkIfMatch(test)
    return conditional === undefined || conditional.kind === 'pass' ? await checkCreate(test) : conditional
  } finally {
    for (const created of test.created) await removeItem(created, session)
  }
}

/** The updates that create an item of a site if it does not exist: by its key, and by alternate keys that can be read. */
function upsertsOf(
  { update, replacement, endpoint: { resolved } }: WriteSite,
  { service }: Pick<Session, 'service'>,
): readonly UpdateEndpoint[] {
  const byAlternateKey = service.endpoints.filter((each): each is UpdateEndpoint => {
    if ((each.kind !== 'update' && each.kind !== 'replace') || each.resolved.at(-1)?.kind !== 'alternateKey')
      return false
    const isRead = service.endpoints.some(
      ({ kind, resolved: read }) => kind === 'item' && isSamePath(read, each.resolved),
    )
    return isRead && isSamePath(each.resolved.slice(0, -1), resolved)
  })
  const byKey = [update, replacement].filter(each => each !== undefined)
  return [...byKey, ...byAlternateKey].filter(each => isUpsert(each, service))
}

/** `PATCH`, `PATCH by mail`. */
function nameOf(endpoint: UpdateEndpoint): string {
  if (endpoint.resolved.at(-1)?.kind !== 'alternateKey') return endpoint.method
  const names = keyInPath(endpoint).map(({ name }) => name)
  return `${endpoint.method} by ${names.join(' and ')}`
}

/** New values of the alternate key in a path: a body need not have them. */
function keyValues(endpoint: UpdateEndpoint, site: WriteSite, session: Session): Body {
  if (endpoint.resolved.at(-1)?.kind !== 'alternateKey') return {}
  const number = nextNumber(session)
  const values: Record<string, Body[string]> = {}
  for (const property of keyInPath(endpoint)) {
    const value = newValue(property, number, site, session)
    if (value !== undefined) values[property.name] = value
  }
  return values
}

interface UpsertTest {
  /** Of the item, which does not exist. */
  readonly path: string
  /** All values of the item, with its key. */
  readonly body: Body
  readonly endpoint: UpdateEndpoint
  readonly site: WriteSite
  readonly session: Session
  /** The paths of the items that changes have created. */
  readonly created: Set<string>
}

/** Sends a change of the item. The key of the path is in the path only. */
async function sendChange(
  values: Body,
  headers: Readonly<Record<string, string>>,
  { path, endpoint, site, session, created }: UpsertTest,
): Promise<TestResponse> {
  const keys = new Set(keyInPath(endpoint).map(({ name }) => name))
  const body = Object.fromEntries(Object.entries(values).filter(([name]) => !keys.has(name)))
  const { method } = endpoint
  const sent = await session.ledger?.upsert(site, { method, path, headers, body })
  if (sent?.path !== undefined) created.add(sent.path)
  return sent?.response ?? session.send({ method, path, headers, body })
}

async function checkCreate(test: UpsertTest): Promise<Verdict> {
  const { path, body, endpoint, site, session } = test
  const condition = endpoint.ifMatch === 'required' ? { 'if-none-match': '*' } : {}
  const response = await sendChange(body, condition, test)
  const { status, json } = response
  const refused = refusal(response, test)
  if (refused !== undefined) return refused
  const statuses = new Set([...permittedStatuses('createStatus', site.endpoint.status, session), 201, 204])
  if (!statuses.has(status)) {
    const expected = `status ${[...statuses].join(' or ')}`
    return fail(response, `An update that created its item got status ${status}.`, expected, 'status')
  }
  if (status === 201 && response.headers['location'] === undefined && promisesLocation(session.service)) {
    const message = 'The 201 of an update that created its item does not name the address of the item.'
    return fail(response, message, 'the header Location', 'location')
  }
  const why = isRow(json) ? valueMismatches(json, body, site, session) : []
  if (why.length > 0) {
    const message = 'The response to an update that created its item has other values than the request.'
    return fail(response, message, 'the values of the request', 'values', why)
  }
  const message = 'An item that an update created is not there as it was sent.'
  const read = await readBack(path, { expected: body, message, features: ['upsert', 'values'] }, site, session)
  if (read.kind === 'differs') return failure({ ...read.finding, answers: [response, ...read.finding.answers] })
  if (read.kind === 'inconclusive') return read
  return checkIfNoneMatch(test)
}

/** With `If-None-Match: *`, the item, which exists now, must not change. */
async function checkIfNoneMatch(test: UpsertTest): Promise<Verdict> {
  const { path, body, site, session, created } = test
  const { markProperty } = site
  const text = markProperty === undefined ? undefined : body[markProperty.name]
  for (const own of created) if ((await session.ledger?.isOwned(own)) !== true) return { kind: 'pass' }
  const changes = markProperty === undefined || typeof text !== 'string' ? {} : { [markProperty.name]: `${text} 2` }
  const response = await sendChange({ ...body, ...changes }, { 'if-none-match': '*' }, test)
  const inconclusive = inconclusiveVerdict(response)
  if (inconclusive !== undefined) return inconclusive
  if (response.status >= 200 && response.status < 300) {
    const message = 'An update with If-None-Match: * changed an item that exists.'
    return fail(response, message, 'status 412', 'ifNoneMatch')
  }
  const message = 'An update with If-None-Match: * was refused, but the item has changed.'
  const read = await readBack(path, { expected: body, message, features: ['upsert', 'ifNoneMatch'] }, site, session)
  return read.kind === 'differs' ? failure(read.finding) : { kind: 'pass' }
}

/** With `If-Match`, an update must not create the item. */
async function checkIfMatch(test: UpsertTest): Promise<Verdict> {
  const { path, body, session } = test
  const response = await sendChange(body, { 'if-match': '*' }, test)
  const inconclusive = inconclusiveVerdict(response)
  if (inconclusive !== undefined) return inconclusive
  const after = response.status < 300 ? undefined : await session.send({ method: 'GET', path })
  if (after !== undefined && after.status !== 200) return { kind: 'pass' }
  const message = 'An update with If-Match created an item.'
  const expected = 'status 412: no item has the key, so none matches'
  return fail(response, message, expected, 'ifMatch', [], after)
}

/** The verdict on an answer that creates nothing. Undefined: it has created the item. */
function refusal(response: TestResponse, { endpoint, session }: UpsertTest): Verdict | undefined {
  const { status } = response
  if (status >= 200 && status < 300) return undefined
  const inconclusive = inconclusiveVerdict(response)
  if (inconclusive !== undefined) return inconclusive
  const isPromised = session.service.features.upsert === 'required' && endpoint.support === 'required'
  // A refused value, 400 or 409, says nothing about upsert; nor does a service that wants an entity tag, 428.
  if (isPromised && [404, 405, 412, 501].includes(status)) {
    const message = `A ${endpoint.method} of an item that does not exist got status ${status}.`
    return fail(response, message, 'status 201: the update creates the item', 'refused')
  }
  return isRejection(response, session)
    ? { kind: 'unsupported', constructs: ['upsert'] }
    : { kind: 'inconclusive', why: 'the service refuses the update without a proper error' }
}

function fail(
  response: TestResponse,
  message: string,
  expected: string,
  feature: string,
  why: readonly string[] = [],
  after?: TestResponse,
): Verdict {
  return failure({
    message,
    expected,
    received: describeResponse(response),
    answers: after === undefined ? [response] : [response, after],
    features: ['upsert', feature],
    ...(why.length === 0 ? {} : { why }),
  })
}
