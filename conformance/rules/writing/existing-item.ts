import { isSamePath, type Property, typeName } from '../../../spec/language/index.js'
import { keyOf, onePerEndpoint, type Site } from '../../discover/site.js'
import type { TestResponse } from '../../http/message.js'
import { isJson, isRow, type Row } from '../../json.js'
import { mayHideValues, selectItems } from '../../lists/properties.js'
import { isAssumed } from '../../lists/type-mismatch.js'
import { isSameValue } from '../../lists/values.js'
import { readRequest } from '../../rule/query-request.js'
import { describeResponse, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule, TestStep } from '../../rule/rule.js'
import { failure, type Verdict } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import {
  type Body,
  emptyBodies,
  fullBody,
  nullBodies,
  partialComplexBody,
  patchBody,
  writableProperties,
} from './body.js'
import { eventually, writtenValues } from './created-item.js'
import { runOnItem } from './model.js'
import { examplesOf, sampleValue } from './sample-value.js'
import { elsewhereVerdict, readsBefore } from './shown-elsewhere.js'
import type { WriteSite } from './write-site.js'

export const updateExisting: ActiveRule = {
  kind: 'active',
  id: 'update-existing',
  area: 'writing',
  statement:
    'PATCH of an item that clients cannot create sets the named properties and leaves all others unchanged, at each of its addresses.',
  advice:
    'Merge the body into the item instead of replacing the item. Every path to the item, every list, every filter and every count must read the same stored values.',
  aspects: ['update.merge', 'methods'],
  covers: ['endpoint.update', 'open.updateStatus', 'open.complexUpdate'],
  severity: 'must',
  writes: true,
  changesExisting: true,
  cost: 9,
  weight: 24,
  sites: session =>
    session.ledger?.mayChange === true
      ? onePerEndpoint(session.sites).filter(site => existingSite(site, session) !== undefined)
      : [],
  cases: (site, session) => {
    const existing = existingSite(site, session)
    if (existing === undefined) return { skipReason: notReadable }
    const [first = [], second = [], ...others] = sequencesOf(existing).map(steps => ({ steps }))
    const related = { steps: updateAndRead(withoutFlags(fullBody(existing, 4), existing)), variant: asRelated }
    return { planned: [first, second, related, ...others].flat() }
  },
  check: async ({ steps = [], variant }, site, session) => {
    const existing = existingSite(site, session)
    if (existing === undefined) return { kind: 'inconclusive', why: notReadable }
    return withExisting(existing, session, async ({ row, selected, restorable }) => {
      const safe = steps.map(step => (isRow(step.body) ? { ...step, body: partOf(step.body, restorable) } : step))
      const { path, type } = existing
      const expected = writtenValues(row, existing)
      const item = { path, key: keyOf(row, type), expected, shown: row, state: 'live' as const }
      const reads = await readsBefore(item, row, safe, variant === asRelated, existing, session)
      const verdict = await runOnItem(safe, item, existing, session)
      if (verdict.kind !== 'pass') return verdict
      const named = new Set(safe.flatMap(({ body }) => (isRow(body) ? Object.keys(body) : [])))
      const kept = [...restorable, ...fixedProperties(existing).map(({ name }) => name)]
      const unnamed = partOf(row, new Set(kept.filter(name => !named.has(name))))
      return (
        (await checkUnchanged(unnamed, selected, existing, session)) ??
        (await elsewhereVerdict(reads, item, row, existing, session)) ??
        verdict
      )
    })
  },
}

/** How many properties are set to null one by one. */
const maxNulls = 3

const asRelated = 'as a related item'

/** An existing item before a check. */
interface Original {
  /** With all properties that the service shows if they are selected. */
  readonly row: Row
  /** The response to a plain read. */
  readonly response: TestResponse
  /** The properties that a read shows which selects them. Empty if the service refuses that. */
  readonly selected: Row
  /** The properties that the check may change: a read shows their old values. */
  readonly restorable: ReadonlySet<string>
}

/** Runs a check that changes an existing item, and gives the item its old values back. */
export async function withExisting(
  site: WriteSite,
  session: Session,
  check: (original: Original) => Promise<Verdict>,
): Promise<Verdict> {
  const read = await readOriginal(site, session)
  if ('kind' in read) return read
  const { row, selected } = read
  // A null that was not selected may stand for a value that the service does not show.
  const isShown = (name: string): boolean =>
    row[name] !== null || Object.hasOwn(selected, name) || !mayHideValues(session)
  const changeable = writableProperties(site).filter(({ createOnly }) => !createOnly)
  const names = changeable.map(({ name }) => name)
  const restorable = new Set(names.filter(name => isJson(row[name]) && isShown(name)))
  await session.ledger?.change(site.path, partOf(row, restorable))
  try {
    return await check({ ...read, restorable })
  } finally {
    await session.ledger?.restore(site.path)
  }
}

/** Whether reads show what the updates did not name as they did before: a plain one, and one that selects it. */
async function checkUnchanged(
  unnamed: Row,
  selected: Row,
  site: WriteSite,
  session: Session,
): Promise<Verdict | undefined> {
  return eventually(async () => {
    const read = await readOriginal(site, session)
    if ('kind' in read) return undefined
    // A read that selects may fail once, for example because the service is busy. It says nothing of the values.
    if (Object.keys(selected).length > 0 && Object.keys(read.selected).length === 0) return undefined
    const { row, response } = read
    const why = [...writableProperties(site), ...fixedProperties(site)].flatMap(property => {
      const { name } = property
      const isSame = !Object.hasOwn(unnamed, name) || isSameValue(unnamed[name], row[name], property)
      return isSame ? [] : [`${name}: was ${JSON.stringify(unnamed[name])}, is ${JSON.stringify(row[name])}`]
    })
    if (why.length === 0) return undefined
    return failure({
      message: 'An update changed properties that it does not name.',
      expected: 'the same values in the same read, before and after the update',
      received: describeResponse(response),
      why,
      answers: [response],
      features: ['patch', 'omitted'],
    })
  }, session)
}

/** The key, and properties that the interface names and that the spec only assumes to be set by the service, but not as stamps. */
function fixedProperties({ type }: WriteSite): readonly Property[] {
  return type.properties.filter(property => {
    const { computed, assumed, stamp, returned } = property
    if (type.key.includes(property)) return true
    return computed && assumed !== undefined && !isAssumed(property) && stamp === undefined && returned !== 'onSelect'
  })
}

const notReadable = 'no GET reads what the PATCH changes'

/** What a PATCH changes if no POST creates such items: a singleton, the target of a relation, or an item of a fixed set. */
export function existingSite(site: Site, { service, ledger, sites, snapshot }: Session): WriteSite | undefined {
  const { endpoint, type } = site
  if (ledger === undefined || endpoint.kind !== 'update' || type === undefined) return undefined
  const isCreated = service.endpoints.some(
    each => each.kind === 'create' && isSamePath(each.resolved, endpoint.resolved.slice(0, -1)),
  )
  const reading = service.endpoints.find(each => each.kind === 'item' && isSamePath(each.resolved, endpoint.resolved))
  if (isCreated || reading?.kind !== 'item') return undefined
  const set = sites.find(
    each => each.endpoint.kind === 'collection' && each.type === type && snapshot(each) !== undefined,
  )
  return {
    ...site,
    type,
    declaredType: type,
    mark: ledger.mark,
    examples: examplesOf(set === undefined ? undefined : snapshot(set)?.rows),
    update: endpoint,
    reading,
  }
}

/** The updates, each followed by a read. Those that set truth values come last: one may lock the caller out. */
function sequencesOf(site: WriteSite): readonly (readonly TestStep[])[] {
  const first = patchBody(site, 1)
  const read: TestStep = { action: 'read' }
  const partial = partialComplexBody(site, 1)
  const selected: TestStep = { action: 'read', select: Object.keys(first) }
  return [
    updateAndRead(withoutFlags(fullBody(site, 3), site)),
    updateAndRead(patchBody(site, 2)),
    [selected, { action: 'patch', body: first }, selected],
    ...[singleBodies(site).flatMap(updateAndRead)].filter(steps => steps.length > 0),
    updateAndRead(patchBody(site, 3)),
    ...nullBodies(site, 6)
      .slice(0, maxNulls)
      .map(([first, second]): readonly TestStep[] => [{ action: 'patch', body: first }, ...updateAndRead(second)]),
    ...(Object.keys(partial).length === 0 ? [] : [[{ action: 'patch', body: partial } as const, read]]),
    ...emptyBodies(site).map(({ full, empty }): readonly TestStep[] => [
      { action: 'patch', body: full },
      { action: 'patch', body: empty },
      read,
    ]),
  ]
}

function updateAndRead(body: Body): readonly TestStep[] {
  return [{ action: 'patch', body }, { action: 'read' }]
}

/** One text each: an update may change a property that it does not name, such as a name that is made up of others. */
function singleBodies(site: WriteSite): readonly Body[] {
  const texts = writableProperties(site).filter(({ type, collection, createOnly }) => {
    return typeName(type) === 'Edm.String' && !collection && !createOnly
  })
  return texts.flatMap(property => {
    const value = sampleValue(property, 5, site)
    return value === undefined ? [] : [{ [property.name]: value }]
  })
}

function withoutFlags(body: Body, { type }: WriteSite): Body {
  const flags = new Set(type.properties.filter(each => typeName(each.type) === 'Edm.Boolean').map(({ name }) => name))
  return Object.fromEntries(Object.entries(body).filter(([name]) => !flags.has(name)))
}

async function readOriginal(
  { path, reading, ...site }: WriteSite,
  session: Session,
): Promise<Omit<Original, 'restorable'> | Verdict> {
  const plain = await session.send({ method: 'GET', path })
  const inconclusive = inconclusiveVerdict(plain)
  if (inconclusive !== undefined) return inconclusive
  if (plain.status !== 200 || !isRow(plain.json)) return { kind: 'inconclusive', why: notReadable }
  const select = reading?.query?.select
  if (reading === undefined || select === undefined || select === 'none')
    return { row: plain.json, response: plain, selected: {} }
  const names = writableProperties({ path, ...site }).map(({ name }) => name)
  const selected = await session.send(readRequest({ endpoint: reading, path }, { select: selectItems(names) }))
  const shown = selected.status === 200 && isRow(selected.json) ? selected.json : {}
  return { row: { ...plain.json, ...shown }, response: plain, selected: shown }
}

function partOf(row: Row, names: ReadonlySet<string>): Body {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => (names.has(name) && isJson(value) ? [[name, value] as const] : [])),
  )
}
