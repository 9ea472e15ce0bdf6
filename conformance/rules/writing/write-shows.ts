import type { Expression, QueryOptions } from '../../../runtime/query/index.js'
import { type Property, typeName } from '../../../spec/language/index.js'
import type { Site } from '../../discover/site.js'
import { isRow } from '../../json.js'
import { binary, joinConditions, pathTo } from '../../probes/expressions.js'
import { grammarOf } from '../../probes/grammar.js'
import { literalOf } from '../../probes/observed-values.js'
import { searchCapabilitiesOf, searchFor } from '../../probes/search.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure, type Verdict } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { untriedOrAccepted } from './accepted-body.js'
import { fullBody, nextNumber, updatedBody, writableProperties } from './body.js'
import { type CreatedItem, createItem, eventually, maxUnknownDelay, valueMismatches } from './created-item.js'
import {
  countVerdict,
  equalTo,
  isSmall,
  listingVerdict,
  readList,
  wholeCountVerdict,
  wholeListOptions,
} from './listing.js'
import { hasFreeText } from './odd-text.js'
import { listOf, removeItem, type WriteSite, writeSite, writeSites } from './write-site.js'

export const writeShows: ActiveRule = {
  kind: 'active',
  id: 'write-shows',
  area: 'writing',
  statement: 'A list, a filter and a search reflect every create, update and delete.',
  advice:
    'Update indexes, caches and search copies together with the write or soon after it, also if only a value changes. A search may follow up to five seconds later than the other reads.',
  aspects: ['collection.read', 'methods'],
  covers: ['endpoint.collection', 'endpoint.create', 'open.readYourWrites'],
  severity: 'must',
  writes: true,
  cost: 5,
  weight: 8,
  sites: session => writeSites(session).filter(site => listOf(site, session) !== undefined),
  cases: (site, session) => {
    const writable = writeSite(site, session)
    const canReadWhole = writable !== undefined && isSmall(writable)
    const canSearch = writable !== undefined && searchedProperty(writable, session) !== undefined
    const list = listOf(site, session)
    const canFilterAll = writable !== undefined && list !== undefined && grammarOf(list, session)?.has('and') === true
    return {
      planned: [
        { variant: 'filter' },
        ...(canSearch ? [{ variant: bySearch }] : []),
        ...(canReadWhole ? [{ variant: 'list' }] : []),
        ...(canFilterAll ? [{ variant: byEachValue }] : []),
      ],
    }
  },
  check: async ({ variant }, site, session) => {
    const writable = writeSite(site, session)
    const list = listOf(site, session)
    if (writable === undefined || list === undefined) {
      return { kind: 'inconclusive', why: 'no list contains the created items' }
    }
    if (variant === bySearch) return checkSearch({ site: writable, list, session })
    const outcome = await createItem(fullBody(writable, variant === byEachValue ? 3 : 2), writable, session)
    if (outcome.kind === 'ended') return outcome.verdict
    const { item } = outcome
    const search: ItemSearch = { site: writable, list, session }
    try {
      if (variant === byEachValue) return await checkEachValue(item, search)
      const verdict = variant === 'list' ? await checkList(item, search) : await checkFilter(item, search)
      return verdict ?? { kind: 'pass' }
    } finally {
      await removeItem(item.path, session)
    }
  },
}

interface ItemSearch {
  readonly site: WriteSite
  readonly list: Site
  readonly session: Session
}

async function checkList(item: CreatedItem, search: ItemSearch): Promise<Verdict | undefined> {
  const { list, session } = search
  const options = wholeListOptions(list, search.site)
  const shown = await searchVerdict(item, options, true, ['list', 'missing'], search)
  if (shown !== undefined) return shown
  const counted = await wholeCountVerdict(options, list, session)
  if (counted !== undefined) return counted
  const response = await removeItem(item.path, session)
  if (response === undefined || response.status >= 300) return undefined
  return searchVerdict(item, options, false, ['list', 'remains'], search)
}

async function checkFilter(item: CreatedItem, search: ItemSearch): Promise<Verdict | undefined> {
  const { site, session } = search
  const { markProperty, update } = site
  const before = markProperty === undefined ? undefined : item.expected[markProperty.name]
  if (markProperty === undefined || typeof before !== 'string') return { kind: 'pass', vacuous: true }
  const { name } = markProperty
  const shown = await searchVerdict(item, { filter: equalTo(name, before) }, true, ['filter', 'missing'], search)
  if (shown !== undefined) return shown
  const counted = await countVerdict({ filter: equalTo(name, before) }, 1, search.list, session)
  if (counted !== undefined) return counted
  const canChange = update !== undefined && update.ifMatch !== 'required' && !markProperty.createOnly
  if (!canChange || !((await session.ledger?.isOwned(item.path)) ?? false)) return checkRemoved(item, before, search)
  const after = `${before} 2`
  const response = await session.send({ method: 'PATCH', path: item.path, body: { [name]: after } })
  if (response.status >= 300) return checkRemoved(item, before, search)
  const stale = await searchVerdict(item, { filter: equalTo(name, before) }, false, ['filter', 'stale'], search)
  if (stale !== undefined) return stale
  const updated = { ...item, expected: { ...item.expected, [name]: after } }
  const changed = await searchVerdict(updated, { filter: equalTo(name, after) }, true, ['filter', 'missing'], search)
  return changed ?? (await checkFlag(updated, after, search)) ?? checkRemoved(updated, after, search)
}

/** After a Boolean has changed, a filter for the new value returns the item, and one for the old value does not. */
async function checkFlag(item: CreatedItem, text: string, search: ItemSearch): Promise<Verdict | undefined> {
  const { site, list, session } = search
  const { markProperty } = site
  const grammar = grammarOf(list, session)
  if (markProperty === undefined || grammar === undefined || !grammar.has('and')) return undefined
  const flag = writableProperties(site).find(
    ({ name, createOnly, type }) =>
      !createOnly &&
      typeName(type) === 'Edm.Boolean' &&
      typeof item.expected[name] === 'boolean' &&
      grammar.terms.some(({ path, allows }) => path.length === 1 && path[0] === name && allows('eq')),
  )
  const before = flag === undefined ? undefined : item.expected[flag.name]
  if (flag === undefined || typeof before !== 'boolean') return undefined
  const response = await session.send({ method: 'PATCH', path: item.path, body: { [flag.name]: !before } })
  if (response.status >= 300) return undefined
  const filterFor = (value: boolean): Expression => {
    const literal: Expression = { kind: 'literal', type: 'Boolean', value }
    return binary('and', equalTo(markProperty.name, text), binary('eq', pathTo([flag.name]), literal))
  }
  const updated = { ...item, expected: { ...item.expected, [flag.name]: !before } }
  const stale = await searchVerdict(updated, { filter: filterFor(before) }, false, ['filter', 'stale'], search)
  return stale ?? searchVerdict(updated, { filter: filterFor(!before) }, true, ['filter', 'missing'], search)
}

/** After a delete, neither a filter nor its count may include the item. */
async function checkRemoved(item: CreatedItem, text: string, search: ItemSearch): Promise<Verdict | undefined> {
  const { site, session } = search
  const response = await removeItem(item.path, session)
  if (site.markProperty === undefined || response === undefined || response.status >= 300) return undefined
  const filter = equalTo(site.markProperty.name, text)
  const remains = await searchVerdict(item, { filter }, false, ['filter', 'remains'], search)
  return remains ?? (await countVerdict({ filter }, 0, search.list, session))
}

const byEachValue = 'each value'
/** So many comparisons fit into a URL. */
const maxValues = 8

/** A filter by all values that an item shows returns the item, after its create and after an update. */
async function checkEachValue(item: CreatedItem, search: ItemSearch): Promise<Verdict> {
  const { site, session } = search
  const created = await valuesVerdict(item, search)
  if (created.kind !== 'pass' || created.vacuous === true) return created
  const body = untriedOrAccepted('PATCH', updatedBody(site, 4), site, session)
  const canChange = site.update !== undefined && site.update.ifMatch !== 'required' && Object.keys(body).length > 0
  if (!canChange || !((await session.ledger?.isOwned(item.path)) ?? false)) return created
  const { status } = await session.send({ method: 'PATCH', path: item.path, body })
  return status < 300 ? valuesVerdict({ ...item, expected: { ...item.expected, ...body } }, search) : created
}

async function valuesVerdict(item: CreatedItem, search: ItemSearch): Promise<Verdict> {
  const { site, list, session } = search
  const { status, json } = await session.send({ method: 'GET', path: item.path })
  const row = status === 200 && isRow(json) ? json : undefined
  // Another rule reports values that are lost.
  if (row === undefined || valueMismatches(row, item.expected, site, session).length > 0)
    return { kind: 'pass', vacuous: true }
  const { markProperty } = site
  const properties = [...(markProperty === undefined ? [] : [markProperty]), ...writableProperties(site)]
  const terms = grammarOf(list, session)?.terms.filter(({ path, allows }) => path.length === 1 && allows('eq')) ?? []
  const conditions = properties.flatMap(({ name }) => {
    const term = terms.find(({ path }) => path[0] === name)
    const value = row[name]
    const isPlain =
      typeof value === 'boolean' || (typeof value === 'string' && value !== '' && value.length <= maxLength)
    // A service may keep times more precisely than it shows them.
    const isExact = term !== undefined && !/^Edm\.(?!String$|Boolean$)/.test(term.type)
    const literal = isExact && isPlain ? literalOf(term.type, value, session) : undefined
    return literal === undefined ? [] : [binary('eq', pathTo([name]), literal)]
  })
  const [first, ...others] = conditions.slice(0, maxValues)
  if (first === undefined || others.length === 0) return { kind: 'pass', vacuous: true }
  const filter = joinConditions('and', first, ...others)
  return (await searchVerdict(item, { filter }, true, ['filter', 'each value'], search)) ?? { kind: 'pass' }
}

/** Longer texts make a filter too long for a URL. */
const maxLength = 100

const bySearch = 'search'

/** A property that a search finds words in, and that takes any text. */
function searchedProperty(site: WriteSite, session: Session): Property | undefined {
  const list = listOf(site, session)
  const capabilities = list === undefined ? undefined : searchCapabilitiesOf(list)
  if (capabilities === undefined || site.deletion === undefined) return undefined
  return [...(site.markProperty === undefined ? [] : [site.markProperty]), ...writableProperties(site)].find(
    property =>
      capabilities.properties.includes(property.name) &&
      property.search === 'words' &&
      (property === site.markProperty || hasFreeText(property, site, [property.name])),
  )
}

/**
 * A search finds a word that only the new item has, until an update replaces the word, or the item is deleted. It need not find
 * new items at once.
 */
async function checkSearch(search: ItemSearch): Promise<Verdict> {
  const { site, list, session } = search
  const property = searchedProperty(site, session)
  const capabilities = searchCapabilitiesOf(list)
  if (property === undefined || capabilities === undefined) return { kind: 'pass', vacuous: true }
  const word = wordOf('word', site, session)
  const outcome = await createItem({ [property.name]: word }, site, session)
  if (outcome.kind === 'ended') return outcome.verdict
  const { item } = outcome
  try {
    if (!String(item.expected[property.name]).split(' ').includes(word)) return { kind: 'pass', vacuous: true }
    const searchOf = (text: string): QueryOptions => ({ search: searchFor(text, property.name, capabilities) })
    const shown = await indexVerdict(item, searchOf(word), true, search)
    if (shown !== undefined) return shown
    const changed = await changeWord(item, property, word, search)
    if (changed !== undefined) {
      const [old, now] = [searchOf(word), searchOf(changed.word)]
      const stale = await indexVerdict(changed.item, now, true, search)
      const verdict = stale ?? (await indexVerdict(changed.item, old, false, search))
      if (verdict !== undefined) return verdict
    }
    const options = searchOf(changed?.word ?? word)
    const removed = await removeItem(item.path, session)
    if (removed === undefined || removed.status >= 300) return { kind: 'pass', vacuous: true }
    const { status } = await session.send({ method: 'GET', path: item.path })
    if (status !== 404 && status !== 410) return { kind: 'pass', vacuous: true }
    return (await searchVerdict(item, options, false, ['search', 'remains'], search)) ?? { kind: 'pass' }
  } finally {
    await removeItem(item.path, session)
  }
}

/** A word that no item has. */
function wordOf(beginning: string, { mark }: WriteSite, session: Session): string {
  return `${beginning}${mark.replaceAll(/[^a-z0-9]/gi, '')}${nextNumber(session)}`
}

/** Replaces the word in the property of an item. Undefined if the item cannot be updated, or does not show the new word. */
async function changeWord(
  item: CreatedItem,
  { name, createOnly }: Property,
  word: string,
  { site, session }: ItemSearch,
): Promise<{ readonly item: CreatedItem; readonly word: string } | undefined> {
  const canChange = site.update !== undefined && site.update.ifMatch !== 'required' && !createOnly
  if (!canChange || !((await session.ledger?.isOwned(item.path)) ?? false)) return undefined
  // Neither word is a part of the other one.
  const other = wordOf('other', site, session)
  const text = String(item.expected[name]).replace(word, other)
  const { status } = await session.send({ method: 'PATCH', path: item.path, body: { [name]: text } })
  if (status >= 300) return undefined
  const { json } = await session.send({ method: 'GET', path: item.path })
  if (!isRow(json) || json[name] !== text) return undefined
  return { item: { ...item, expected: { ...item.expected, [name]: text } }, word: other }
}

/**
 * The verdict on a search after a write. Undefined if it is right. An index may follow later than lists do. Nothing says how much
 * later, unless the lists themselves need time.
 */
async function indexVerdict(
  item: CreatedItem,
  options: QueryOptions,
  isExpected: boolean,
  search: ItemSearch,
): Promise<Verdict | undefined> {
  const { site, session } = search
  const features = ['search', isExpected ? 'missing' : 'stale']
  const verdict = await searchVerdict(item, options, isExpected, features, search, maxUnknownDelay)
  if (verdict?.kind !== 'fail') return verdict
  const { json } = await session.send({ method: 'GET', path: item.path })
  const isShown = isRow(json) && valueMismatches(json, item.expected, site, session).length === 0
  const isOld = verdict.finding.features.includes('values')
  if (session.visibilityDelay() > 0 || !isShown || isOld) {
    return { kind: 'inconclusive', why: 'a search does not show a write that other reads show late, or otherwise' }
  }
  return failure({
    ...verdict.finding,
    message: isExpected
      ? 'A search does not find an item by a word that it has.'
      : 'A search finds an item by a word that it no longer has.',
  })
}

/**
 * The verdict on a query that must, or must not, return an item. Undefined if it is right.
 *
 * @param wait the least time, in milliseconds, until the write must show
 */
async function searchVerdict(
  item: CreatedItem,
  options: QueryOptions,
  isExpected: boolean,
  features: readonly string[],
  { site, list, session }: ItemSearch,
  wait = 0,
): Promise<Verdict | undefined> {
  let verdict: Verdict | undefined
  await eventually(
    async () => {
      verdict = listingVerdict(await readList(list, options, session), item, isExpected, features, site, session)
      return verdict?.kind === 'fail' ? verdict : undefined
    },
    session,
    wait,
  )
  return verdict
}
