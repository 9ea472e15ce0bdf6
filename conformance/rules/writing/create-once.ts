import type { QueryOptions } from '../../../runtime/query/index.js'
import type { Service } from '../../../spec/language/index.js'
import { keyOf } from '../../discover/site.js'
import type { TestResponse } from '../../http/message.js'
import { isJson, isRow, type Row } from '../../json.js'
import { inconclusiveVerdict, isRejection } from '../../rule/response.js'
import type { ActiveRule, PassiveRule } from '../../rule/rule.js'
import { type Finding, failure, type Verdict, verdictOf } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { untriedOrAccepted } from './accepted-body.js'
import { type Body, fullBody, newValue, nextNumber, patchBody, updatedBody } from './body.js'
import { type CreatedItem, createItem, readBack } from './created-item.js'
import { equalTo, isSmall, readList, wholeListOptions } from './listing.js'
import { listOf, removeItem, type WriteSite, writeSite, writeSites } from './write-site.js'

export const createOnce: ActiveRule = {
  kind: 'active',
  id: 'create-once',
  area: 'writing',
  statement: 'A create makes exactly one item, which keeps its state when another one with the same values changes.',
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
  cases: () => ({ planned: [{ variant: 'count copies' }, { variant: twins }] }),
  check: async ({ variant }, site, session) => {
    const writable = writeSite(site, session)
    if (writable === undefined) return { kind: 'inconclusive', why: 'items cannot be created here' }
    const outcome = await createItem(fullBody(writable, 6), writable, session)
    if (outcome.kind === 'ended') return outcome.verdict
    try {
      return variant === twins
        ? await checkTwins(outcome.item, writable, session)
        : await countCopies(outcome.item, writable, session)
    } finally {
      await removeItem(outcome.item.path, session)
    }
  },
}

const twins = 'twins'

/** Creates the item once more, with the same values. Then changes and deletes the second one; the first one stays as it is. */
async function checkTwins(first: CreatedItem, site: WriteSite, session: Session): Promise<Verdict> {
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
  const changed = await otherItemAfterUpdate(first, path, site, session)
  if (changed !== undefined) {
    await removeItem(path, session)
    return failure(changed)
  }
  const removed = await removeItem(path, session)
  const gone =
    removed !== undefined && removed.status < 300 ? await otherItemFinding(first, 'delete', site, session) : undefined
  return verdictOf(gone)
}

/** Changes as much as possible of the second item. A finding if the first one changes, too. */
async function otherItemAfterUpdate(
  first: CreatedItem,
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
    if (status < 300) return otherItemFinding(first, 'update', site, session)
  }
  return undefined
}

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
  first: CreatedItem,
  change: 'update' | 'delete',
  site: WriteSite,
  session: Session,
): Promise<Finding | undefined> {
  const message = `${change === 'update' ? 'An update' : 'A delete'} of an item also concerns another one with the same values.`
  const reading = await readBack(
    first.path,
    { expected: first.expected, message, features: [change, 'other item'] },
    site,
    session,
  )
  return reading.kind === 'differs' ? reading.finding : undefined
}

/** Counts the items with the text of the new item, which no other item has. */
async function countCopies({ expected }: CreatedItem, site: WriteSite, session: Session): Promise<Verdict> {
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
  const copies = copiesIn(rows, text, site)
  if (copies.length < 2) return { kind: 'pass', vacuous: copies.length === 0 }
  return failure(copiesFinding(copies, pages, site, session))
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
