import { isUpsert, type Property } from '../../../spec/language/index.js'
import { absentItemSite } from '../../discover/absent-item.js'
import { onePerEndpoint, type Site } from '../../discover/site.js'
import type { TestResponse } from '../../http/message.js'
import { isRow, type Json } from '../../json.js'
import { primitiveOf } from '../../lists/properties.js'
import { isAssumed } from '../../lists/type-mismatch.js'
import { describeResponse, errorFinding, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { type Finding, failure, type Verdict, verdictOf } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { newBody, untriedOrAccepted } from './accepted-body.js'
import { updatedBody } from './body.js'
import { cannotCreate, createItem, eventually } from './created-item.js'
import { cannotWrite, removeItem, type WriteSite, writeSite, writeSites } from './write-site.js'

/** An invalid value for every primitive type. */
const invalidValue: Json = { no: 'such value' }

export const unfitBody: ActiveRule = {
  kind: 'active',
  id: 'unfit-body',
  area: 'writing',
  statement: 'A create or an update with a value of the wrong type is rejected, and creates or changes nothing.',
  advice:
    'Validate the body against the type before you write. An invalid value is an error of the client: return 4xx, not 500.',
  aspects: ['methods', 'error.body'],
  covers: ['endpoint.create', 'fault.invalidBody', 'error.invalidBody', 'fault.conflict', 'error.conflictingValue'],
  severity: 'must',
  writes: true,
  cost: 1,
  weight: 4,
  sites: writeSites,
  cases: (site, session) => {
    const type = writeSite(site, session)?.type
    // An item with a malformed key could not be addressed, so it would remain.
    const properties = type?.properties.filter(each => isPrimitive(each) && !type.key.includes(each)) ?? []
    const planned = onePerType(properties).map(({ name }) => ({ name }))
    const [first, ...others] = planned
    return { planned: first === undefined ? [] : [first, { ...first, variant: inUpdate }, ...others] }
  },
  check: async ({ name = '', variant }, site, session) => {
    const writable = writeSite(site, session)
    if (variant === inUpdate) return updateInPart(name, writable, session)
    const { ledger } = session
    const mayCreate = writable !== undefined && ledger?.mayCreate(writable) === true
    const body = mayCreate ? await newBody({}, writable, session) : undefined
    if (writable === undefined || ledger === undefined || body === undefined) {
      return { kind: 'inconclusive', why: cannotCreate }
    }
    const { response, path } = await ledger.create(writable, { ...body, [name]: invalidValue })
    if (path !== undefined) await removeItem(path, session)
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    const { invalidBody, malformedBody } = session.service.faults
    const finding = errorFinding(response, [invalidBody, malformedBody], session)
    if (finding === undefined) return { kind: 'pass' }
    const message = response.status < 300 ? `A create succeeded, although ${name} was an object.` : finding.message
    return failure({ ...finding, message })
  },
}

const inUpdate = 'update'

/** An update that is rejected for one value changes no other one either. */
async function updateInPart(name: string, site: WriteSite | undefined, session: Session): Promise<Verdict> {
  const { markProperty, update } = site ?? {}
  if (site === undefined || update === undefined || update.ifMatch === 'required' || markProperty === undefined) {
    return { kind: 'pass', vacuous: true }
  }
  const outcome = await createItem({}, site, session)
  if (outcome.kind === 'ended') return outcome.verdict
  const { path, expected } = outcome.item
  const before = expected[markProperty.name]
  try {
    const isChangeable = typeof before === 'string' && !markProperty.createOnly && name !== markProperty.name
    if (!isChangeable || (await session.ledger?.isOwned(path)) !== true) return { kind: 'pass', vacuous: true }
    const body = { [markProperty.name]: `${before} 2`, [name]: invalidValue }
    const response = await session.send({ method: 'PATCH', path, body })
    if (response.status < 400 || inconclusiveVerdict(response) !== undefined) return { kind: 'pass', vacuous: true }
    // The header makes it a read of its own: what was read before the update says nothing of the state now.
    const headers = { 'cache-control': 'no-cache' }
    const read = await session.send({ method: 'GET', path, headers })
    if (!isRow(read.json) || read.json[markProperty.name] !== body[markProperty.name]) return { kind: 'pass' }
    return failure({
      message: `An update that is rejected, because ${name} is an object, changes ${markProperty.name}.`,
      expected: `${markProperty.name}: ${JSON.stringify(before)}`,
      received: describeResponse(read),
      answers: [response, read],
      features: ['update', 'in part'],
    })
  } finally {
    await removeItem(path, session)
  }
}

/** The service may ignore what the interface does not name. */
function isPrimitive(property: Property): boolean {
  const { type, computed, collection } = property
  return !isAssumed(property) && !computed && !collection && primitiveOf(type) !== undefined
}

/** One property of each type; strings come last. */
function onePerType(properties: readonly Property[]): readonly Property[] {
  const byType = new Map(properties.map(property => [primitiveOf(property.type), property]))
  const text = byType.get('String')
  return [...byType.values()].filter(property => property !== text).concat(text === undefined ? [] : [text])
}

export const writeNotFound: ActiveRule = {
  kind: 'active',
  id: 'write-not-found',
  area: 'writing',
  statement: 'An update or delete of an item that does not exist gets 404, also if the item was deleted.',
  advice:
    'A write that affects no row did not succeed. Check the number of affected rows that the store returns. If you mark items as deleted, exclude them from writes.',
  aspects: ['error.notFound', 'methods'],
  covers: ['endpoint.update', 'endpoint.delete', 'error.itemNotFound', 'fault.itemNotFound'],
  severity: 'must',
  writes: true,
  cost: 1,
  weight: 6,
  sites: session =>
    onePerEndpoint(session.sites).filter(site => {
      const { endpoint } = site
      if (endpoint.kind !== 'update' && endpoint.kind !== 'delete') return false
      if (endpoint.kind === 'update' && isUpsert(endpoint, session.service)) return false
      return endpoint.ifMatch !== 'required' && absentItemSite(site, session) !== undefined
    }),
  cases: (site, session) => ({
    planned: [
      { variant: 'unknown key' },
      ...(creatingSite(site, session) === undefined ? [] : [{ variant: deletedItem }]),
    ],
  }),
  check: async ({ variant }, site, session) => {
    const { endpoint } = site
    if (variant === deletedItem) return writeToDeleted(site, session)
    const unknown = absentItemSite(site, session)
    if (unknown === undefined) return { kind: 'inconclusive', why: 'no unused key can be generated' }
    const body = endpoint.method === 'PATCH' ? { body: {} } : {}
    const response = await session.send({ method: endpoint.method, path: unknown.path, ...body })
    const inconclusive = response.status === 404 ? undefined : inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    const finding = errorFinding(response, session.service.faults.itemNotFound, session)
    return verdictOf(finding)
  },
}

const deletedItem = 'deleted item'

/** Where items are created that an update or delete concerns, and that can be deleted. */
function creatingSite({ endpoint }: Site, session: Session): WriteSite | undefined {
  return writeSites(session).find(
    ({ update, deletion }) => deletion !== undefined && (update === endpoint || deletion === endpoint),
  )
}

/** After its deletion, an item that was there is one that does not exist. */
async function writeToDeleted(site: Site, session: Session): Promise<Verdict> {
  const writable = creatingSite(site, session)
  if (writable === undefined) return { kind: 'inconclusive', why: cannotWrite }
  const outcome = await createItem({}, writable, session)
  if (outcome.kind === 'ended') return outcome.verdict
  const { path } = outcome.item
  const { method } = site.endpoint
  try {
    if ((await session.ledger?.isOwned(path)) !== true) return { kind: 'pass', vacuous: true }
    // The ledger keeps the item: a write may bring it back.
    const removed = await session.send({ method: 'DELETE', path })
    const readAgain = async (): Promise<TestResponse | undefined> => {
      // The header makes it a read of its own: what was read before the write says nothing of the state now.
      const response = await session.send({ method: 'GET', path, headers: { 'cache-control': 'no-cache' } })
      return response.status === 404 || response.status === 410 ? undefined : response
    }
    if (removed.status >= 300 || (await eventually(readAgain, session)) !== undefined)
      return { kind: 'pass', vacuous: true }
    const body =
      method === 'PATCH' ? { body: untriedOrAccepted('PATCH', updatedBody(writable, 17), writable, session) } : {}
    const finding = await eventually(async (): Promise<Finding | undefined> => {
      const response = await session.send({ method, path, ...body })
      if (inconclusiveVerdict(response) !== undefined) return undefined
      const back = response.status < 300 ? undefined : await readAgain()
      if (response.status >= 300 && back?.status !== 200) return undefined
      return {
        message: `A ${method} of an item that was deleted ${back === undefined ? `got status ${response.status}` : 'brings it back'}.`,
        expected: 'status 404, and no item',
        received: describeResponse(back ?? response),
        answers: [removed, response, ...(back === undefined ? [] : [back])],
        features: [method === 'PATCH' ? 'update' : 'delete', 'deleted item'],
      }
    }, session)
    return verdictOf(finding)
  } finally {
    await removeItem(path, session)
  }
}
