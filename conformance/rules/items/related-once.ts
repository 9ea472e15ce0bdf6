import { isDeepStrictEqual } from 'node:util'
import type { NavigationProperty, ResolvedSegment } from '../../../spec/language/index.js'
import { keyOf, onePerEndpoint, type Site, siteOf } from '../../discover/site.js'
import { isRow, type Row } from '../../json.js'
import { expandableRelations, expandedRows, querySite } from '../../lists/related-items.js'
import { readRequest } from '../../rule/query-request.js'
import { inconclusiveVerdict, isRejection } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure, type Verdict } from '../../rule/verdict.js'
import { pageOf, type Session } from '../../session/session.js'
import { createItem } from '../writing/created-item.js'
import { cannotWrite, listOf, removeItem, type WriteSite, writeSite, writeSites } from '../writing/write-site.js'

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

/** @see OData 4.01 CSDL XML, 8.4 (containment) */
export const containedOnce: ActiveRule = {
  kind: 'active',
  id: 'contained-once',
  area: 'items',
  statement: 'A new item does not contain the items that another item contains.',
  advice:
    'Read the related items by the key of each owner. Look for a query that is run once for a whole list, or a cache whose key lacks the owner.',
  aspects: ['expand.related', 'create.item'],
  covers: ['expand'],
  severity: 'must',
  writes: true,
  cost: 4,
  weight: 4,
  sites: session => writeSites(session).filter(site => containedRelations(site, session).length > 0),
  cases: (site, session) => {
    const writable = writeSite(site, session)
    const relations = writable === undefined ? [] : containedRelations(writable, session)
    return { planned: relations.map(({ name }) => ({ name })) }
  },
  check: async ({ name }, site, session) => {
    const writable = writeSite(site, session)
    const list = listOf(site, session)
    const relation = writable && containedRelations(writable, session).find(each => each.name === name)
    if (writable?.reading === undefined || list === undefined || relation === undefined) {
      return { kind: 'inconclusive', why: cannotWrite }
    }
    const options = { expand: [{ path: [relation.name] }] }
    const others = await session.send(readRequest(list, options))
    if (isRejection(others, session)) return { kind: 'unsupported', constructs: ['expand'] }
    const known = (pageOf(others)?.rows ?? []).flatMap(row => expandedRows(row, relation) ?? [])
    if (known.length === 0) return { kind: 'pass', vacuous: true }
    const outcome = await createItem({}, writable, session)
    if (outcome.kind === 'ended') return outcome.verdict
    const { path } = outcome.item
    try {
      const response = await session.send(readRequest({ endpoint: writable.reading, path }, options))
      const inconclusive = inconclusiveVerdict(response)
      if (inconclusive !== undefined) return inconclusive
      const own = response.status === 200 && isRow(response.json) ? expandedRows(response.json, relation) : undefined
      const shared = (own ?? []).filter(
        row => hasOwnKey(row, relation) && known.some(each => isDeepStrictEqual(each, row)),
      )
      if (shared.length === 0) return { kind: 'pass', vacuous: own === undefined }
      return failure({
        message: `A new item contains ${relation.name} of another item.`,
        expected: `no ${relation.name}, or others`,
        received: `${shared.length} items that another item contains`,
        surplus: shared.flatMap(row => keyOf(row, relation.type) ?? []),
        answers: [response, others],
        features: ['expand', 'relation.owner'],
      })
    } finally {
      await removeItem(path, session)
    }
  },
}

/** The collections of contained items whose keys the service makes, and that lists and items can expand. */
function containedRelations({ reading, path, ...site }: WriteSite, session: Session): readonly NavigationProperty[] {
  const list = listOf({ path, ...site }, session)
  const [ofList, ofItem] = [list, reading && { ...site, path, endpoint: reading }].map(each => {
    const queried = each && querySite(each)
    return queried === undefined ? [] : expandableRelations(queried)
  })
  return (ofList ?? []).filter(relation => {
    const { contained, collection, type } = relation
    return contained && collection && type.key.some(({ computed }) => computed) && ofItem?.includes(relation)
  })
}

/** A small number or a word may be the key within each owner of an item that the service creates by default. */
function hasOwnKey(row: Row, { type }: NavigationProperty): boolean {
  return type.key.some(({ name }) => /^(?=.*\d).{5,}$/.test(String(row[name] ?? '')))
}
