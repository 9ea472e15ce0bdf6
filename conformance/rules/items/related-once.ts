import type { ResolvedSegment } from '../../../spec/language/index.js'
import { keyOf, onePerEndpoint, type Site, siteOf } from '../../discover/site.js'
import type { Row } from '../../json.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure, type Verdict } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'

export const relatedOnce: ActiveRule = {
  kind: 'active',
  id: 'related-once',
  area: 'items',
  statement: 'An item that can belong to only one owner appears in the collection of only one owner.',
  advice: 'The path names the owner of the collection. Look for a join that omits the key of the owner.',
  aspects: ['relation.path', 'collection.read'],
  covers: ['endpoint.collection'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 6,
  sites: session =>
    onePerEndpoint(session.sites).filter(site => {
      return isExclusive(site) && siblings(site, session).length > (isTree(site) ? 0 : 1)
    }),
  cases: (site, session) => ({
    planned: [
      ...(siblings(site, session).length > 1 ? [{ variant: 'disjoint' }] : []),
      ...(isTree(site) ? [{ variant: 'nested', name: 'few' }, { variant: 'nested' }] : []),
    ],
  }),
  check: async ({ variant, name }, site, session) => {
    if (variant === 'nested') return checkNested(site, session, name === 'few' ? fewNested : maxNested)
    const first = siblings(site, session)[0]
    if (first === undefined || site.type === undefined) return { kind: 'pass', vacuous: true }
    // Read both again, to report the exchange.
    const { rows, pages, end } = await session.list({ method: 'GET', path: first.path })
    if (end !== 'complete' && end !== 'truncated')
      return { kind: 'inconclusive', why: 'the collection could not be read' }
    const { type } = site
    const keys = new Set(rows.map(row => keyOf(row, type)))
    for (const other of siblings(site, session).slice(1)) {
      const shared = [...(session.snapshot(other)?.byKey.keys() ?? [])].filter(key => keys.has(key))
      if (shared.length === 0) continue
      return failure({
        message: 'The same items are in the collections of two owners, although they can have only one.',
        expected: `no item in both ${first.path} and ${other.path}`,
        received: `${shared.length} of ${keys.size} items of ${first.path} are also in ${other.path}`,
        surplus: shared,
        answers: pages.slice(0, 1),
        features: ['relation.owner'],
      })
    }
    return { kind: 'pass', vacuous: keys.size === 0 }
  },
}

/** How many items, and how many of them with items of their own, to read of a tree. */
const maxNested = { items: 20, owners: 6 }
/** The first time: other rules wait for their first turn. */
const fewNested = { items: 5, owners: 3 }

/** In a tree of items, the items below an item are neither beside it nor below another one. */
async function checkNested(site: Site, session: Session, most: typeof maxNested): Promise<Verdict> {
  const { type, endpoint } = site
  let owners = 0
  const ownerOf = new Map<string, string>()
  for (const { list, beside, row } of likelyOwners(site, session).slice(0, most.items)) {
    const inner = siteOf(endpoint, { site: list, row })
    if (inner === undefined || type === undefined || owners === most.owners) continue
    const { rows, pages } = await session.list({ method: 'GET', path: inner.path })
    if (rows.length > 0) owners++
    const own = keyOf(row, type)
    const keys = rows.flatMap(item => keyOf(item, type) ?? [])
    const elsewhere = keys.map(key => ownerOf.get(key)).find(path => path !== undefined && path !== inner.path)
    const both = keys.filter(key => elsewhere !== undefined && ownerOf.get(key) === elsewhere)
    if (elsewhere !== undefined) {
      return failure({
        message: 'The same items are below two items, although they can have only one owner.',
        expected: `no item in both ${elsewhere} and ${inner.path}`,
        received: `${both.length} of ${rows.length} items of ${inner.path} are also in ${elsewhere}`,
        surplus: both,
        answers: pages.slice(0, 1),
        features: ['relation.owner'],
      })
    }
    for (const key of keys) ownerOf.set(key, inner.path)
    const shared = keys.filter(key => key !== own && beside.has(key))
    if (shared.length === 0) continue
    return failure({
      message: 'The items below an item are also beside it, although they can have only one owner.',
      expected: `no item in both ${list.path} and ${inner.path}`,
      received: `${shared.length} of ${rows.length} items of ${inner.path} are also in ${list.path}`,
      surplus: shared,
      answers: pages.slice(0, 1),
      features: ['relation.owner'],
    })
  }
  return { kind: 'pass', vacuous: owners === 0 }
}

interface LikelyOwner {
  readonly row: Row
  /** A list of the tree: its path shows how to reach what is below the item. */
  readonly list: Site
  /** The items beside it, if it was listed below its own owner. */
  readonly beside: ReadonlyMap<string, Row>
}

/** Items of a tree, from the lists of the tree and from others. Those that look like known owners come first. */
function likelyOwners(site: Site, session: Session): readonly LikelyOwner[] {
  const { type } = site
  const [first = site, ...others] = siblings(site, session)
  if (type === undefined) return []
  const found = new Map<string, LikelyOwner>()
  const add = (list: Site, from: Site, beside: ReadonlyMap<string, Row>): void => {
    for (const row of session.snapshot(from)?.rows ?? []) {
      const key = keyOf(row, type)
      if (key !== undefined && !found.has(key)) found.set(key, { list, row, beside })
    }
  }
  const empty: ReadonlyMap<string, Row> = new Map()
  for (const each of [first, ...others]) add(each, each, session.snapshot(each)?.byKey ?? empty)
  for (const each of session.sites) if (each.type === type && each.endpoint !== site.endpoint) add(first, each, empty)
  const shape = (row: Row): string =>
    Object.keys(row)
      .filter(name => row[name] !== null)
      .sort()
      .join()
  const keysOfOwners = new Set([first, ...others].flatMap(each => Object.values(each.keys)))
  const shapes = new Set([...found].flatMap(([key, { row }]) => (keysOfOwners.has(key) ? [shape(row)] : [])))
  const rank = ({ row }: LikelyOwner): number => (shapes.has(shape(row)) ? 0 : 1)
  return [...found.values()].sort((a, b) => rank(a) - rank(b))
}

/** Whether the items of a collection have such a collection themselves. */
function isTree({ endpoint, type }: Site): boolean {
  const last = endpoint.resolved.at(-1)
  return last?.kind === 'navigation' && type !== undefined && last.property.partner?.type === type
}

/**
 * Whether the items of a collection have only one owner, because their partner relation is single-valued, and different
 * paths lead to different owners.
 */
function isExclusive({ endpoint }: Site): boolean {
  const last = endpoint.resolved.at(-1)
  if (endpoint.kind !== 'collection' || last?.kind !== 'navigation' || !hasOwnerByKey(endpoint.resolved)) return false
  const { partner, contained } = last.property
  // Keys of contained items need to be unique only within their owner.
  return !contained && partner !== undefined && !partner.collection
}

/**
 * Whether the path names the owner by its key alone. Two paths through a relation may lead to one owner:
 * `/products(1)/category/products` and `/products(2)/category/products`.
 */
function hasOwnerByKey(path: readonly ResolvedSegment[]): boolean {
  const [owner, ...before] = path.slice(0, -1).reverse()
  const isShared = before.some(
    segment =>
      segment.kind === 'navigation' && !segment.property.contained && before.some(({ kind }) => kind === 'key'),
  )
  return owner?.kind === 'key' && !isShared
}

/** The harvested sites of an endpoint; sites with rows come first. */
function siblings({ endpoint }: Site, { sites, snapshot }: Session): readonly Site[] {
  const size = (site: Site): number => snapshot(site)?.rows.length ?? 0
  return sites.filter(site => site.endpoint === endpoint && size(site) > 0).sort((a, b) => size(b) - size(a))
}
