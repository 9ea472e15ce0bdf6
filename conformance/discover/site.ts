import type { Endpoint, EntityType, Property, ResolvedSegment } from '../../spec/language/index.js'
import type { Row } from '../json.js'

/** An endpoint at one address: a path template with all its variables filled in. */
export interface Site {
  /** Unique and the same in each run over the same data: the endpoint's name, and its keys if there are any. */
  readonly id: string
  readonly endpoint: Endpoint
  /** Values of the template's variables, not encoded. */
  readonly keys: Readonly<Record<string, string>>
  /** Below the service's root, percent-encoded. */
  readonly path: string
  /** Type of the items read or written; absent for calls that give no items. */
  readonly type?: EntityType
}

/** What a collection held when it was read. */
export interface Snapshot {
  readonly site: Site
  /** In the order received, each with all properties that the service shows. */
  readonly rows: readonly Row[]
  /** By key, as `keyOf` writes it. */
  readonly byKey: ReadonlyMap<string, Row>
  /** Whether all rows were read. Predictions need that; relations between answers do not. */
  readonly complete: boolean
  /** Names of the properties that were asked for or shown: what a row lacks beside these is unknown, not null. */
  readonly properties: ReadonlySet<string>
}

/** An endpoint at the address that leads through a row; without one, at its only address. Absent when the row lacks a key. */
export function siteOf(endpoint: Endpoint, parent?: ParentRow): Site | undefined {
  const keys = parent === undefined ? {} : keysFrom(endpoint, parent)
  if (keys === undefined) return undefined
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

function typeOf(endpoint: Endpoint): EntityType | undefined {
  if (endpoint.kind !== 'call') return endpoint.type
  const type = endpoint.operation.returns?.type
  return type?.kind === 'entityType' ? type : undefined
}

/** Keys before the last come from the collection's own address, in order; the last ones from the row. */
function keysFrom(endpoint: Endpoint, { site, row }: ParentRow): Record<string, string> | undefined {
  const lastSegment = endpoint.keys.at(-1)?.segment
  const outer = site.endpoint.keys.map(({ variable }) => site.keys[variable] ?? '')
  const keys: Record<string, string> = {}
  for (const [index, { variable, property, segment }] of endpoint.keys.entries()) {
    const value = segment === lastSegment ? row[property.name] : outer[index]
    if (typeof value !== 'string' && typeof value !== 'number') return undefined
    const text = String(value)
    // A step of dots or nothing is no segment: no client can address such an item.
    if (/^\.{0,2}$/.test(text)) return undefined
    keys[variable] = text
  }
  return keys
}

/**
 * The path of an endpoint with its keys filled in, percent-encoded. Variables of inline calls stay, for rules to fill.
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
    const inParentheses = step?.kind === 'key' && step.style === 'parentheses'
    path += rest.slice(0, at) + encodeURIComponent(inParentheses ? literalText(value, property) : value)
    rest = rest.slice(at + mark.length)
  }
  return path + rest
}

function literalText(value: string, { type }: Property): string {
  return type.kind === 'primitive' && type.name !== 'String' ? value : `'${value.replaceAll("'", "''")}'`
}

/** Whether two paths lead to the same, step by step; variables may have other names. */
export function isSamePath(left: readonly ResolvedSegment[], right: readonly ResolvedSegment[]): boolean {
  return left.length === right.length && left.every((segment, index) => isSameStep(segment, right[index]))
}

function isSameStep(left: ResolvedSegment, right: ResolvedSegment | undefined): boolean {
  if (right === undefined || left.kind !== right.kind) return false
  switch (left.kind) {
    case 'entitySet':
    case 'singleton':
      return 'element' in right && left.element === right.element
    case 'navigation':
    case 'property':
      return 'property' in right && left.property === right.property
    case 'key':
    case 'cast':
      return 'type' in right && left.type === right.type
    case 'operation':
      return 'operation' in right && left.operation === right.operation
    default:
      return true
  }
}

/** A row that an endpoint's path can lead through, and the collection that it was found in. */
interface ParentRow {
  readonly site: Site
  readonly row: Row
}

/**
 * Rows whose keys fill in the last key of an endpoint's path: those of the collection that the path leads through, or else
 * of another one of the same type.
 */
export function parentRows(endpoint: Endpoint, snapshots: readonly Snapshot[]): readonly ParentRow[] {
  const last = endpoint.keys.at(-1)
  if (last === undefined) return []
  const prefix = endpoint.resolved.slice(0, last.segment)
  const own = snapshots.filter(({ site }) => isSamePath(site.endpoint.resolved, prefix))
  const others = snapshots.filter(({ site }) => site.type === last.type && site.endpoint.keys.length === 0)
  return (own.length > 0 ? own : others).flatMap(({ site, rows }) => rows.map(row => ({ site, row })))
}

/** The key of a row as one text, its parts joined by a unit separator; absent when the row does not show all of it. */
export function keyOf(row: Row, type: EntityType): string | undefined {
  const parts: string[] = []
  for (const { name } of type.key) {
    const value = Object.hasOwn(row, name) ? row[name] : undefined
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined
    parts.push(String(value))
  }
  return parts.join('\u001F')
}

/** One site of each endpoint, the first: what does not depend on the address is asked once. */
export function onePerEndpoint(sites: readonly Site[]): readonly Site[] {
  const names = new Set<string>()
  return sites.filter(({ endpoint }) => {
    const isFirst = !names.has(endpoint.name)
    names.add(endpoint.name)
    return isFirst
  })
}

/**
 * Sites in such an order that those of other kinds come first: an item, a collection, a call, each at the root and below
 * an item. What is handled apart is looked at early.
 */
export function diverseFirst(sites: readonly Site[]): readonly Site[] {
  const seen = new Set<string>()
  const first: Site[] = []
  const others: Site[] = []
  for (const site of sites) {
    const { kind, keys, resolved } = site.endpoint
    const last = resolved.at(-1)?.kind === 'key' ? 'by key' : 'by name'
    const group = `${kind} ${keys.length > 0 ? 'below an item' : 'at the root'} ${last}`
    if (seen.has(group)) others.push(site)
    else first.push(site)
    seen.add(group)
  }
  return [...first, ...others]
}

/** How large a part of the rows that were read these are, 0 to 1. */
export function shareOf(rows: number, snapshot: Snapshot): number {
  return snapshot.rows.length === 0 ? 0 : Math.min(1, rows / snapshot.rows.length)
}

/** Matches the paths that a template stands for: `/users/{id}` is met by `/users/mira`. */
export function templatePattern(template: string): RegExp {
  const fixed = template.split(/\{[^}]*\}/).map(text => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${fixed.join('[^/]+')}$`)
}
