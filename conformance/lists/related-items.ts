import type { QueryOptions } from '../../runtime/query/index.js'
import type {
  EntityType,
  NavigationProperty,
  QueryCapabilities,
  ReadEndpoint,
  ResolvedSegment,
} from '../../spec/language/index.js'
import { permittedValues } from '../choices/choices.js'
import { keyOf, type Site, type Snapshot } from '../discover/site.js'
import { isRow, type Row } from '../json.js'
import type { Session } from '../session/session.js'
import { isKindOf } from './properties.js'

/** What the harvest reveals about the items that a navigation property leads to. */
interface RelatedKeys {
  /** Items that it certainly leads to. */
  readonly certain: ReadonlySet<string>
  /** Whether these are all items. */
  readonly complete: boolean
}

/** The lists that were read. */
type Harvested = Pick<Session, 'sites' | 'snapshot'>

/**
 * The items that a navigation property leads to from a row, as far as other lists show: the harvested path of the
 * property itself, a referential constraint, or the path of its partner. Absent if none of them helps.
 *
 * @param place where the row was read
 */
export function relatedKeys(
  relation: NavigationProperty,
  row: Row,
  type: EntityType,
  place: RowSource,
  session: Harvested,
): RelatedKeys | undefined {
  const known = byPath(relation, row, place, session) ?? byConstraint(relation, row)
  if (known !== undefined || isContained(place)) return known
  return byPartner(relation, row, type, session)
}

/** Uses the path of the navigation property itself. */
function byPath(relation: NavigationProperty, row: Row, place: RowSource, session: Harvested): RelatedKeys | undefined {
  const own = harvestedPath(relation, row, place, session)
  return own && { certain: new Set(own.byKey.keys()), complete: own.complete }
}

function harvestedPath(
  relation: NavigationProperty,
  row: Row,
  place: RowSource,
  session: Harvested,
): Snapshot | undefined {
  const found = pathsOf(relation, session).find(({ site, snapshot, from, isOfContained }) => {
    const isOfAny = !isContained(place) && !isOfContained
    // Two paths may lead to one owner: `/me/drive` and `/drive`. An item of another owner has the same key only if it is short.
    const isFound =
      snapshot.rows.length > 0 && from.length > 0 && from.every(([, value]) => value.length >= uniqueLength)
    return (isOfAny || isFound || isBelow(site, place)) && from.every(([name, value]) => String(row[name]) === value)
  })
  return found?.snapshot
}

/** Keys of this length are unique beyond one owner. */
const uniqueLength = 12

/**
 * Uses a referential constraint such as `{ isbn: isbn }`: properties of the row that are the key of the related item. Many
 * services with drafts leave the property empty if the related item is contained.
 */
function byConstraint(relation: NavigationProperty, row: Row): RelatedKeys | undefined {
  const { constraint, collection, contained, type } = relation
  if (collection || contained || constraint.length === 0) return undefined
  const target: Record<string, unknown> = {}
  for (const { dependent, principal } of constraint) {
    if (!Object.hasOwn(row, dependent)) return undefined
    if (row[dependent] === null) return { certain: new Set(), complete: true }
    target[principal] = row[dependent]
  }
  const key = keyOf(target, type)
  return key === undefined ? undefined : { certain: new Set([key]), complete: true }
}

/** Uses the partner: items that lead back to this row. There may be more. */
function byPartner(
  { partner, type: targetType }: NavigationProperty,
  row: Row,
  type: EntityType,
  session: Harvested,
): RelatedKeys | undefined {
  const key = keyOf(row, type)
  if (partner === undefined || key === undefined || partner.contained) return undefined
  if (!partner.collection && partner.constraint.length > 0) {
    // A constraint on a part of the key does not say which of several items is meant.
    const determinesKey = type.key.every(({ name }) => partner.constraint.some(({ principal }) => principal === name))
    if (!determinesKey) return undefined
    const targets = harvestedEntitySet(targetType, session)
    if (targets === undefined) return undefined
    const back = [...targets.byKey].filter(([, target]) => byConstraint(partner, target)?.certain.has(key) === true)
    return { certain: new Set(back.map(([each]) => each)), complete: targets.complete }
  }
  const certain = new Set<string>()
  for (const { from, snapshot, isOfContained } of pathsOf(partner, session)) {
    if (isOfContained) continue
    const target: Row = Object.fromEntries(from)
    const targetKey = keyOf(target, targetType)
    if (targetKey !== undefined && snapshot.byKey.has(key)) certain.add(targetKey)
  }
  return certain.size === 0 ? undefined : { certain, complete: false }
}

interface RelationPath {
  readonly site: Site
  /** Whether the path leads from a contained item. */
  readonly isOfContained: boolean
  /** The key of the item that the path leads from. */
  readonly from: readonly (readonly [string, string])[]
  readonly snapshot: Snapshot
}

/** The harvested paths that end with a navigation property, such as `/groups/{id}/members`. */
function pathsOf(relation: NavigationProperty, session: Harvested): readonly RelationPath[] {
  return session.sites.flatMap(site => {
    const { resolved, keys, kind } = site.endpoint
    const last = resolved.at(-1)
    if (kind !== 'collection' || last?.kind !== 'navigation' || last.property !== relation) return []
    const step = resolved.length - 2
    const snapshot = session.snapshot(site)
    if (resolved[step]?.kind !== 'key' || snapshot === undefined) return []
    const from = keys
      .filter(({ segment }) => segment === step)
      .map(({ variable, property }) => [property.name, site.keys[variable] ?? ''] as const)
    const isOfContained = leadsIntoItems(resolved.slice(0, step))
    return from.length === 0 ? [] : [{ site, isOfContained, from, snapshot }]
  })
}

/** The harvested entity set of a type: a list whose path has no keys. */
function harvestedEntitySet(type: EntityType, session: Harvested): Snapshot | undefined {
  for (const site of session.sites) {
    const isSet = site.endpoint.kind === 'collection' && site.endpoint.resolved.length === 1 && site.type === type
    const snapshot = isSet ? session.snapshot(site) : undefined
    if (snapshot !== undefined) return snapshot
  }
  return undefined
}

/**
 * A related item as another list shows it: the navigation property's own path if it is contained, otherwise an entity
 * set of its type or of a derived type.
 *
 * @param place where the row was read
 */
export function harvestedItem(
  key: string,
  relation: NavigationProperty,
  row: Row,
  place: RowSource,
  session: Session,
): Row | undefined {
  if (relation.contained) return harvestedPath(relation, row, place, session)?.byKey.get(key)
  if (mayBeContained(relation.type, session)) return undefined
  for (const site of session.sites) {
    const { endpoint, type } = site
    const isSet = endpoint.kind === 'collection' && endpoint.keys.length === 0 && !leadsIntoItems(endpoint.resolved)
    if (!isSet || type === undefined || !isKindOf(type, relation.type)) continue
    const found = session.snapshot(site)?.byKey.get(key)
    if (found !== undefined) return found
  }
  return undefined
}

/** Whether other items contain items of a type, whose keys can be those of items of entity sets. */
function mayBeContained(type: EntityType, { service }: Session): boolean {
  return service.entityTypes.some(({ ownNavigation }) =>
    ownNavigation.some(({ contained, partner, type: target }) => {
      if (!contained || !isKindOf(target, type)) return false
      return !(partner?.constraint ?? []).some(({ dependent }) => target.key.some(({ name }) => name === dependent))
    }),
  )
}

/** The expanded items of a row: none for null; absent if the value is not an item. */
export function expandedRows(row: Row, { name, collection }: NavigationProperty): readonly Row[] | undefined {
  const value = Object.hasOwn(row, name) ? row[name] : undefined
  if (collection) return Array.isArray(value) && value.every(isRow) ? value : undefined
  if (value === null || value === undefined) return []
  return isRow(value) ? [value] : undefined
}

/**
 * The navigation properties that an endpoint may expand, in the order of its capabilities. Omits those inside complex
 * values.
 */
export function expandableRelations({ endpoint, type }: QuerySite): readonly NavigationProperty[] {
  const { support, relations } = endpoint.query.expand
  if (support === 'none') return []
  return Object.entries(relations).flatMap(([name, each]) => {
    const relation = type.navigation.find(candidate => candidate.name === name)
    return each === 'none' || relation === undefined ? [] : [relation]
  })
}

/** Where rows were read: at a site, or in a navigation property of other rows. */
export type RowSource = Site | NavigationProperty

/** Whether keys are unique among siblings only: contained items of two parents may have the same key. */
function isContained(place: RowSource): boolean {
  return 'endpoint' in place ? leadsIntoItems(place.endpoint.resolved) : place.contained
}

/** Whether a path leads through or to contained items. */
function leadsIntoItems(path: readonly ResolvedSegment[]): boolean {
  return path.some(segment => segment.kind === 'navigation' && segment.property.contained)
}

/** Whether a site is below the rows of a source, and of no others. False if the address of the source is unknown. */
export function isBelow(site: Site, place: RowSource): boolean {
  if (!('endpoint' in place)) return false
  return site.path.startsWith(`${place.path}/`) || site.path.startsWith(`${place.path}(`)
}

/** A site of a list or an item, with its query capabilities. */
export interface QuerySite extends Site {
  readonly endpoint: ReadEndpoint & { readonly query: QueryCapabilities }
  readonly type: EntityType
}

/** More rows do not make a list more informative, only more expensive. */
const maxUsefulRows = 100

/** Lists that support something, the most informative first: read completely, with many rows. */
export function listSites(session: Session, allows: (query: QueryCapabilities) => boolean): readonly QuerySite[] {
  const worth = (site: Site): number => {
    const snapshot = session.snapshot(site)
    if (snapshot === undefined) return -1
    return (snapshot.complete ? maxUsefulRows : 0) + Math.min(snapshot.rows.length, maxUsefulRows)
  }
  return sitesOf(session, 'collection', allows)
    .map((site, index) => ({ site, index, worth: worth(site) }))
    .sort((a, b) => b.worth - a.worth || a.index - b.index)
    .map(({ site }) => site)
}

/** Items that support something, in the order of the spec. */
export function itemSites(session: Session, allows: (query: QueryCapabilities) => boolean): readonly QuerySite[] {
  return sitesOf(session, 'item', allows)
}

/** The site with its query capabilities; absent if it has none. */
export function querySite(site: Site): QuerySite | undefined {
  return isQuerySite(site) ? site : undefined
}

function sitesOf(
  session: Session,
  kind: ReadEndpoint['kind'],
  allows: (query: QueryCapabilities) => boolean,
): readonly QuerySite[] {
  return session.sites.filter(isQuerySite).filter(({ endpoint }) => endpoint.kind === kind && allows(endpoint.query))
}

function isQuerySite(site: Site): site is QuerySite {
  const { endpoint } = site
  const isRead = endpoint.kind === 'collection' || endpoint.kind === 'item'
  return isRead && endpoint.query !== undefined && site.type !== undefined
}

/**
 * Options that return a list in one page, or in as few as possible: none if it fits the default page, otherwise the
 * `$top` that fits the list.
 */
export function onePageOptions(site: QuerySite, session: Session): QueryOptions {
  const { top } = site.endpoint.query
  const size = session.snapshot(site)?.rows.length ?? 0
  if (top.support === 'none' || (top.default !== undefined && size <= top.default)) return {}
  return { top: Math.max(1, Math.min(size, top.max ?? size)) }
}

/**
 * Options that split a list into several pages, if possible: a small `$top` if it is a page size, or none if the list
 * exceeds the default page. Absent if neither applies.
 *
 * @param pages how many
 */
export function pagingOptions(site: QuerySite, session: Session, pages: number): QueryOptions | undefined {
  const snapshot = session.snapshot(site)
  const length = snapshot?.rows.length ?? 0
  const { top } = site.endpoint.query
  if (top.support !== 'none' && permittedValues(session, 'topMeaning', 'total').includes('pageSize')) {
    if (length < 2) return undefined
    return { top: Math.min(Math.max(1, Math.ceil(length / pages)), top.max ?? length) }
  }
  const size = snapshot?.pageSize ?? top.default
  const mayBeShorter = session.choices.get('defaultPageSize') === 'other' && length >= leastPaged
  return mayBeShorter || (size !== undefined && length > size) ? {} : undefined
}

/** Pages without `$top` may have fewer items than the spec assumes. Shorter lists hardly ever have several. */
const leastPaged = 4

/** Lists that can be split into pages first. */
export function pagedFirst(sites: readonly QuerySite[], session: Session): readonly QuerySite[] {
  const isPaged = (site: QuerySite): boolean => pagingOptions(site, session, 3) !== undefined
  return [...sites.filter(isPaged), ...sites.filter(site => !isPaged(site))]
}

/** If `$top` may limit the whole list rather than a page, a list of exactly `$top` items may be truncated. */
export function mayBeTruncated(
  length: number,
  { top }: QueryOptions,
  session: Pick<Session, 'service' | 'choices'>,
): boolean {
  return length === top && permittedValues(session, 'topMeaning', 'total').includes('total')
}
