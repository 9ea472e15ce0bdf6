import type { QueryOptions } from '../../../runtime/query/index.js'
import { derivesFrom, type EntityType, isSamePath, type Property } from '../../../spec/language/index.js'
import { keyOf, type Site, siteOf } from '../../discover/site.js'
import { isRow, type Row } from '../../json.js'
import { expandableRelations, expandedRows, listSites, onePageOptions } from '../../lists/related-items.js'
import { binary, nullLiteral, pathTo } from '../../probes/expressions.js'
import { grammarOf } from '../../probes/grammar.js'
import { searchCapabilitiesOf, searchFor } from '../../probes/search.js'
import { constructsOf } from '../../rule/query-request.js'
import type { TestStep } from '../../rule/rule.js'
import { failure, type Verdict } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { writableProperties } from './body.js'
import { eventually, maxUnknownDelay, readBack, valueMismatches, writtenValues } from './created-item.js'
import { countAtPath, equalTo, listingVerdict, type PathCount, readList, staleCountVerdict } from './listing.js'
import type { WriteSite } from './write-site.js'

/** What was read before an update of an existing item. */
interface ReadsBefore {
  readonly counted: PathCount | undefined
  readonly searched: Searched | undefined
  /** Whether to look at lists of related items, and for the item in a search. */
  readonly isWhole: boolean
}

interface UpdatedItem {
  readonly path: string
  readonly key: string | undefined
  readonly expected: Row
}

/** Reads what an update is going to change at other places. */
export async function readsBefore(
  { key }: UpdatedItem,
  original: Row,
  steps: readonly TestStep[],
  isWhole: boolean,
  site: WriteSite,
  session: Session,
): Promise<ReadsBefore> {
  return {
    counted: await countBefore(original, steps, site, session),
    searched: isWhole ? await searchBefore(original, key, site, session) : undefined,
    isWhole,
  }
}

/** Whether an item shows as an update left it where else the service shows it. Undefined if it does. */
export async function elsewhereVerdict(
  { counted, searched, isWhole }: ReadsBefore,
  item: UpdatedItem,
  original: Row,
  site: WriteSite,
  session: Session,
): Promise<Verdict | undefined> {
  const isCounted =
    counted !== undefined && changedText(item.expected, original, counted.list, site, session)?.name === counted.name
  return (
    (await checkElsewhere(item, original, site, session)) ??
    (isWhole ? await checkRelated(item, original, site, session) : undefined) ??
    (searched === undefined ? undefined : await staleSearchVerdict(searched, item, site, session)) ??
    (isCounted ? await staleCountVerdict(counted, session) : undefined)
  )
}

/** How many lists that show an item as a related one are read after an update. */
const maxRelated = 3

/** A text without what a collation may ignore: letter case, accents and white space at its ends. */
function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
}

/** Whether the set that contains the item shows it as the update left it, by key and in a filter. */
async function checkElsewhere(
  item: UpdatedItem,
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
  const cleared = clearedProperty(expected, original, set, site, session)
  const missing = cleared === undefined ? undefined : await clearedVerdict(cleared, item, set, site, session)
  if (missing !== undefined) return missing
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

/** A property that was not null before, by which a set can be filtered. */
function clearedProperty(
  expected: Row,
  original: Row,
  set: Site,
  site: WriteSite,
  session: Session,
): Property | undefined {
  const terms = grammarOf(set, session)?.terms ?? []
  return writableProperties(site).find(({ name }) => {
    const isCleared = expected[name] === null && (original[name] ?? null) !== null
    return isCleared && terms.some(({ path, allows }) => path.length === 1 && path[0] === name && allows('eq'))
  })
}

/** A filter for null returns an item whose property an update has set to null. Undefined if it does. */
async function clearedVerdict(
  { name }: Property,
  item: UpdatedItem,
  set: Site,
  site: WriteSite,
  session: Session,
): Promise<Verdict | undefined> {
  const filter = binary('eq', pathTo([name]), nullLiteral)
  return eventually(async () => {
    const list = await readList(set, { filter }, session)
    const found = listingVerdict(list, item, true, ['filter', 'null'], site, session)
    return found?.kind === 'fail' ? found : undefined
  }, session)
}

/** Whether lists of related items, and items that a list expands, show the item as the update left it. */
async function checkRelated(
  { key, expected }: UpdatedItem,
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
  { path, key, expected }: UpdatedItem,
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
