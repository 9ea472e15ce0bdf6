import type { Endpoint, NavigationProperty, Service } from '../../spec/language/index.js'
import type { TestResponse } from '../http/message.js'
import { isRow, type Row } from '../json.js'
import { readRequest } from '../rule/query-request.js'
import type { Session } from '../session/session.js'
import { type Harvest, harvestSite } from './harvest.js'
import { isExpandable, keyOf, type ParentRow, parentRows, type Site, siteOf } from './site.js'

/** Where discovery reads, and how it sends several reads at the same time: see `LiveSession.prefetch`. */
export interface DiscoverySession {
  readonly session: Pick<Session, 'list' | 'requestsLeft' | 'service'>
  readonly prefetch: <T>(
    tasks: readonly ((session: DiscoverySession['session']) => Promise<unknown>)[],
    work: () => Promise<T>,
  ) => Promise<T>
}

/** The addresses of a service, and what its collections hold. */
export interface Discovery {
  readonly sites: readonly Site[]
  readonly harvests: ReadonlyMap<string, Harvest>
  /** Why a site or endpoint could not be read, by id or name. */
  readonly unread: ReadonlyMap<string, string>
}

/**
 * For an endpoint below items: how many addresses to try, how many collections with rows are enough, and how many rows are
 * enough in one of them.
 */
interface Thoroughness {
  readonly maxTries: number
  readonly enoughNonEmpty: number
  readonly enoughRows: number
}

const quick: Thoroughness = { maxTries: 2, enoughNonEmpty: 1, enoughRows: 1 }
const normal: Thoroughness = { maxTries: 4, enoughNonEmpty: 2, enoughRows: 1 }
/** Fewer rows than this seldom distinguish two filters. */
const thorough: Thoroughness = { maxTries: 10, enoughNonEmpty: 2, enoughRows: 4 }

/** How thorough discovery is with so many requests per endpoint. */
function thoroughness(requests: number): Thoroughness {
  if (requests < 5) return quick
  return requests < 15 ? normal : thorough
}

/** How many item addresses to keep per endpoint. */
const maxItems = 2
/** A collection may use this multiple of its share of the requests: most collections need less than theirs. */
const shareFactor = 4

/** Finds the addresses of every endpoint by reading the collections that lead to them. */
export async function discover(
  service: Service,
  { session, prefetch }: DiscoverySession,
  maxRows: number,
  onSite: (site: Site) => void,
): Promise<Discovery> {
  const harvests = new Map<string, Harvest>()
  const unread = new Map<string, string>()
  const found = new Map<Endpoint, readonly Site[]>()
  const { endpoints } = service
  const { maxTries, enoughNonEmpty, enoughRows } = thoroughness(session.requestsLeft() / endpoints.length)
  const sizes: RelationSizes = new Map()
  const addressesOf = (endpoint: Endpoint): readonly Site[] => addresses(endpoint, harvests, maxTries, sizes)
  let collectionsLeft = endpoints.filter(({ kind }) => kind === 'collection').length
  /** The pages that one collection may use, so that requests are left for every other endpoint. */
  const maxPages = (): number => {
    const share = (session.requestsLeft() - endpoints.length) / Math.max(1, collectionsLeft)
    return Math.max(1, Math.floor(share * shareFactor))
  }
  /** Reads collections until enough of them have enough rows. Keeps those, or others that have rows, and one empty one. */
  const readCollections = async (sites: readonly Site[]): Promise<readonly Site[]> => {
    const filled: Site[] = []
    const sparse: Site[] = []
    const others: Site[] = []
    for (const site of sites) {
      if (filled.length >= enoughNonEmpty) break
      onSite(site)
      const harvest = await harvestSite(site, session, maxRows, maxPages())
      if ('snapshot' in harvest) harvests.set(site.id, harvest)
      else unread.set(site.id, `GET ${site.path} returned ${harvest.pages.at(-1)?.status ?? 0}`)
      const rows = 'snapshot' in harvest ? harvest.snapshot.rows.length : 0
      const read = 'snapshot' in harvest ? harvest.snapshot.site : site
      if (rows >= enoughRows) filled.push(read)
      else (rows > 0 ? sparse : others).push(read)
    }
    collectionsLeft--
    return [...[...filled, ...sparse].slice(0, enoughNonEmpty), ...others.slice(0, 1)]
  }
  const findSites = async (endpoint: Endpoint): Promise<void> => {
    const sites = addressesOf(endpoint)
    if (sites.length === 0) unread.set(endpoint.name, 'no item was found for its path')
    found.set(endpoint, endpoint.kind === 'collection' ? await readCollections(sites) : sites)
  }
  for (const independent of inDiscoveryOrder(service)) {
    if (maxTries > enoughNonEmpty) {
      const reads = expansionsFor(independent, harvests, sizes).map(
        each => (own: DiscoverySession['session']) => readSizes(each, own, sizes),
      )
      await prefetch(reads, async () => {
        for (const read of reads) await read(session)
      })
    }
    const first = independent
      .filter(({ kind }) => kind === 'collection')
      .flatMap(endpoint => addressesOf(endpoint).slice(0, enoughNonEmpty))
    const tasks = first.map(site => (own: DiscoverySession['session']) => harvestSite(site, own, maxRows, 1))
    await prefetch(tasks, async () => {
      for (const endpoint of independent) await findSites(endpoint)
    })
  }
  const sites = service.endpoints.flatMap(endpoint => found.get(endpoint) ?? [])
  // Nothing identifies the rows of a keyless list, so that no two reads of it can be compared. Passive rules have seen one.
  return { sites: sites.filter(({ type }) => type?.keyless !== true), harvests, unread }
}

/** So many endpoints are read at the same time at most. */
const maxGroup = 8

/**
 * Groups of endpoints: collections first, starting at the root. Each one is in a later group than those that lead to it.
 */
function inDiscoveryOrder({ endpoints }: Service): readonly (readonly Endpoint[])[] {
  const collections = endpoints.filter(({ kind }) => kind === 'collection')
  const depths = [...new Set(collections.map(({ keys }) => keys.length))].sort((a, b) => a - b)
  const groups = depths.flatMap(depth => {
    const equal = collections
      .filter(({ keys }) => keys.length === depth)
      .toSorted((a, b) => a.resolved.length - b.resolved.length)
    return Array.from({ length: Math.ceil(equal.length / maxGroup) }, (_, index) =>
      equal.slice(index * maxGroup, (index + 1) * maxGroup),
    )
  })
  return [...groups, endpoints.filter(({ kind }) => kind !== 'collection')]
}

/** The number of related items, by relation and by key of the item. */
type RelationSizes = Map<NavigationProperty, Map<string, number>>

/** A collection to read with relations whose lists have addresses of their own. */
interface Expansion {
  readonly site: Site
  readonly relations: readonly NavigationProperty[]
}

/** Longer collections are not expanded: it may be expensive for the service. */
const longestExpanded = 200

/** What to expand to learn below which items the lists of some endpoints have the most items. */
function expansionsFor(
  endpoints: readonly Endpoint[],
  harvests: ReadonlyMap<string, Harvest>,
  sizes: RelationSizes,
): readonly Expansion[] {
  const wanted = endpoints.flatMap(endpoint => {
    const relation = listedRelation(endpoint)
    return relation === undefined || sizes.has(relation) ? [] : [{ endpoint, relation }]
  })
  const expansions: Expansion[] = []
  for (const { snapshot } of harvests.values()) {
    const { site, rows } = snapshot
    if (site.endpoint.keys.length > 0 || rows.length === 0 || rows.length > longestExpanded) continue
    const relations = wanted
      .filter(({ endpoint }) => parentRows(endpoint, [snapshot]).length > 0)
      .map(({ relation }) => relation)
      .filter(relation => isExpandable(site.endpoint, relation))
    if (relations.length > 0) expansions.push({ site, relations: [...new Set(relations)] })
  }
  return expansions
}

/** The relation whose items a collection below an item lists. */
function listedRelation({ kind, keys, resolved }: Endpoint): NavigationProperty | undefined {
  const last = resolved.at(-1)
  const before = resolved.at(-2)?.kind
  return kind === 'collection' && keys.length > 0 && before === 'key' && last?.kind === 'navigation'
    ? last.property
    : undefined
}

async function readSizes(
  { site, relations }: Expansion,
  session: Pick<Session, 'list'>,
  sizes: RelationSizes,
): Promise<void> {
  const expand = relations.map(({ name }) => ({ path: [name] }))
  const { rows } = await session.list(readRequest(site, { expand }), { pages: 1 })
  for (const relation of relations) {
    const byKey = sizes.get(relation) ?? new Map<string, number>()
    for (const row of rows) {
      const key = site.type === undefined ? undefined : keyOf(row, site.type)
      const shown = Object.hasOwn(row, relation.name) ? row[relation.name] : undefined
      if (key !== undefined && Array.isArray(shown)) byKey.set(key, shown.length)
    }
    sizes.set(relation, byKey)
  }
}

function addresses(
  endpoint: Endpoint,
  harvests: ReadonlyMap<string, Harvest>,
  maxTries: number,
  sizes: RelationSizes,
): readonly Site[] {
  if (endpoint.keys.length === 0) {
    const only = siteOf(endpoint)
    return only === undefined ? [] : [only]
  }
  const snapshots = [...harvests.values()].map(({ snapshot }) => snapshot)
  const rows = parentRows(endpoint, snapshots)
  const count = endpoint.kind === 'collection' ? maxTries : maxItems
  const relation = listedRelation(endpoint)
  const known = relation === undefined ? undefined : sizes.get(relation)
  const sites = new Map<string, Site>()
  for (const parent of fullest(rows, known) ?? spread(rows, count)) {
    const site = siteOf(endpoint, parent)
    if (site !== undefined) sites.set(site.id, site)
  }
  return [...sites.values()]
}

/** How many items with the longest lists to take. */
const maxFullest = 2
/** Longer lists say no more. */
const longEnough = 50

/** The items with the longest lists, and one whose list is empty. Undefined if too few are known. */
function fullest(
  rows: readonly ParentRow[],
  sizes: ReadonlyMap<string, number> = new Map(),
): readonly ParentRow[] | undefined {
  const known = rows.flatMap(parent => {
    const { type } = parent.site
    const key = type === undefined ? undefined : keyOf(parent.row, type)
    const size = key === undefined ? undefined : sizes.get(key)
    return size === undefined ? [] : [{ parent, size: Math.min(size, longEnough) }]
  })
  const longest = known
    .filter(({ size }) => size > 0)
    .toSorted((a, b) => b.size - a.size)
    .slice(0, maxFullest)
  if (longest.length < maxFullest) return undefined
  const empty = known.filter(({ size }) => size === 0).slice(0, 1)
  const [first, ...others] = [...longest, ...empty].map(({ parent }) => parent)
  return first === undefined ? undefined : [first, ...others.toReversed()]
}

/**
 * So many rows at most: of each kind in turn, since only rows of one kind may have items below them, and of each kind from
 * the whole range.
 */
function spread(rows: readonly ParentRow[], count: number): readonly ParentRow[] {
  const kinds = new Map<string, ParentRow[]>()
  for (const parent of rows) {
    const kind = kindOf(parent.row)
    const known = kinds.get(kind)
    if (known === undefined) kinds.set(kind, [parent])
    else known.push(parent)
  }
  const byKind = [...kinds.values()].map(of => evenlySpaced(of, count))
  return Array.from({ length: count }, (_, turn) => byKind.flatMap(of => of[turn] ?? []))
    .flat()
    .slice(0, count)
}

/** What distinguishes a file from a folder: the type of a row, and the complex properties that are present. */
function kindOf(row: Row): string {
  const complex = Object.keys(row).filter(name => isRow(row[name]))
  return [row['@odata.type'], ...complex].join(' ')
}

function evenlySpaced<T>(items: readonly T[], count: number): readonly T[] {
  if (items.length <= count) return items
  return items.filter(
    (_, index) => Math.floor((index * count) / items.length) !== Math.floor(((index - 1) * count) / items.length),
  )
}

/** Whether there is a service to check. */
type Preflight = { readonly kind: 'ready' } | { readonly kind: 'unreachable' | 'refused'; readonly why: string }

/** How many paths to try before giving up. */
const maxPaths = 5

/** Requests a few paths that need no keys: does anything answer, is the credential accepted, is it this service? */
export async function preflight({ service, send }: Pick<Session, 'service' | 'send'>): Promise<Preflight> {
  const responses: TestResponse[] = []
  for (const path of pathsToTry(service)) {
    const response = await send({ method: 'GET', path })
    if (response.status === 200 && response.json !== undefined) return { kind: 'ready' }
    responses.push(response)
  }
  const last = responses.at(-1)
  if (last === undefined) return { kind: 'ready' }
  if (responses.every(({ transportError }) => transportError !== undefined)) {
    return { kind: 'unreachable', why: `${last.request.url} did not respond (${last.detail ?? last.transportError}).` }
  }
  if (responses.every(({ status }) => status === 401)) {
    return { kind: 'refused', why: `${last.request.url} returned 401: the credential is missing or not accepted.` }
  }
  if (responses.every(({ status }) => status === 401 || status === 403)) {
    return {
      kind: 'refused',
      why: `${last.request.url} returned ${last.status}: the credential has too few permissions.`,
    }
  }
  const isElsewhere = responses.every(({ status }) => status === 404)
  if (!isElsewhere && responses.some(({ json }) => json !== undefined)) return { kind: 'ready' }
  const type = last.headers['content-type']?.split(';')[0] ?? 'no content type'
  const what = last.transportError ?? `${last.status}, ${type}`
  return { kind: 'unreachable', why: `${last.request.url} returned ${what}: this is not the described service.` }
}

/** What can be read at a path that is known in advance. */
export function sitesWithoutKeys({ endpoints }: Service): readonly Site[] {
  return endpoints.flatMap(endpoint => {
    if (endpoint.method !== 'GET' || endpoint.kind === 'call' || endpoint.keys.length > 0) return []
    return siteOf(endpoint) ?? []
  })
}

/** Paths below different roots first: a caller without a mailbox or drive may still see users. */
function pathsToTry(service: Service): readonly string[] {
  const paths = sitesWithoutKeys(service).map(({ path }) => path)
  const isFirst = (path: string, index: number): boolean =>
    paths.findIndex(other => firstSegment(other) === firstSegment(path)) === index
  const first = paths.filter(isFirst)
  return [...first, ...paths.filter(path => !first.includes(path))].slice(0, maxPaths)
}

function firstSegment(path: string): string {
  return path.split('/')[1] ?? ''
}
