import { isSubtype, type PropertyInfo, type StructuredTypeInfo, typeKey } from '../../query/index.js'
import type { CompiledRoute } from '../exchange.js'
import type { RequestHead, ServerRequest } from '../http/message.js'
import type { PathMatch, Router } from '../routing/router.js'
import { type ServiceTable, structuredType } from '../service-table.js'

/** A path that leads from an item to one of its properties, or into a complex one. */
export interface PropertyPath {
  /** The item: the part of the path that a route matches. */
  readonly item: PathMatch<CompiledRoute>
  /** The number of segments of the item. */
  readonly depth: number
  /** At least one. */
  readonly names: readonly string[]
  /**
   * The derived types that the path casts values to: the entry 0 casts the item, and the entry 1 the value of the first
   * property. The entries are keys of the table of types.
   */
  readonly casts: Readonly<Record<number, string>>
  /** The last property, with the type that the path casts it to. Undefined: a dynamic property of an open type. */
  readonly info: PropertyInfo | undefined
  /** Whether the property of the item that the path starts with cannot be changed: only the service or a create sets it. */
  readonly fixedBy: 'service' | 'create' | undefined
  /** `value`: its raw value. `count`: the number of its items. */
  readonly part: 'value' | 'count' | undefined
}

/** More segments than any property has. */
const maxNames = 16

/**
 * Resolves a path that no route matches to a property of an item that a route reads or updates. Undefined: it does not lead to
 * a property.
 *
 * @see OData URL Conventions 4.01, 4.6 (property), 4.7 (raw value) and 4.8 ($count)
 */
export function resolvePropertyPath(
  segments: readonly string[],
  router: Router<CompiledRoute>,
  { types }: ServiceTable,
): PropertyPath | undefined {
  for (let depth = segments.length - 1; depth > 0 && depth >= segments.length - maxNames; depth--) {
    const item = router.match(segments.slice(0, depth))
    if (item === undefined) continue
    const type = typeOfItem(item)
    const found = type === undefined ? undefined : walkProperties(segments.slice(depth), type, types)
    if (found !== undefined) return { item, depth, ...found }
  }
  return undefined
}

/** The type of the item that a resource is. Undefined: the resource is not an item. */
function typeOfItem({ resource: { targets } }: PathMatch<CompiledRoute>): string | undefined {
  const reader = targets.get('GET')?.route
  if (reader?.kind === 'item') return reader.type
  const writer = targets.get('PATCH')?.route
  return reader === undefined && writer?.kind === 'update' ? writer.type : undefined
}

/**
 * Follows names and casts from an item.
 *
 * @see OData URL Conventions 4.01, 4.11 (type cast)
 */
function walkProperties(
  segments: readonly string[],
  itemType: string,
  types: ServiceTable['types'],
): Pick<PropertyPath, 'names' | 'casts' | 'info' | 'fixedBy' | 'part'> | undefined {
  const last = segments.at(-1)
  const part = last === '$value' ? 'value' : last === '$count' ? 'count' : undefined
  const names: string[] = []
  const casts: Record<number, string> = {}
  let fixedBy: PropertyPath['fixedBy']
  let info: PropertyInfo | undefined
  // The type of the value that the path has reached.
  let reached: string | undefined = itemType
  for (const [index, name] of (part === undefined ? segments : segments.slice(0, -1)).entries()) {
    const owner: StructuredTypeInfo | undefined = reached === undefined ? undefined : structuredType(types, reached)
    if (reached === undefined || owner === undefined) return undefined
    if (name.includes('.')) {
      const type = typeKey(name, types)
      if (structuredType(types, type) === undefined || !isSubtype(type, reached, types)) return undefined
      casts[names.length] = type
      if (info !== undefined) info = { ...info, type }
      reached = type
      continue
    }
    if (info?.collection === true) return undefined
    const member: PropertyInfo | undefined = Object.hasOwn(owner.properties, name) ? owner.properties[name] : undefined
    if (names.length === 0) fixedBy = fixedByOf(name, member, owner)
    names.push(name)
    info = member
    reached = member?.type
    if (member !== undefined) continue
    const isLast = index === segments.length - (part === undefined ? 1 : 2)
    if (owner.open !== true || !isLast || !isDynamicName(name, owner) || part === 'count') return undefined
  }
  const isComplex = info !== undefined && structuredType(types, info.type) !== undefined
  if (names.length === 0 || info?.type === 'Edm.Stream') return undefined
  if (part === 'value' && (info?.collection === true || isComplex)) return undefined
  if (part === 'count' && info?.collection !== true) return undefined
  return { names, casts, info, fixedBy, part }
}

function fixedByOf(name: string, info: PropertyInfo | undefined, owner: StructuredTypeInfo): PropertyPath['fixedBy'] {
  if (info?.computed === true) return 'service'
  return info?.createOnly === true || owner.key.includes(name) ? 'create' : undefined
}

function isDynamicName(name: string, owner: StructuredTypeInfo): boolean {
  return /^[\p{L}\p{Nl}_][\p{L}\p{N}_]*$/u.test(name) && name !== '__proto__' && !Object.hasOwn(owner.navigation, name)
}

/** What a request to an item has instead of what the request to its property has. */
interface InnerRequest {
  readonly method: string
  /** By name in lower case. Null: the header is absent. */
  readonly headers: Readonly<Record<string, string | null>>
  /** JSON. Absent: no body. */
  readonly body?: string
}

/** The request to the item that a request to its property becomes. */
export function innerRequest(outer: ServerRequest, { method, headers, body = '' }: InnerRequest): ServerRequest {
  const head: RequestHead = {
    method,
    url: outer.head.url,
    headers: {
      get: name => {
        const own = headers[name.toLowerCase()]
        return own === undefined ? outer.head.headers.get(name) : own
      },
    },
    get signal() {
      return outer.head.signal
    },
  }
  const bytes = new TextEncoder().encode(body)
  // The body of the outer request was within the limit.
  return { head, origin: outer.origin, target: outer.target, readBody: () => Promise.resolve(bytes) }
}
