import type { QueryOptions } from '../../../runtime/query/index.js'
import { absentItemSite } from '../../discover/absent-item.js'
import { keyOf } from '../../discover/site.js'
import { isRow, type Json, type Row } from '../../json.js'
import { describeResponse, errorFinding, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure, type Verdict, verdictOf } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { newBody } from './accepted-body.js'
import { cannotCreate, createItem, eventually, readBack } from './created-item.js'
import { equalTo, isSmall, listingVerdict, readList, wholeListOptions } from './listing.js'
import { cannotWrite, listOf, removeItem, type WriteSite, writeSite, writeSites } from './write-site.js'

export const duplicateKey: ActiveRule = {
  kind: 'active',
  id: 'duplicate-key',
  area: 'writing',
  statement: 'A create with the key of an existing item, or with an existing value of a unique property, is rejected.',
  advice:
    'Let the store enforce uniqueness, and translate its constraint violation to a 4xx error. Do not return 500 or a success status.',
  aspects: ['methods', 'error.body'],
  covers: ['fault.conflict', 'error.conflictingValue'],
  severity: 'must',
  writes: true,
  cost: 3,
  weight: 5,
  sites: session => writeSites(session).filter(site => uniqueNames(site).names.length > 0),
  cases: () => ({ planned: [{ variant: 'twice' }] }),
  check: async (_test, site, session) => {
    const writable = writeSite(site, session)
    if (writable === undefined) return { kind: 'inconclusive', why: cannotWrite }
    const outcome = await createItem({}, writable, session)
    if (outcome.kind === 'ended') return outcome.verdict
    try {
      return await createDuplicate(writable, outcome.item.expected, session)
    } finally {
      await removeItem(outcome.item.path, session)
    }
  },
}

interface UniqueProperties {
  readonly names: readonly string[]
  /** Whether the combination is unique (a key), or each property by itself. */
  readonly isKey: boolean
  /** Whether the interface declares it; otherwise it is an assumption of the spec. */
  readonly isDeclared: boolean
}

function uniqueNames({ type }: WriteSite): UniqueProperties {
  if (type.key.every(({ computed }) => !computed)) {
    return { names: type.key.map(({ name }) => name), isKey: true, isDeclared: true }
  }
  const unique = type.properties.filter(property => property.unique && !property.computed)
  const declared = unique.filter(({ assumed }) => assumed === undefined)
  const isDeclared = declared.length > 0
  return { names: (isDeclared ? declared : unique).map(({ name }) => name), isKey: false, isDeclared }
}

async function createDuplicate(site: WriteSite, existing: Row, session: Session): Promise<Verdict> {
  const { ledger } = session
  const body = ledger?.mayCreate(site) === true ? await newBody({}, site, session) : undefined
  if (ledger === undefined || body === undefined) return { kind: 'inconclusive', why: cannotCreate }
  const duplicates: Record<string, Json> = {}
  const { names, isDeclared, isKey } = uniqueNames(site)
  for (const name of names) {
    const value = existing[name]
    if (typeof value === 'string' || typeof value === 'number') duplicates[name] = value
  }
  const given = Object.keys(duplicates).length
  // A service may generate an omitted key, and a missing value conflicts with nothing.
  if (given === 0 || (isKey && given < names.length)) {
    return { kind: 'inconclusive', why: 'the unique properties are optional, and the item has no value for them' }
  }
  const { response, path } = await ledger.create(site, { ...body, ...duplicates })
  if (path !== undefined) await removeItem(path, session)
  const inconclusive = inconclusiveVerdict(response)
  if (inconclusive !== undefined) return inconclusive
  // If uniqueness is only assumed, the service may accept the item.
  if (!isDeclared && response.status < 300) return { kind: 'pass', vacuous: true }
  const { conflict, invalidBody } = session.service.faults
  const finding = errorFinding(response, [conflict, invalidBody], session)
  return verdictOf(finding)
}

export const concurrentCreates: ActiveRule = {
  kind: 'active',
  id: 'concurrent-creates',
  area: 'writing',
  statement: 'Two creates at the same time make two items, each of which can be read and is in the list.',
  advice:
    'Make the change of the stored data atomic: no read of a list, then a write of the list, with other requests in between. Let the store give out keys, not a counter that two requests can read.',
  aspects: ['create.item', 'methods'],
  covers: ['endpoint.create'],
  severity: 'must',
  writes: true,
  cost: 8,
  weight: 8,
  sites: writeSites,
  cases: () => ({ planned: [{ variant: 'together' }] }),
  check: async (_test, site, session) => {
    const writable = writeSite(site, session)
    if (writable === undefined) return { kind: 'inconclusive', why: cannotWrite }
    return createTogether(writable, session)
  },
}

/** Creates two items at the same time. The verdict if one of them is lost, or if nothing shows that both were created. */
async function createTogether(site: WriteSite, session: Session): Promise<Verdict> {
  const { ledger } = session
  const bodies = [await newBody({}, site, session), await newBody({}, site, session)]
  if (ledger?.mayCreate(site) !== true) return { kind: 'inconclusive', why: cannotCreate }
  const creates = bodies.map(async body => {
    return body === undefined ? [] : [{ body, ...(await ledger.create(site, body)) }]
  })
  const made = (await Promise.all(creates)).flat().flatMap(({ body, response, path }) => {
    return response.status === 201 && path !== undefined ? [{ body, response, path }] : []
  })
  try {
    const [first, second] = made
    // A service may refuse one of two writes at the same time.
    if (first === undefined || second === undefined) return { kind: 'pass', vacuous: true }
    if (first.path === second.path) {
      return failure({
        message: 'Two creates at the same time got the same address.',
        expected: 'an address for each',
        received: first.path,
        answers: [first.response, second.response],
        features: ['concurrent', 'same address'],
      })
    }
    const name = site.markProperty?.name ?? ''
    for (const { body, response, path } of made) {
      const expected = Object.hasOwn(body, name) ? { [name]: body[name] } : {}
      const message = 'Of two items that were created at the same time, one cannot be read.'
      const read = await readBack(path, { expected, message, features: ['concurrent', 'lost'] }, site, session)
      if (read.kind === 'differs') return failure({ ...read.finding, answers: [response, ...read.finding.answers] })
      const key = isRow(response.json) ? keyOf(response.json, site.type) : undefined
      const missing = await missingVerdict({ key, expected }, site, session)
      if (missing !== undefined) return missing
    }
    return { kind: 'pass' }
  } finally {
    for (const { path } of made) await removeItem(path, session)
  }
}

/** The verdict if the list lacks a new item. */
async function missingVerdict(
  item: { readonly key: string | undefined; readonly expected: Row },
  site: WriteSite,
  session: Session,
): Promise<Verdict | undefined> {
  const list = listOf(site, session)
  const [[name, text] = []] = Object.entries(item.expected)
  const filter = name === undefined || typeof text !== 'string' ? undefined : equalTo(name, text)
  if (list === undefined || (filter === undefined && !isSmall(site))) return undefined
  const options: QueryOptions = filter === undefined || isSmall(site) ? wholeListOptions(list, site) : { filter }
  return eventually(async () => {
    const listing = await readList(list, options, session)
    const verdict = listingVerdict(listing, item, true, ['concurrent', 'missing'], site, session)
    return verdict?.kind === 'fail' ? verdict : undefined
  }, session)
}

/** An update whose body has another key: the service may refuse it or ignore the key, but the item keeps its address. */
export async function updateWithAnotherKey(site: WriteSite, session: Session): Promise<Verdict> {
  const [key, ...others] = site.type.key
  const name = site.markProperty?.name
  // A service that takes it must not give the item the key of another one.
  const updating = session.sites.find(({ endpoint }) => endpoint === site.update)
  const absent = updating && absentItemSite(updating, session)
  const unused = absent?.keys[absent.endpoint.keys.at(-1)?.variable ?? '']
  if (key === undefined || name === undefined || others.length > 0 || unused === undefined) {
    return { kind: 'pass', vacuous: true }
  }
  const outcome = await createItem({}, site, session)
  if (outcome.kind === 'ended') return outcome.verdict
  const { path, expected } = outcome.item
  try {
    const before = await session.send({ method: 'GET', path })
    const known = isRow(before.json) ? before.json[key.name] : undefined
    const mark = expected[name]
    if (typeof known !== 'string' || typeof mark !== 'string') return { kind: 'pass', vacuous: true }
    if ((await session.ledger?.mayUpdate(path)) !== true) return { kind: 'inconclusive', why: cannotWrite }
    const headers = site.update?.ifMatch === 'required' ? { 'if-match': '*' } : {}
    const body = { [key.name]: unused, [name]: mark }
    const updated = await session.send({ method: 'PATCH', path, headers, body })
    if (updated.status >= 300) return { kind: 'pass', vacuous: true }
    const after = await session.send({ method: 'GET', path, headers: { 'cache-control': 'no-cache' } })
    const inconclusive = inconclusiveVerdict(after)
    if (inconclusive !== undefined) return inconclusive
    const now = isRow(after.json) ? after.json[key.name] : undefined
    if (after.status === 200 && (now === known || now === undefined)) return { kind: 'pass' }
    return failure({
      message: `An update with another ${key.name} in its body changes the key of the item.`,
      expected: `the item with ${key.name}: ${JSON.stringify(known)}`,
      received: describeResponse(after),
      answers: [before, updated, after],
      features: ['update', 'key'],
    })
  } finally {
    await removeItem(path, session)
  }
}
