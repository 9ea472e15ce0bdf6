import {
  type Endpoint,
  type EntityType,
  isSamePath,
  type NavigationProperty,
  type Property,
  primitiveOf,
  type ReadEndpoint,
  type Service,
} from '../../spec/language/index.js'
import type { Row } from '../json.js'

/** An endpoint at one address: a path template with all its variables filled in. */
export interface Site {
  /** The endpoint's name, followed by its keys if it has any. Unique, and stable across runs over the same data. */
  readonly id: string
  readonly endpoint: Endpoint
  /** Values of the template's variables, not encoded. */
  readonly keys: Readonly<Record<string, string>>
  /** Relative to the service root, percent-encoded. */
  readonly path: string
  /** Type of the items read or written; absent for operations that return no items. */
  readonly type?: EntityType
}

/** The rows of a collection at one point in time. */
export interface Snapshot {
  readonly site: Site
  /** In the order received, each with all properties that the service returns. */
  readonly rows: readonly Row[]
  /** By key, in the format of `keyOf`. */
  readonly byKey: ReadonlyMap<string, Row>
  /** Whether all rows were read. Predictions require it; relations between responses do not. */
  readonly complete: boolean
  /** The properties that were requested or returned. A property outside this set is unknown, not null. */
  readonly properties: ReadonlySet<string>
  /** The properties that have a value of another form than their type, and are therefore not in the rows. */
  readonly malformed?: ReadonlySet<string>
  /** The number of items on the first page, if the list came in several pages. */
  readonly pageSize?: number
}

/** The site of an endpoint below a row, or the only site of an endpoint without keys. Absent if the row lacks a key. */
export function siteOf(endpoint: Endpoint, parent?: ParentRow): Site | undefined {
  const keys = parent === undefined ? {} : keysFrom(endpoint, parent)
  return keys === undefined ? undefined : siteWith(endpoint, keys)
}

function siteWith(endpoint: Endpoint, keys: Readonly<Record<string, string>>): Site {
  const values = endpoint.keys.map(({ variable }) => keys[variable] ?? '')
  const type = typeOf(endpoint)
  return {
    id: values.length === 0 ? endpoint.name : `${endpoint.name}(${values.join(',')})`,
    endpoint,
    keys,
    path: sitePath(endpoint, keys),
    ...(type === undefined ? {} : { type }),
  }
}

/** The site of an endpoint at a path that matches its template. Absent if a key is a literal in parentheses, or invalid. */
export function siteAt(endpoint: Endpoint, path: string): Site | undefined {
  const steps = path.split('/')
  const keys: Record<string, string> = {}
  for (const [index, part] of endpoint.path.template.split('/').entries()) {
    const variable = /^\{([^}]*)\}$/.exec(part)?.[1]
    const given = decoded(steps[index] ?? '')
    if (variable === undefined && part !== steps[index]) return undefined
    if (variable !== undefined && given === undefined) return undefined
    if (variable !== undefined && given !== undefined) keys[variable] = given
  }
  return siteWith(endpoint, keys)
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function typeOf(endpoint: Endpoint): EntityType | undefined {
  if (endpoint.kind !== 'call') return endpoint.type
  const type = endpoint.operation.returns?.type
  return type?.kind === 'entityType' ? type : undefined
}

/** The last keys come from the row, the earlier ones from the address of its collection. */
function keysFrom(endpoint: Endpoint, { site, row }: ParentRow): Record<string, string> | undefined {
  const lastSegment = endpoint.keys.at(-1)?.segment
  const outer = site.endpoint.keys.map(({ variable }) => site.keys[variable] ?? '')
  const keys: Record<string, string> = {}
  for (const [index, { variable, property, segment }] of endpoint.keys.entries()) {
    const value = segment === lastSegment ? row[property.name] : outer[index]
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined
    const text = String(value)
    // Clients cannot address an item whose key is empty, `.` or `..`.
    if (/^\.{0,2}$/.test(text)) return undefined
    keys[variable] = text
  }
  return keys
}

/**
 * The percent-encoded path of an endpoint. Variables of inline calls stay, for rules to fill in.
 *
 * @param keys values by template variable
 */
export function sitePath(endpoint: Endpoint, keys: Readonly<Record<string, string>>): string {
  let path = ''
  let rest = endpoint.path.template
  for (const { variable, property, segment } of endpoint.keys) {
    const mark = `{${variable}}`
    const at = rest.indexOf(mark)
    const value = keys[variable]
    if (at < 0 || value === undefined) continue
    const step = endpoint.resolved[segment]
    const inParentheses = step?.kind === 'alternateKey' || (step?.kind === 'key' && step.style === 'parentheses')
    path += rest.slice(0, at) + encodeURIComponent(inParentheses ? literalText(value, property) : value)
    rest = rest.slice(at + mark.length)
  }
  return path + rest
}

/** A key as a literal. @see OData 4.01 URL Conventions, 4.3.1; OData ABNF, `primitiveLiteral` */
function literalText(value: string, { type }: Property): string {
  const primitive = primitiveOf(type)
  if (primitive === undefined || primitive === 'String') return `'${value.replaceAll("'", "''")}'`
  return primitive === 'Duration' || primitive === 'Binary' ? `${primitive.toLowerCase()}'${value}'` : value
}

/** A row that an endpoint's path can lead through, with its collection. */
export interface ParentRow {
  readonly site: Site
  readonly row: Row
}

/**
 * Rows whose keys can fill the last key of an endpoint's path. They come from the collection that the path leads
 * through, or else from another collection of the same type.
 */
export function parentRows(endpoint: Endpoint, snapshots: readonly Snapshot[]): readonly ParentRow[] {
  const last = endpoint.keys.at(-1)
  if (last === undefined) return []
  const prefix = endpoint.resolved.slice(0, last.segment)
  const own = snapshots.filter(({ site }) => isSamePath(site.endpoint.resolved, prefix))
  const others = snapshots.filter(({ site }) => site.type === last.type && site.endpoint.keys.length === 0)
  return (own.length > 0 ? own : others).flatMap(({ site, rows }) => rows.map(row => ({ site, row })))
}

/** The key of a row as one text, with its parts joined by a unit separator. Absent if the row lacks a part, or has no key. */
export function keyOf(row: Row, type: EntityType): string | undefined {
  if (type.keyless) return undefined
  const parts: string[] = []
  for (const { name } of type.key) {
    const value = Object.hasOwn(row, name) ? row[name] : undefined
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined
    parts.push(String(value))
  }
  return parts.join('\u001F')
}

/** The first site of each endpoint, for checks that do not depend on the address. */
export function onePerEndpoint<S extends Site>(sites: readonly S[]): readonly S[] {
  const names = new Set<string>()
  return sites.filter(({ endpoint }) => {
    const isFirst = !names.has(endpoint.name)
    names.add(endpoint.name)
    return isFirst
  })
}

/**
 * Orders sites so that different kinds come first: an item, a collection and an operation, each at the root and below
 * an item.
 */
export function diverseFirst(sites: readonly Site[]): readonly Site[] {
  const seen = new Set<string>()
  const first: Site[] = []
  const others: Site[] = []
  for (const site of sites) {
    const { kind, keys, resolved } = site.endpoint
    const last = /^(?:key|alternateKey)$/.test(resolved.at(-1)?.kind ?? '') ? 'by key' : 'by name'
    const group = `${kind} ${keys.length > 0 ? 'below an item' : 'at the root'} ${last}`
    if (seen.has(group)) others.push(site)
    else first.push(site)
    seen.add(group)
  }
  return [...first, ...others]
}

/** What share of the harvested rows this is, from 0 to 1. */
export function shareOf(rows: number, snapshot: Snapshot): number {
  return snapshot.rows.length === 0 ? 0 : Math.min(1, rows / snapshot.rows.length)
}

/** Matches the paths of a template: `/users/{id}` matches `/users/mira`. */
export function templatePattern(template: string): RegExp {
  const fixed = template.split(/\{[^}]*\}/).map(text => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${fixed.join('[^/]+')}$`)
}

/** Finds the endpoint that a request addresses, by method and by path below the service root. */
type EndpointFinder = (method: string, path: string) => Endpoint | undefined

/** Literal parts of a template win over variables. */
export function createEndpointFinder({ endpoints }: Service): EndpointFinder {
  const groups = new Map<string, { readonly endpoint: Endpoint; readonly pattern: RegExp }[]>()
  const byFewestKeys = endpoints.toSorted((a, b) => a.keys.length - b.keys.length)
  for (const endpoint of byFewestKeys) {
    const { template } = endpoint.path
    const name = groupOf(endpoint.method, template)
    const group = groups.get(name) ?? []
    groups.set(name, group)
    group.push({ endpoint, pattern: templatePattern(template) })
  }
  return (method, path) => {
    const name = groupOf(method === 'HEAD' ? 'GET' : method, path)
    return groups.get(name)?.find(({ pattern }) => pattern.test(path))?.endpoint
  }
}

/** The first segment, without a key in parentheses, is literal in each template. */
function groupOf(method: string, path: string): string {
  const segments = path.split('/')
  return `${method} ${segments.length} ${segments[1]?.split('(')[0]}`
}

/** Whether the items of an endpoint's list can be read with those of a relation. */
export function isExpandable(endpoint: Endpoint, { name }: NavigationProperty): boolean {
  if (endpoint.kind !== 'collection' || endpoint.query === undefined) return false
  const { support, relations } = endpoint.query.expand
  return support !== 'none' && (relations[name] ?? 'none') !== 'none'
}

/** The endpoint that reads an item of a collection by its key. */
export function itemEndpointOf(
  { endpoint }: Site,
  { endpoints }: Pick<Service, 'endpoints'>,
): ReadEndpoint | undefined {
  if (endpoint.kind !== 'collection') return undefined
  for (const each of endpoints) {
    if (each.kind !== 'item' || each.resolved.length !== endpoint.resolved.length + 1) continue
    if (each.resolved.at(-1)?.kind !== 'key' || !isSamePath(each.resolved.slice(0, -1), endpoint.resolved)) continue
    return each
  }
  return undefined
}

/** The site of an item, given its key in the format of `keyOf`. */
export function itemSiteOf(snapshot: Snapshot, key: string, endpoint: ReadEndpoint): Site | undefined {
  const row = snapshot.byKey.get(key)
  return row === undefined ? undefined : siteOf(endpoint, { site: snapshot.site, row })
}

/** More rows than these are rarely of another kind. */
const maxComparedRows = 500

/**
 * The keys of a collection. Those of items that differ most from the ones before come first: in what is null, empty or false, in letters
 * beyond ASCII, and in keys that are hard to encode in a URL.
 */
export function keysToTry({ rows, site }: Snapshot): readonly string[] {
  const { type } = site
  if (type === undefined) return []
  const items = rows.slice(0, maxComparedRows).flatMap(row => {
    const key = keyOf(row, type)
    return key === undefined ? [] : [{ key, traits: traitsOf(key, row) }]
  })
  const seen = new Set<string>()
  const newIn = ({ traits }: (typeof items)[number]): number => traits.filter(trait => !seen.has(trait)).length
  const first: string[] = []
  for (;;) {
    const best = items.reduce<(typeof items)[number] | undefined>(
      (most, item) => (newIn(item) > (most === undefined ? 0 : newIn(most)) ? item : most),
      undefined,
    )
    if (best === undefined) break
    first.push(best.key)
    for (const trait of best.traits) seen.add(trait)
  }
  const chosen = new Set(first)
  return [...first, ...rows.flatMap(row => keyOf(row, type) ?? []).filter(key => !chosen.has(key))]
}

/** What a service may handle otherwise than usual. */
function traitsOf(key: string, row: Row): readonly string[] {
  const traits = Object.entries(row).flatMap(([name, value]) => {
    const trait = name.startsWith('@') ? undefined : traitOf(value)
    return trait === undefined ? [] : [`${trait} ${name}`]
  })
  return /[^A-Za-z0-9_.~-]/.test(key) ? ['hard key', ...traits] : traits
}

function traitOf(value: unknown): string | undefined {
  if (value === null || value === '' || value === false) return String(value)
  if (Array.isArray(value)) return value.length === 1 ? undefined : value.length === 0 ? 'no items' : 'many items'
  if (typeof value !== 'string') return undefined
  if (/[^\0-\x7F]/.test(value)) return 'letters'
  return /^[^ ]*[A-Z][^ ]*@|@[^ ]*[A-Z]/.test(value) ? 'capital letters in an address' : undefined
}
