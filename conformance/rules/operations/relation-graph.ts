import { type Endpoint, type EntityType, isSamePath, type NavigationProperty } from '../../../spec/language/index.js'
import { permittedValues } from '../../choices/choices.js'
import { isExpandable, keyOf, type Site, siteOf } from '../../discover/site.js'
import type { TestRequest, TestResponse } from '../../http/message.js'
import { isRow, type Row } from '../../json.js'
import { readRequest } from '../../rule/query-request.js'
import { versionedCache } from '../../session/data-versions.js'
import type { Session } from '../../session/session.js'

/** The targets of a relation, by key of the source. */
interface RelationGraph {
  readonly edges: ReadonlyMap<string, ReadonlySet<string>>
  /** Whether the graph has all edges. */
  readonly complete: boolean
}

/** The root collection of a type. */
export function setOf(type: EntityType, { sites }: Pick<Session, 'sites'>): Site | undefined {
  return sites.find(({ endpoint, type: of }) => {
    return endpoint.kind === 'collection' && endpoint.resolved.length === 1 && of === type
  })
}

/**
 * Reads a relation for all its sources: from its referential constraint, by expanding its partner, by expanding it, or from the
 * lists of its partner, one for each item.
 * Undefined if the interface shows it in none of these ways.
 *
 * @param source the type of the sources
 */
export function relationGraph(
  relation: NavigationProperty,
  source: EntityType,
  session: Session,
): Promise<RelationGraph | undefined> {
  const name = `${source.name}/${relation.name} ${session.choices.get('expandedItems') ?? ''}`
  return recall(session.dataVersion(source, relation.type), name, () => readGraph(relation, source, session.forCache))
}

const { getOrRead: recall } = versionedCache<RelationGraph | undefined>(graph => graph !== undefined)

async function readGraph(
  relation: NavigationProperty,
  source: EntityType,
  session: Session,
): Promise<RelationGraph | undefined> {
  const set = setOf(relation.type, session)
  const known = byConstraint(relation, session)
  const expanded = known ?? (await byExpansion(relation.partner, set, true, session))
  if (expanded?.complete) return expanded
  // A service may limit expanded lists. Their own paths show all items.
  const listed = expanded === undefined ? undefined : await byLists(relation.partner, set, session, mostListsBesides)
  if (listed?.complete) return listed
  return (
    expanded ?? (await forward(relation, source, session)) ?? (await byLists(relation.partner, set, session, mostLists))
  )
}

/** From the sources and, if the relation is transitive, from its targets. */
async function forward(
  relation: NavigationProperty,
  source: EntityType,
  session: Session,
): Promise<RelationGraph | undefined> {
  const first = await byExpansion(relation, setOf(source, session), false, session)
  if (first === undefined || source === relation.type) return first
  const next = relation.type.navigation.find(({ name }) => name === relation.name)
  const second = await byExpansion(next, setOf(relation.type, session), false, session)
  return second === undefined ? { ...first, complete: false } : merged(first, second)
}

/** The partner is single-valued and has a referential constraint: `parentCode` is the `code` of the parent. */
function byConstraint({ partner, type, collection }: NavigationProperty, session: Session): RelationGraph | undefined {
  const [constraint] = partner?.constraint ?? []
  const set = setOf(type, session)
  const snapshot = set === undefined ? undefined : session.snapshot(set)
  if (!collection || partner?.constraint.length !== 1 || constraint === undefined || snapshot === undefined) {
    return undefined
  }
  if (!snapshot.properties.has(constraint.dependent)) return undefined
  const edges = new Map<string, Set<string>>()
  for (const [key, row] of snapshot.byKey) {
    const source = row[constraint.dependent]
    if (source !== null && source !== undefined) link(edges, String(source), key)
  }
  return { edges, complete: snapshot.complete }
}

async function byExpansion(
  relation: NavigationProperty | undefined,
  set: Site | undefined,
  isInverse: boolean,
  session: Session,
): Promise<RelationGraph | undefined> {
  if (relation === undefined || set === undefined || !isExpandable(set.endpoint, relation)) return undefined
  const constructs = ['expand', `expand:${relation.name}`]
  if (set.type === undefined || !session.support.maySend(set, constructs)) return undefined
  const listing = await session.list(readRequest(set, { expand: [{ path: [relation.name] }] }))
  if (listing.end !== 'complete') return undefined
  const edges = new Map<string, Set<string>>()
  let complete = true
  const sizes = new Map<string, number>()
  let followed = 0
  for (const row of listing.rows) {
    const key = keyOf(row, set.type)
    const shown = Object.hasOwn(row, relation.name) ? row[relation.name] : undefined
    if (key === undefined || !Array.isArray(shown)) {
      complete = false
      continue
    }
    const next = expansionLink(row, relation, set, listing.pages)
    const known = next === undefined ? undefined : knownList(row, relation, set, session)
    const rest =
      next === undefined || known !== undefined || followed++ >= mostFollowed ? undefined : await session.list(next)
    const isWhole =
      known !== undefined ||
      (rest === undefined ? !Object.hasOwn(row, `${relation.name}@odata.nextLink`) : rest.end === 'complete')
    if (!isWhole) complete = false
    const targets = known ?? [...shown, ...(rest?.rows ?? [])]
    sizes.set(key, targets.length)
    for (const target of targets) {
      const other = isRow(target) ? keyOf(target, relation.type) : undefined
      if (other === undefined) complete = false
      else if (isInverse) link(edges, other, key)
      else link(edges, key, other)
    }
  }
  if (complete && !permittedValues(session, 'expandedItems', 'all').isOnly('all')) {
    complete = await areWhole(sizes, listing.rows, relation, set, session)
  }
  return { edges, complete }
}

/** The list of a relation below an item, if it was harvested completely. */
function knownList(row: Row, relation: NavigationProperty, set: Site, session: Session): readonly Row[] | undefined {
  const below = listBelow(set, relation, session)
  const site = below === undefined ? undefined : siteOf(below, { site: set, row })
  const snapshot = site === undefined ? undefined : session.snapshot(site)
  return snapshot?.complete === true ? snapshot.rows : undefined
}

/** Reads the list of a relation below each item of a set. The edges lead from the items of the lists to those of the set. */
async function byLists(
  relation: NavigationProperty | undefined,
  set: Site | undefined,
  session: Session,
  most: number,
): Promise<RelationGraph | undefined> {
  const snapshot = set === undefined ? undefined : session.snapshot(set)
  const below = relation === undefined || set === undefined ? undefined : listBelow(set, relation, session)
  if (relation === undefined || set === undefined || snapshot === undefined || below === undefined) return undefined
  if (!relation.collection || snapshot.rows.length > most) return undefined
  const edges = new Map<string, Set<string>>()
  let { complete } = snapshot
  for (const [source, row] of snapshot.byKey) {
    const site = siteOf(below, { site: set, row })
    const listing = site === undefined ? undefined : await session.list(readRequest(site))
    if (listing?.end !== 'complete') complete = false
    for (const target of listing?.rows ?? []) {
      const key = keyOf(target, relation.type)
      if (key === undefined) complete = false
      else link(edges, key, source)
    }
  }
  return edges.size === 0 ? undefined : { edges, complete }
}

/** Maximum number of lists to read instead of an expansion, and besides one that is not complete. */
const mostLists = 40
const mostListsBesides = 16
/** Maximum number of expanded lists whose next links are followed. */
const mostFollowed = 40
/** Maximum number of lists to compare with their own path. */
const mostProofs = 3

/**
 * Whether expanded collections are complete, although a service may truncate them: if the longest one is complete by its
 * own path, no limit truncated a shorter one.
 */
async function areWhole(
  sizes: ReadonlyMap<string, number>,
  rows: readonly Row[],
  relation: NavigationProperty,
  set: Site,
  session: Session,
): Promise<boolean> {
  const { type } = set
  const below = listBelow(set, relation, session)
  const longest = Math.max(0, ...sizes.values())
  const doubtful = rows.filter(row => type !== undefined && sizes.get(keyOf(row, type) ?? '') === longest)
  if (below === undefined || type === undefined || doubtful.length > mostProofs) return false
  for (const row of doubtful) {
    const site = siteOf(below, { site: set, row })
    if (site === undefined || (await lengthOf(site, session)) !== longest) return false
  }
  return true
}

/**
 * The request that continues an expanded list. Undefined if the list ends in the response, or its link leads to another
 * origin.
 */
export function expansionLink(
  row: Row,
  { name }: NavigationProperty,
  site: Pick<Site, 'endpoint' | 'path'>,
  pages: readonly TestResponse[],
): TestRequest | undefined {
  const link = Object.hasOwn(row, `${name}@odata.nextLink`) ? row[`${name}@odata.nextLink`] : undefined
  const base = pages[0]?.request.url
  if (typeof link !== 'string' || base === undefined || !URL.canParse(link, base)) return undefined
  const url = new URL(link, base)
  if (url.origin !== new URL(base).origin) return undefined
  const { headers } = readRequest(site, { expand: [{ path: [name] }] })
  return { method: 'GET', path: url.href, ...(headers === undefined ? {} : { headers }) }
}

/** The endpoint of the list of a relation, below the items of another list. */
export function listBelow(
  { endpoint }: Pick<Site, 'endpoint'>,
  relation: NavigationProperty,
  { service }: Pick<Session, 'service'>,
): Endpoint | undefined {
  return service.endpoints.find(({ kind, resolved }) => {
    const [key, last] = resolved.slice(endpoint.resolved.length)
    if (kind !== 'collection' || key?.kind !== 'key' || last?.kind !== 'navigation' || last.property !== relation)
      return false
    return resolved.length === endpoint.resolved.length + 2 && isSamePath(resolved.slice(0, -2), endpoint.resolved)
  })
}

/** The length of a list. Undefined if it is not known. */
async function lengthOf(site: Site, session: Session): Promise<number | undefined> {
  const snapshot = session.snapshot(site)
  if (snapshot?.complete) return snapshot.rows.length
  const { end, rows } = await session.list(readRequest(site))
  return end === 'complete' ? rows.length : undefined
}

function link(edges: Map<string, Set<string>>, from: string, to: string): void {
  const targets = edges.get(from) ?? new Set()
  targets.add(to)
  edges.set(from, targets)
}

/** The direct targets of an item, and its transitive closure. */
export function reachable(
  start: string,
  { edges }: RelationGraph,
): { readonly direct: ReadonlySet<string>; readonly all: ReadonlySet<string> } {
  const direct = edges.get(start) ?? new Set<string>()
  const all = new Set(direct)
  const waiting = [...direct]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const target of edges.get(next) ?? []) {
      if (all.has(target)) continue
      all.add(target)
      waiting.push(target)
    }
  }
  return { direct, all }
}

function merged(left: RelationGraph, right: RelationGraph): RelationGraph {
  const edges = new Map([...left.edges].map(([from, targets]) => [from, new Set(targets)]))
  for (const [from, targets] of right.edges) for (const to of targets) link(edges, from, to)
  return { edges, complete: left.complete && right.complete }
}
