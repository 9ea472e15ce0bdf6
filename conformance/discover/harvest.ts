import type { QueryOptions, SelectItem } from '../../runtime/query/index.js'
import type { Service } from '../../spec/language/index.js'
import { isRow, type Row } from '../json.js'
import { derivedTypes, namedType, primitiveOf, selectItems } from '../lists/properties.js'
import { typeMismatches } from '../lists/type-mismatch.js'
import { readRequest } from '../rule/query-request.js'
import { type Listing, pageLimit, pageOf, type Session } from '../session/session.js'
import { keyOf, type Site, type Snapshot } from './site.js'

/** How a collection is read completely. The suite finds this once and repeats it for each later read. */
export interface Harvest {
  readonly options: QueryOptions
  /** Maximum number of pages. */
  readonly pages: number
  readonly snapshot: Snapshot
  /** Whether the service may have cut the list at a maximum of its own: the first confirmation examines it. */
  readonly mayBeCut: boolean
}

/** Shorter lists are not examined: few services have a smaller maximum of `$top`, and each examination costs a request. */
const smallestMaximum = 10

/** Whether a list is as long as services make their pages: 25, 64, 99, 999. Others are examined only before an accusation. */
function isUsualMaximum(length: number): boolean {
  return length % 5 === 0 || length % 100 === 99 || Number.isInteger(Math.log2(length))
}
/** Maximum page size to request. */
const maxPageSize = 1000

/**
 * The share of the remaining requests that one collection may use. It is smaller than for other lists, because each
 * confirmation reads the collection again.
 */
const requestShare = 0.1

/**
 * Reads a collection with all properties that it can return.
 *
 * The site of its snapshot has the maximum of `$top` that the service shows.
 *
 * @returns the failed listing if the collection is unreadable
 */
export async function harvestSite(
  declared: Site,
  session: Pick<Session, 'list' | 'requestsLeft' | 'service'>,
  maxRows: number,
  maxPages = Number.POSITIVE_INFINITY,
): Promise<Harvest | Listing> {
  const pages = Math.min(maxPages, pageLimit(session.requestsLeft(), requestShare))
  const limit = { rows: maxRows, pages }
  const pageSize = pageSizeOf(declared, maxRows)
  let site = declared
  let options: QueryOptions = pageSize === undefined ? {} : { top: pageSize }
  let listing = await session.list(readRequest(site, options), limit)
  if (listing.end === 'rejected' && pageSize !== undefined) {
    options = {}
    listing = await session.list(readRequest(site, options), limit)
  }
  if (!isReadable(listing)) return listing
  const mayBeCut = mayBeCutAtMaximum(site, listing, options, session)
  const isExamined = mayBeCut && isUsualMaximum(listing.rows.length)
  const isCut = isExamined && (await isCutAtMaximum(site, listing, session))
  if (isCut) site = withMaximum(site, listing.rows.length)
  if (isCut || mayBeTruncatedByTop(listing, options)) {
    const unlimited = await session.list(readRequest(site), limit)
    if (isReadable(unlimited)) [options, listing] = [{}, unlimited]
  }
  const expected = expectedProperties(site)
  const hidden = listing.rows.length > 0 && expected.some(name => !isShown(name, listing.rows))
  const { service } = session
  const method = { pages, mayBeCut: mayBeCut && !isExamined }
  const whole = (): Harvest => harvestOf(site, listing, { ...method, options }, shownProperties(listing.rows), service)
  if (!hidden || !maySelect(site)) return whole()
  // A service may lack properties that the interface does not name, and refuse to select them.
  const returned = expected.filter(name => listing.rows.some(row => Object.hasOwn(row, name)))
  const plain = (returned.length < expected.length ? [expected, returned] : [expected]).map(selectItems)
  const derived = derivedItems(site, listing.rows, service)
  // A service need not support casts in $select.
  const selections = derived.length === 0 ? plain : [[...(plain[0] ?? []), ...derived], ...plain]
  for (const select of selections) {
    if (select.length === 0) continue
    const selecting: QueryOptions = { ...options, select }
    const selected = await session.list(readRequest(site, selecting), limit)
    if (!isReadable(selected) || losesValues(site, listing.rows, selected.rows, select)) continue
    const names = select.map(({ path }) => path.at(-1) ?? '')
    const rows = withoutUnselectedNulls(selected.rows, names)
    const properties = new Set([...names, ...shownProperties(rows)])
    return harvestOf(site, { ...selected, rows }, { ...method, options: selecting }, properties, service)
  }
  return whole()
}

/** Reads a collection again in the same method. Absent if that no longer works, or does not return all rows. */
export async function refreshHarvest(
  { options, pages, snapshot, mayBeCut }: Harvest,
  session: Pick<Session, 'list' | 'service' | 'choices'>,
  maxRows: number,
): Promise<Harvest | undefined> {
  const listing = await session.list(readRequest(snapshot.site, options), { rows: maxRows, pages })
  if (!isReadable(listing)) return undefined
  const isPaged = session.choices.at(snapshot.site).get('topMeaning') === 'pageSize'
  if (mayBeCut && !isPaged && (await isCutAtMaximum(snapshot.site, listing, session))) return undefined
  const names = options.select?.map(({ path }) => path.at(-1) ?? '')
  const rows = names === undefined ? listing.rows : withoutUnselectedNulls(listing.rows, names)
  const method = { options, pages, mayBeCut: false }
  return harvestOf(snapshot.site, { ...listing, rows }, method, snapshot.properties, session.service)
}

function isReadable({ end }: Listing): boolean {
  return end === 'complete' || end === 'truncated'
}

/** Whether the service may cut a list at a maximum of its own, smaller than `$top`, and say nothing of further rows. */
function mayBeCutAtMaximum(
  { endpoint, type }: Site,
  { end, rows, pages }: Listing,
  { top }: QueryOptions,
  { service }: Pick<Session, 'service'>,
): boolean {
  const isLegal = (name: string, value: string): boolean =>
    service.open.some(choice => choice.name === name && choice.legal.map(String).includes(value))
  if (top === undefined || end !== 'complete' || pages.length > 1) return false
  if (rows.length < smallestMaximum || rows.length >= top) return false
  if (!isLegal('topMeaning', 'total') || !isLegal('topAboveMaximum', 'clamp')) return false
  return type !== undefined && endpoint.kind === 'collection' && endpoint.query !== undefined
}

/** Whether a list lacks rows: an item behind the last row shows it, the count, or a longer list without `$top`. */
async function isCutAtMaximum(site: Site, { rows }: Listing, session: Pick<Session, 'list'>): Promise<boolean> {
  const { endpoint, type } = site
  if (type === undefined || endpoint.kind !== 'collection' || endpoint.query === undefined) return false
  if (endpoint.query.skip !== 'none') {
    const behind = await session.list(readRequest(site, { skip: rows.length, top: 1 }), { pages: 1 })
    const keys = new Set(rows.map(row => keyOf(row, type)))
    if (behind.rows.some(row => !keys.has(keyOf(row, type)))) return true
    if (isReadable(behind)) return false
  }
  if (endpoint.query.count !== 'none') {
    const counted = await session.list(readRequest(site, { count: true, top: 1 }), { pages: 1 })
    const count = countOf(counted)
    if (count !== undefined) return count > rows.length
  }
  const plain = await session.list(readRequest(site), { rows: rows.length + 1 })
  return plain.rows.length > rows.length
}

function countOf({ pages: [page] }: Listing): number | undefined {
  const count = page !== undefined && isRow(page.json) ? page.json['@odata.count'] : undefined
  return typeof count === 'number' ? count : undefined
}

/** Rows without the unselected properties that are null: a service may return them so instead of leaving them out. */
function withoutUnselectedNulls(rows: readonly Row[], selected: readonly string[]): readonly Row[] {
  const isKnown = ([name, value]: readonly [string, unknown]): boolean =>
    value !== null || selected.includes(name) || name.includes('@')
  return rows.map(row => Object.fromEntries(Object.entries(row).filter(isKnown)))
}

/** Whether a selection with casts loses values that the items have without it: the service does not support the casts. */
function losesValues(
  { type }: Site,
  before: readonly Row[],
  selected: readonly Row[],
  select: readonly SelectItem[],
): boolean {
  const cast = select.flatMap(({ path }) => (path.length > 1 ? (path.at(-1) ?? []) : []))
  if (type === undefined || cast.length === 0) return false
  const known = new Map(before.map(row => [keyOf(row, type), row]))
  return selected.some(row => {
    const plain = known.get(keyOf(row, type))
    return plain !== undefined && cast.some(name => (plain[name] ?? null) !== null && (row[name] ?? null) === null)
  })
}

/** A site whose `$top` has a smaller maximum than the spec says. */
function withMaximum(site: Site, max: number): Site {
  const { endpoint } = site
  if (endpoint.kind !== 'collection' || endpoint.query === undefined) return site
  const { query } = endpoint
  return { ...site, endpoint: { ...endpoint, query: { ...query, top: { ...query.top, max } } } }
}

/** If `$top` limits the whole list rather than a page, there may be more rows. */
function mayBeTruncatedByTop({ end, rows }: Listing, { top }: QueryOptions): boolean {
  return end === 'complete' && rows.length === top
}

function harvestOf(
  site: Site,
  listing: Listing,
  method: Omit<Harvest, 'snapshot'>,
  properties: ReadonlySet<string>,
  service: Service,
): Harvest {
  const byKey = new Map<string, Row>()
  const malformed = malformedProperties(site, listing.rows, service)
  const rows = malformed.size === 0 ? listing.rows : listing.rows.map(row => withoutProperties(row, malformed))
  for (const row of rows) {
    const key = site.type === undefined ? undefined : keyOf(row, site.type)
    if (key !== undefined) byKey.set(key, row)
  }
  const complete = listing.end === 'complete' && !mayBeTruncatedByTop(listing, method.options)
  const known = malformed.size === 0 ? properties : new Set([...properties].filter(name => !malformed.has(name)))
  const [first] = listing.pages.length > 1 ? listing.pages : []
  const pageSize = first === undefined ? undefined : pageOf(first)?.rows.length
  const paged = pageSize === undefined || pageSize === 0 ? {} : { pageSize }
  return { ...method, snapshot: { site, rows, byKey, complete, properties: known, malformed, ...paged } }
}

/**
 * The properties with a value that does not have its declared type. Another rule reports them; here they count as
 * unknown, so that nothing is predicted or asked with a malformed value.
 */
function malformedProperties({ type }: Site, rows: readonly Row[], service: Service): ReadonlySet<string> {
  const names = new Set<string>()
  if (type === undefined) return names
  for (const row of rows) {
    for (const { property } of typeMismatches(row, type, service, () => false)) names.add(property.name)
  }
  return names
}

function withoutProperties(row: Row, names: ReadonlySet<string>): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.has(name)))
}

function pageSizeOf({ endpoint }: Site, maxRows: number): number | undefined {
  if (endpoint.kind !== 'collection' || endpoint.query === undefined) return undefined
  const { support, max } = endpoint.query.top
  return support === 'none' ? undefined : Math.min(max ?? maxPageSize, maxPageSize, maxRows)
}

/** The properties that a row returns by default. Streams are not in it. */
function expectedProperties({ type }: Site): readonly string[] {
  return (type?.properties ?? [])
    .filter(property => property.returned !== 'onSelect' && primitiveOf(property.type) !== 'Stream')
    .map(({ name }) => name)
}

/** The properties that only derived types have, and that rows of these types show: a `$select` must name them, too. */
function derivedItems({ type }: Site, rows: readonly Row[], service: Service): readonly SelectItem[] {
  if (type === undefined) return []
  const declared = new Set(type.properties.map(({ name }) => name))
  return derivedTypes(type, service).flatMap(({ qualifiedName, properties }) => {
    const own = properties.filter(({ name }) => !declared.has(name))
    const shown = own.filter(({ name }) => {
      return rows.some(row => namedType(row) === qualifiedName && Object.hasOwn(row, name))
    })
    return shown.map(({ name }) => ({ path: [qualifiedName, name] }))
  })
}

function maySelect({ endpoint }: Site): boolean {
  return endpoint.kind === 'collection' && endpoint.query !== undefined && endpoint.query.select !== 'none'
}

function isShown(name: string, rows: readonly Row[]): boolean {
  return rows.some(row => Object.hasOwn(row, name) && row[name] !== null)
}

function shownProperties(rows: readonly Row[]): ReadonlySet<string> {
  return new Set(rows.flatMap(row => Object.keys(row)).filter(name => !name.includes('@')))
}

/** Whether two reads of a collection returned the same rows, in any order. */
export function isSameData(before: Snapshot, after: Snapshot): boolean {
  if (before.rows.length !== after.rows.length || before.complete !== after.complete) return false
  const texts = (snapshot: Snapshot): string[] => snapshot.rows.map(row => JSON.stringify(row)).sort()
  const others = texts(after)
  return texts(before).every((text, index) => text === others[index])
}
