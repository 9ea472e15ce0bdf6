import type { QueryOptions } from '../../../runtime/query/index.js'
import type { Service } from '../../../spec/language/index.js'
import { keyOf, siteOf } from '../../discover/site.js'
import type { TestRequest, TestResponse } from '../../http/message.js'
import { isJson, isRow, type Row } from '../../json.js'
import { mayBeTruncated } from '../../lists/related-items.js'
import { describeResponse, inconclusiveVerdict, isRejection } from '../../rule/response.js'
import type { ActiveRule, PassiveRule } from '../../rule/rule.js'
import { type Finding, failure, type Verdict, verdictOf } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { pathOfLocation } from '../../writes/ledger.js'
import { untriedOrAccepted } from './accepted-body.js'
import { type Body, fullBody, newValue, nextNumber, patchBody, updatedBody } from './body.js'
import { type CreatedItem, createItem, readBack } from './created-item.js'
import { equalTo, isSmall, readList, readWholeList, wholeListOptions } from './listing.js'
import { listOf, needsCredential, removeItem, type WriteSite, writeSite, writeSites } from './write-site.js'

export const createOnce: ActiveRule = {
  kind: 'active',
  id: 'create-once',
  area: 'writing',
  statement:
    'A create makes exactly one item, which keeps its state when another one with the same values changes. It removes none, and no deleted one comes back. Without a valid credential, it makes none.',
  advice:
    'Look for inserts that run twice: retries inside the service, a hook beside the handler, a write to two tables that one list joins. Change and delete items by their keys, never by other values.',
  aspects: ['create.item', 'methods'],
  covers: ['endpoint.create'],
  severity: 'must',
  writes: true,
  cost: 4,
  weight: 7,
  sites: session =>
    writeSites(session).filter(site => site.markProperty !== undefined && listOf(site, session) !== undefined),
  cases: (_site, session) => ({
    planned: [
      { variant: 'count copies' },
      { variant: otherItems },
      { variant: twins },
      ...(needsCredential(session) ? [{ variant: withoutCredential }] : []),
      { variant: olderTwin },
    ],
  }),
  check: async ({ variant }, site, session) => {
    const writable = writeSite(site, session)
    if (writable === undefined) return { kind: 'inconclusive', why: 'items cannot be created here' }
    if (variant === otherItems) return checkOtherItems(writable, session)
    const outcome = await createItem(fullBody(writable, 6), writable, session)
    if (outcome.kind === 'ended') {
      const isRefused = outcome.verdict.kind !== 'fail' && session.ledger?.isUncertain(writable) === false
      const made = isRefused ? await refusedItem(writable, session) : undefined
      return made === undefined ? outcome.verdict : failure(made)
    }
    try {
      if (variant === withoutCredential) return await createWithoutCredential(outcome.item, writable, session)
      return variant === twins || variant === olderTwin
        ? await checkTwins(outcome.item, variant === olderTwin, writable, session)
        : await countCopies(outcome.item, writable, session)
    } finally {
      await removeItem(outcome.item.path, session)
    }
  },
}

const twins = 'twins'
const olderTwin = 'the older twin'
const withoutCredential = 'without a credential'
const otherItems = 'other items'

/** The paths of the existing items that a list shows, by key. Empty if the list cannot be read to its end. */
async function listedItems(site: WriteSite, session: Session): Promise<ReadonlyMap<string, string>> {
  const { reading, examples, type } = site
  const list = listOf(site, session)
  const listing = list === undefined ? undefined : await readWholeList(list, site, session)
  if (reading === undefined || listing === undefined) return new Map()
  const { rows, end, options } = listing
  if (end !== 'complete' || mayBeTruncated(rows.length, options, session)) return new Map()
  // Others come and go: a list may show later that this run has deleted them.
  const existing = new Set(examples.rows.map(row => keyOf(row, type)))
  const paths = rows.flatMap(row => {
    const key = keyOf(row, type)
    const path = siteOf(reading, { site, row })?.path
    return key !== undefined && path !== undefined && existing.has(key) ? [[key, path] as const] : []
  })
  return new Map(paths)
}

/** Creates an item, deletes it, and creates another one. The existing items stay, and the deleted one is gone. */
async function checkOtherItems(site: WriteSite, session: Session): Promise<Verdict> {
  const before = await listedItems(site, session)
  const first = await createItem(fullBody(site, 6), site, session)
  if (first.kind === 'ended') return first.verdict
  const removed = await removeItem(first.item.path, session)
  const isGone = removed !== undefined && removed.status < 300 && (await isMissing(first.item.path, session))
  const second = await createItem(fullBody(site, 6), site, session)
  if (second.kind === 'ended') return { kind: 'pass', vacuous: true }
  try {
    const after = await listedItems(site, session)
    const lost = after.size === 0 ? undefined : [...before].find(([key]) => !after.has(key))?.[1]
    if (lost !== undefined && (await isMissing(lost, session)))
      return failure(await otherItemsFinding(lost, true, session))
    if (isGone && second.item.path !== first.item.path && (await session.send(read(first.item.path))).status === 200)
      return failure(await otherItemsFinding(first.item.path, false, session))
    return { kind: 'pass', vacuous: before.size === 0 && !isGone }
  } finally {
    await removeItem(second.item.path, session)
  }
}

const read = (path: string): TestRequest => ({ method: 'GET', path })

async function isMissing(path: string, session: Session): Promise<boolean> {
  const { status } = await session.send(read(path))
  return status === 404 || status === 410
}

async function otherItemsFinding(path: string, isLost: boolean, session: Session): Promise<Finding> {
  const response = await session.send(read(path))
  return {
    message: isLost ? 'A create removes another item.' : 'A create brings back a deleted item.',
    expected: isLost ? 'the item, which the list had before the create' : 'status 404, as before the create',
    received: describeResponse(response),
    answers: [response],
    features: ['create', isLost ? 'removes another' : 'deleted item'],
  }
}

/**
 * Creates the item once more, with the same values. Then changes and deletes the second one; the first one stays as it is.
 *
 * @param isOlder whether to change the first one instead; the second one stays as it is
 */
async function checkTwins(first: CreatedItem, isOlder: boolean, site: WriteSite, session: Session): Promise<Verdict> {
  const { ledger } = session
  const body = twinOf(first, site, session)
  if (ledger === undefined || body === undefined || !ledger.mayCreate(site)) return { kind: 'pass', vacuous: true }
  const { response, path } = await ledger.create(site, body)
  if (path === undefined || response.status >= 300) return { kind: 'pass', vacuous: true }
  if (path === first.path) {
    return failure({
      message: 'Two creates with the same values got the same address.',
      expected: 'another item than the first one',
      received: path,
      answers: [first.response, response],
      features: ['create', 'same address'],
    })
  }
  const second = { path, expected: { ...first.expected, ...body } }
  const changed = await (isOlder
    ? otherItemAfterUpdate(second, first.path, site, session)
    : otherItemAfterUpdate(first, path, site, session))
  if (changed !== undefined) {
    await removeItem(path, session)
    return failure(changed)
  }
  const removed = await removeItem(path, session)
  const isGone = removed !== undefined && removed.status < 300
  return verdictOf(isGone && !isOlder ? await otherItemFinding(first, 'delete', site, session) : undefined)
}

/** Changes as much as possible of the item at a path. A finding if the other one changes, too. */
async function otherItemAfterUpdate(
  other: OtherItem,
  path: string,
  site: WriteSite,
  session: Session,
): Promise<Finding | undefined> {
  if (site.update === undefined || (await session.ledger?.mayUpdate(path)) !== true) return undefined
  const headers = site.update.ifMatch === 'none' ? {} : { 'if-match': '*' }
  for (const changes of [updatedBody(site, 17), patchBody(site, 6)]) {
    const body = untriedOrAccepted('PATCH', changes, site, session)
    if (Object.keys(body).length === 0) continue
    const { status } = await session.send({ method: 'PATCH', path, headers, body })
    if (status < 300) return otherItemFinding(other, 'update', site, session)
  }
  return undefined
}

type OtherItem = Pick<CreatedItem, 'path' | 'expected'>

/** The body of the first create, with other values where they must be unique. */
function twinOf({ response }: CreatedItem, site: WriteSite, session: Session): Body | undefined {
  const { body } = response.testRequest
  if (!isRow(body) || !isJson(body)) return undefined
  const { type, markProperty } = site
  const identifying = new Set([...type.key, ...type.alternateKeys.flat()])
  if (markProperty === undefined || markProperty.unique || identifying.has(markProperty)) return undefined
  const number = nextNumber(session)
  const values = Object.entries(body).map(([name, value]) => {
    const property = type.properties.find(each => each.name === name)
    const isUnique = property !== undefined && (property.unique || identifying.has(property))
    return [
      name,
      isUnique ? (newValue(property, number, site, session) ?? null) : isJson(value) ? value : null,
    ] as const
  })
  return Object.fromEntries(values)
}

async function otherItemFinding(
  { path, expected }: OtherItem,
  change: 'update' | 'delete',
  site: WriteSite,
  session: Session,
): Promise<Finding | undefined> {
  const message = `${change === 'update' ? 'An update' : 'A delete'} of an item also concerns another one with the same values.`
  const reading = await readBack(path, { expected, message, features: [change, 'other item'] }, site, session)
  return reading.kind === 'differs' ? reading.finding : undefined
}

/** Sends the create once more, without a credential. The check of the credential comes before the write. */
async function createWithoutCredential(first: CreatedItem, site: WriteSite, session: Session): Promise<Verdict> {
  const body = twinOf(first, site, session)
  if (body === undefined || session.ledger?.mayCreate(site) !== true) return { kind: 'pass', vacuous: true }
  const response = await session.send({ method: 'POST', path: site.path, body, credential: 'none' })
  const found = await findCopies(first, site, session)
  const isCreated = 'copies' in found && found.copies.length > 1
  if (isCreated || response.status < 300) session.ledger.recordUncertain(site)
  if (!('copies' in found)) return found
  if (!isCreated) return { kind: 'pass', vacuous: found.copies.length === 0 }
  return failure({
    message: 'A POST without a credential creates an item.',
    expected: 'status 401, and no new item',
    received: describeResponse(response),
    surplus: found.copies.slice(1),
    answers: [response, ...found.pages.slice(0, 2)],
    features: ['create', 'no credential'],
  })
}

/** A finding if a list has an item of this run, although all its creates were refused. */
async function refusedItem(site: WriteSite, session: Session): Promise<Finding | undefined> {
  const list = listOf(site, session)
  const name = site.markProperty?.name
  const listing = list === undefined ? undefined : await readWholeList(list, site, session)
  const made = listing?.rows.find(row => name !== undefined && String(row[name]).includes(site.mark))
  const path =
    made === undefined || site.reading === undefined ? undefined : siteOf(site.reading, { site, row: made })?.path
  if (listing === undefined || made === undefined || path === undefined) return undefined
  if (session.ledger?.hasCreated(path) !== false) return undefined
  session.ledger.recordUncertain(site)
  return {
    message: 'A create that was refused makes an item.',
    expected: 'no new item',
    received: JSON.stringify(made),
    answers: listing.pages.slice(0, 2),
    features: ['create', 'refused'],
  }
}

/** A finding if `Location` names another address than that of the new item, and the item is not there. */
async function locationFinding(
  { path, response }: CreatedItem,
  site: WriteSite,
  session: Session,
): Promise<Finding | undefined> {
  const root = response.request.url.slice(0, -site.path.length)
  const named = pathOfLocation(response.headers['location'], site.path, root)
  if (named === undefined || named === path) return undefined
  const [there, here] = [
    await session.send({ method: 'GET', path: named }),
    await session.send({ method: 'GET', path }),
  ]
  if (here.status !== 200 || !isRow(here.json)) return undefined
  const isOther =
    there.status === 200 && isRow(there.json) && keyOf(there.json, site.type) !== keyOf(here.json, site.type)
  if (there.status !== 404 && !isOther) return undefined
  return {
    message: 'The Location of a create does not lead to the new item.',
    expected: `the address of ${path}`,
    received: `Location: ${response.headers['location']}`,
    answers: [response, there, here],
    features: ['create', 'header.Location'],
  }
}

async function countCopies(first: CreatedItem, site: WriteSite, session: Session): Promise<Verdict> {
  const misled = await locationFinding(first, site, session)
  if (misled !== undefined) return failure(misled)
  const found = await findCopies(first, site, session)
  if (!('copies' in found)) return found
  const { copies, pages } = found
  if (copies.length < 2) return { kind: 'pass', vacuous: copies.length === 0 }
  return failure(copiesFinding(copies, pages, site, session))
}

interface Copies {
  readonly copies: readonly string[]
  readonly pages: readonly TestResponse[]
}

/** Finds the items with the text of the new item, which no other item has. */
async function findCopies({ expected }: CreatedItem, site: WriteSite, session: Session): Promise<Copies | Verdict> {
  const list = listOf(site, session)
  const name = site.markProperty?.name ?? ''
  const text = expected[name]
  if (list === undefined || typeof text !== 'string') return { kind: 'pass', vacuous: true }
  const options: QueryOptions = isSmall(site) ? wholeListOptions(list, site) : { filter: equalTo(name, text) }
  const { rows, pages } = await readList(list, options, session)
  const last = pages.at(-1)
  if (last === undefined) return { kind: 'pass', vacuous: true }
  const inconclusive = inconclusiveVerdict(last)
  if (inconclusive !== undefined) return inconclusive
  if (isRejection(last, session)) return { kind: 'unsupported', constructs: ['filter'] }
  return { copies: copiesIn(rows, text, site), pages }
}

/** The keys of the items that have the text of a new item, which no other item has. */
export function copiesIn(rows: readonly Row[], text: unknown, { type, markProperty }: WriteSite): readonly string[] {
  if (markProperty === undefined || typeof text !== 'string') return []
  const keys = rows.filter(row => row[markProperty.name] === text).flatMap(row => keyOf(row, type) ?? [])
  return [...new Set(keys)]
}

export function copiesFinding(
  copies: readonly string[],
  pages: readonly TestResponse[],
  site: WriteSite,
  session: Session,
): Finding {
  session.ledger?.recordUncertain(site)
  return {
    message: `A create made ${copies.length} items.`,
    expected: 'one item',
    received: `items with the keys ${copies.join(', ')}`,
    surplus: copies.slice(1),
    answers: pages.slice(0, 2),
    features: ['create', 'twice'],
  }
}

export const createLocation: PassiveRule = {
  kind: 'passive',
  id: 'create-location',
  area: 'writing',
  statement: 'The response to a create names the address of the new item.',
  advice:
    'Send the header Location with each 201, and Location or OData-EntityId with a 204. Clients read it to go on with the new item. See OData 4.01 Protocol, 11.4.2, and RFC 9110, section 10.2.2.',
  aspects: ['create.location'],
  covers: ['endpoint.create'],
  severity: 'should',
  inspect: (response, site, { service }) => {
    const { status, headers, request } = response
    if (site === undefined || request.method !== 'POST') return undefined
    if (!createsAt(site.endpoint.path.template, service) || (status !== 201 && status !== 204)) return undefined
    const { location } = headers
    if (location !== undefined && isSameAddress(location, request.url))
      return {
        message: 'The response to a create names the address of the collection as that of the new item.',
        expected: 'the address of the new item in the header Location',
        received: `Location: ${location}`,
        answers: [response],
        features: ['create', 'header.Location'],
      }
    if (!promisesLocation(service)) return undefined
    if (location !== undefined || (status === 204 && headers['odata-entityid'] !== undefined)) return 'seen'
    return {
      message: `The response to a create with status ${status} does not name the address of the new item.`,
      expected: status === 201 ? 'the header Location' : 'the header Location or OData-EntityId',
      received: 'no such header',
      answers: [response],
      features: ['create', 'header.Location'],
    }
  },
}

function isSameAddress(location: string, url: string): boolean {
  const resolved = URL.canParse(location, url) ? new URL(location, url) : undefined
  return resolved !== undefined && resolved.href.replace(/\/$/, '') === url.split('?', 1)[0]
}

/** Whether a clause of the spec is about the address. A spec without clauses has the sentences of the standard. */
export function promisesLocation({ clauses }: Service): boolean {
  return clauses.length === 0 || clauses.some(({ aspects }) => aspects.includes('create.location'))
}

function createsAt(template: string, { endpoints }: Service): boolean {
  return endpoints.some(({ kind, path }) => (kind === 'create' || kind === 'createMedia') && path.template === template)
}
