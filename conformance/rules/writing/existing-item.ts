import type { QueryOptions } from '../../../runtime/query/index.js'
import { derivesFrom, type EntityType, isSamePath, type Property, typeName } from '../../../spec/language/index.js'
import { keyOf, onePerEndpoint, type Site, siteOf } from '../../discover/site.js'
import type { TestResponse } from '../../http/message.js'
import { isJson, isRow, type Row } from '../../json.js'
import { mayHideValues, selectItems } from '../../lists/properties.js'
import { expandableRelations, expandedRows, listSites, onePageOptions } from '../../lists/related-items.js'
import { isAssumed } from '../../lists/type-mismatch.js'
import { isSameValue } from '../../lists/values.js'
import { grammarOf } from '../../probes/grammar.js'
import { searchCapabilitiesOf, searchFor } from '../../probes/search.js'
import { constructsOf, readRequest } from '../../rule/query-request.js'
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
import { eventually, maxUnknownDelay, readBack, valueMismatches, writtenValues } from './created-item.js'
import { countAtPath, equalTo, listingVerdict, type PathCount, readList, staleCountVerdict } from './listing.js'
import { runOnItem } from './model.js'
import { examplesOf, sampleValue } from './sample-value.js'
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
      const counted = await countBefore(row, safe, existing, session)
      const searched = variant === asRelated ? await searchBefore(row, item.key, existing, session) : undefined
      const verdict = await runOnItem(safe, item, existing, session)
      if (verdict.kind !== 'pass') return verdict
      const named = new Set(safe.flatMap(({ body }) => (isRow(body) ? Object.keys(body) : [])))
      const kept = [...restorable, ...fixedProperties(existing).map(({ name }) => name)]
      const unnamed = partOf(row, new Set(kept.filter(name => !named.has(name))))
      return (
        (await checkUnchanged(unnamed, selected, existing, session)) ??
        (await checkElsewhere(item, row, existing, session)) ??
        (variant === asRelated ? await checkRelated(item, row, existing, session) : undefined) ??
        (searched === undefined ? undefined : await staleSearchVerdict(searched, item, existing, session)) ??
        (counted !== undefined &&
        changedText(item.expected, row, counted.list, existing, session)?.name === counted.name
          ? await staleCountVerdict(counted, session)
          : undefined) ??
        verdict
      )
    })
  },
}

/** How many properties are set to null one by one. */
const maxNulls = 3

const asRelated = 'as a related item'
/** How many lists that show an item as a related one are read after an update. */
const maxRelated = 3

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

/** A text without what a collation may ignore: letter case, accents and white space at its ends. */
function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
}

function partOf(row: Row, names: ReadonlySet<string>): Body {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => (names.has(name) && isJson(value) ? [[name, value] as const] : [])),
  )
}

/** Whether the set that contains the item shows it as the update left it, by key and in a filter. */
async function checkElsewhere(
  item: { readonly key: string | undefined; readonly expected: Row },
  original: Row,
  site: WriteSite,
  session: Session,
): Promise<Verdict | undefined> {
  const { key, expected } = item
  const set = setOf(site, session)
  const row = set === undefined || key === undefined ? undefined : session.snapshot(set)?.byKey.get(key)
  if (set === undefined || row === undefined) return undefined
  const address = session.service.endpoints.find(
    ({ kind, resolved }) =>
      kind === 'item' && resolved.at(-1)?.kind === 'key' && isSamePath(resolved.slice(0, -1), set.endpoint.resolved),
  )
  const path = address === undefined ? undefined : siteOf(address, { site: set, row })?.path
  // The same key in another set may be another item.
  if (valueMismatches(row, writtenValues(original, site), site, session).length > 0) return undefined
  if (path !== undefined && path !== site.path) {
    const message = `The item at ${path} does not show the update of ${site.path}.`
    const read = await readBack(path, { expected, message, features: ['update', 'elsewhere'] }, site, session)
    if (read.kind === 'differs') return failure(read.finding)
  }
  const changed = changedText(expected, original, set, site, session)
  const keyProperty = site.type.key.length === 1 ? site.type.key[0] : undefined
  if (changed === undefined || keyProperty === undefined) return undefined
  for (const [value, isExpected] of [
    [expected[changed.name], true],
    [original[changed.name], false],
  ] as const) {
    if (typeof value !== 'string') continue
    const verdict = await eventually(async () => {
      const list = await readList(set, { filter: equalTo(changed.name, value) }, session)
      const found = listingVerdict(list, item, isExpected, ['filter', isExpected ? 'missing' : 'stale'], site, session)
      if (found?.kind === 'fail') return found
      const other = isExpected ? otherWithText(list.rows, key, changed, value, set, session) : undefined
      return other === undefined
        ? undefined
        : failure({
            message: 'An update of an item also changes another one.',
            expected: `${changed.name} as before in the item ${other}`,
            received: `${changed.name}: ${JSON.stringify(value)}`,
            surplus: [other],
            answers: list.pages.slice(0, 2),
            features: ['update', 'other item'],
          })
    }, session)
    if (verdict !== undefined) return verdict
  }
  return undefined
}

/** Whether lists of related items, and items that a list expands, show the item as the update left it. */
async function checkRelated(
  { key, expected }: { readonly key: string | undefined; readonly expected: Row },
  original: Row,
  { type }: WriteSite,
  session: Session,
): Promise<Verdict | undefined> {
  if (key === undefined) return undefined
  const stale = async (list: Site, options: QueryOptions, itemsOf: (row: Row) => readonly Row[], of: EntityType) =>
    eventually(async () => {
      const { rows, pages } = await readList(list, options, session)
      const item = rows.flatMap(itemsOf).find(each => keyOf(each, of) === key)
      const old = of.properties.find(({ name }) => {
        const [before, after, shown] = [original[name], expected[name], item?.[name]]
        return (
          typeof before === 'string' &&
          typeof after === 'string' &&
          shown === before &&
          folded(before) !== folded(after)
        )
      })
      if (item === undefined || old === undefined) return undefined
      return failure({
        message: `A related item at ${list.path} does not show an update of the item.`,
        expected: `${old.name}: ${JSON.stringify(expected[old.name])}`,
        received: `${old.name}: ${JSON.stringify(item[old.name])}`,
        answers: pages.slice(0, 1),
        features: ['update', 'related'],
      })
    }, session)
  const isOfType = (of: EntityType | undefined): of is EntityType => of !== undefined && derivesFrom(type, of)
  const isListed = (site: Site): boolean => {
    const last = site.endpoint.resolved.at(-1)
    const isShared = last?.kind === 'navigation' && !last.property.contained
    return isShared && isOfType(site.type) && session.snapshot(site)?.byKey.has(key) === true
  }
  const lists = listSites(session, () => true).filter(isListed)
  for (const list of lists.slice(0, maxRelated)) {
    const verdict = await stale(list, onePageOptions(list, session), row => [row], list.type)
    if (verdict !== undefined) return verdict
  }
  const expanding = listSites(session, ({ expand }) => expand.support !== 'none').flatMap(list => {
    return expandableRelations(list).flatMap(relation => {
      return !relation.contained && isOfType(relation.type) ? [{ list, relation }] : []
    })
  })
  for (const { list, relation } of expanding.slice(0, maxRelated)) {
    const options = { expand: [{ path: [relation.name] }], ...onePageOptions(list, session) }
    if (!session.support.maySend(list, constructsOf(options))) continue
    const verdict = await stale(list, options, row => expandedRows(row, relation) ?? [], relation.type)
    if (verdict !== undefined) return verdict
  }
  return undefined
}

/** The key of another item that has a new text and had a different one when the run began. Undefined if no item does. */
function otherWithText(
  rows: readonly Row[],
  own: string | undefined,
  { name }: Property,
  text: string,
  set: Site,
  session: Session,
): string | undefined {
  const before = session.snapshot(set)?.byKey
  return rows
    .filter(row => row[name] === text)
    .flatMap(row => (set.type === undefined ? [] : (keyOf(row, set.type) ?? [])))
    .find(key => {
      const old = before?.get(key)?.[name]
      return key !== own && typeof old === 'string' && folded(old) !== folded(text)
    })
}

/** The entity set of the items of a type. */
function setOf(site: WriteSite, session: Session): Site | undefined {
  return session.sites.find(
    ({ endpoint, type }) => endpoint.kind === 'collection' && endpoint.resolved.length === 1 && type === site.type,
  )
}

/** A property with another text than before, by which a set can be filtered. */
function changedText(expected: Row, original: Row, set: Site, site: WriteSite, session: Session): Property | undefined {
  const grammar = grammarOf(set, session)
  return writableProperties(site).find(
    ({ name, type, collection }) =>
      !collection &&
      typeof expected[name] === 'string' &&
      // The service may store an empty text as null.
      expected[name] !== '' &&
      typeof original[name] === 'string' &&
      type.kind === 'primitive' &&
      type.name === 'String' &&
      folded(expected[name]) !== folded(original[name]) &&
      grammar?.terms.some(({ path: of, allows }) => of.length === 1 && of[0] === name && allows('eq')),
  )
}

/** A word of a property by which a search finds an item before an update. */
interface Searched {
  readonly set: Site
  readonly name: string
  readonly word: string
}

const wordPattern = /^[A-Za-z]{3,20}(?= |$)/

/** Searches a set for the first word of a property. Undefined if that does not find the item. */
async function searchBefore(
  original: Row,
  key: string | undefined,
  site: WriteSite,
  session: Session,
): Promise<Searched | undefined> {
  const set = setOf(site, session)
  const capabilities = set === undefined ? undefined : searchCapabilitiesOf(set)
  if (set === undefined || capabilities === undefined || key === undefined) return undefined
  for (const { name, search, createOnly } of writableProperties(site)) {
    const word = wordPattern.exec(String(original[name] ?? ''))?.[0]
    if (createOnly || search !== 'words' || word === undefined || !capabilities.properties.includes(name)) continue
    const { rows } = await readList(set, { search: searchFor(word, name, capabilities) }, session)
    if (rows.some(row => keyOf(row, site.type) === key)) return { set, name, word }
  }
  return undefined
}

/** After an update, a search for the first word of the new text finds the item, and one for that of the old text does not. */
async function staleSearchVerdict(
  { set, name, word }: Searched,
  { path, key, expected }: { readonly path: string; readonly key: string | undefined; readonly expected: Row },
  site: WriteSite,
  session: Session,
): Promise<Verdict | undefined> {
  const capabilities = searchCapabilitiesOf(set)
  const text = String(expected[name] ?? '')
  const newWord = wordPattern.exec(text)?.[0]
  const isReplaced = !folded(JSON.stringify(expected)).includes(folded(word))
  if (capabilities === undefined || newWord === undefined || !isReplaced) return undefined
  for (const [sought, isExpected] of [
    [newWord, true],
    [word, false],
  ] as const) {
    const options: QueryOptions = { search: searchFor(sought, name, capabilities) }
    const verdict = await eventually(
      async () => {
        const list = await readList(set, options, session)
        const found = listingVerdict(
          list,
          { key, expected },
          isExpected,
          ['search', isExpected ? 'missing' : 'stale'],
          site,
          session,
        )
        return found?.kind === 'fail' && !found.finding.features.includes('values') ? found : undefined
      },
      session,
      maxUnknownDelay,
    )
    if (verdict === undefined) continue
    const { json } = await session.send({ method: 'GET', path })
    const isShown = isRow(json) && json[name] === text
    return isShown && session.visibilityDelay() === 0 ? verdict : undefined
  }
  return undefined
}

/** Counts the items with a text that an update is going to replace, at the path `/$count`. */
async function countBefore(
  original: Row,
  steps: readonly TestStep[],
  site: WriteSite,
  session: Session,
): Promise<PathCount | undefined> {
  const set = setOf(site, session)
  const rows = [original, ...steps.flatMap(({ body }) => (isRow(body) ? [body] : []))]
  const expected = Object.fromEntries(rows.flatMap(row => Object.entries(row)))
  const name = set && changedText(expected, original, set, site, session)?.name
  return set === undefined || name === undefined ? undefined : countAtPath(name, String(original[name]), set, session)
}
