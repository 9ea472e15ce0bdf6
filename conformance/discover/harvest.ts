import type { QueryOptions } from '../../runtime/query/index.js'
import type { Row } from '../json.js'
import { readRequest } from '../rule/query-request.js'
import { pageLimit } from '../session/list-pages.js'
import type { Listing, Session } from '../session/session.js'
import { keyOf, type Site, type Snapshot } from './site.js'

/** How a collection is read as a whole: found once, and the same at each reading. */
export interface Harvest {
  readonly options: QueryOptions
  /** How many pages were read at most. */
  readonly pages: number
  readonly snapshot: Snapshot
}

/** Most items asked for at once. */
const maxPageSize = 1000

/**
 * Of the requests that are left, the share that the pages of one collection may take: less than what other lists may, since it
 * is read again whenever a suspicion is looked into.
 */
const requestShare = 0.1

/**
 * Reads a collection, with all the properties that it can show.
 *
 * @returns the listing that failed when it could not be read
 */
export async function harvestSite(
  site: Site,
  session: Pick<Session, 'list' | 'requestsLeft'>,
  maxRows: number,
): Promise<Harvest | Listing> {
  const pages = pageLimit(session.requestsLeft(), requestShare)
  const limit = { rows: maxRows, pages }
  const pageSize = pageSizeOf(site, maxRows)
  let options: QueryOptions = pageSize === undefined ? {} : { top: pageSize }
  let listing = await session.list(readRequest(site, options), limit)
  if (listing.end === 'refused' && pageSize !== undefined) {
    options = {}
    listing = await session.list(readRequest(site, options), limit)
  }
  if (!isReadable(listing)) return listing
  if (mayBeTruncatedByTop(listing, options)) {
    const unlimited = await session.list(readRequest(site), limit)
    if (isReadable(unlimited)) [options, listing] = [{}, unlimited]
  }
  const wanted = expectedProperties(site)
  const hidden = listing.rows.length > 0 && wanted.some(name => !isShown(name, listing.rows))
  if (!hidden || !maySelect(site)) return harvestOf(site, listing, { options, pages }, shownProperties(listing.rows))
  const selecting: QueryOptions = { ...options, select: wanted.map(name => ({ path: [name] })) }
  const selected = await session.list(readRequest(site, selecting), limit)
  if (!isReadable(selected)) return harvestOf(site, listing, { options, pages }, shownProperties(listing.rows))
  return harvestOf(
    site,
    selected,
    { options: selecting, pages },
    new Set([...wanted, ...shownProperties(selected.rows)]),
  )
}

/** Reads a collection again, in the way that worked before. Absent when it does not any more. */
export async function refreshHarvest(
  { options, pages, snapshot }: Harvest,
  session: Pick<Session, 'list'>,
  maxRows: number,
): Promise<Snapshot | undefined> {
  const listing = await session.list(readRequest(snapshot.site, options), { rows: maxRows, pages })
  if (!isReadable(listing)) return undefined
  return harvestOf(snapshot.site, listing, { options, pages }, snapshot.properties).snapshot
}

function isReadable({ end }: Listing): boolean {
  return end === 'whole' || end === 'cut'
}

/** Where `$top` limits the whole list and not its pages, there may be more than it asked for. */
function mayBeTruncatedByTop({ end, rows }: Listing, { top }: QueryOptions): boolean {
  return end === 'whole' && rows.length === top
}

function harvestOf(
  site: Site,
  listing: Listing,
  way: Pick<Harvest, 'options' | 'pages'>,
  properties: ReadonlySet<string>,
): Harvest {
  const byKey = new Map<string, Row>()
  for (const row of listing.rows) {
    const key = site.type === undefined ? undefined : keyOf(row, site.type)
    if (key !== undefined) byKey.set(key, row)
  }
  const complete = listing.end === 'whole' && !mayBeTruncatedByTop(listing, way.options)
  return { ...way, snapshot: { site, rows: listing.rows, byKey, complete, properties } }
}

function pageSizeOf({ endpoint }: Site, maxRows: number): number | undefined {
  if (endpoint.kind !== 'collection' || endpoint.query === undefined) return undefined
  const { support, max } = endpoint.query.top
  return support === 'none' ? undefined : Math.min(max ?? maxPageSize, maxPageSize, maxRows)
}

/** What a row is expected to show without being asked. */
function expectedProperties({ type }: Site): readonly string[] {
  return (type?.properties ?? []).filter(({ returned }) => returned !== 'onSelect').map(({ name }) => name)
}

function maySelect({ endpoint }: Site): boolean {
  return endpoint.kind === 'collection' && endpoint.query !== undefined && endpoint.query.select !== 'none'
}

function isShown(name: string, rows: readonly Row[]): boolean {
  return rows.some(row => Object.hasOwn(row, name))
}

function shownProperties(rows: readonly Row[]): ReadonlySet<string> {
  return new Set(rows.flatMap(row => Object.keys(row)).filter(name => !name.includes('@')))
}

/** Whether two readings of a collection brought the same rows, in whatever order. */
export function isSameData(before: Snapshot, after: Snapshot): boolean {
  if (before.rows.length !== after.rows.length || before.complete !== after.complete) return false
  const texts = (snapshot: Snapshot): string[] => snapshot.rows.map(row => JSON.stringify(row)).sort()
  const others = texts(after)
  return texts(before).every((text, index) => text === others[index])
}
