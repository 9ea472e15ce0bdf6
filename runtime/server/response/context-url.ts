import type { ExpandItem, QueryOptions } from '../../query/index.js'
import type { ResourceSegment, Route, ServiceTable } from '../service-table.js'

/** The fragment of `@odata.context`, without `#`, for one request: it may name the keys of the path. */
export type ContextFragment = (keys: Readonly<Record<string, unknown>>, selection: string) => string

/**
 * Prepares what `@odata.context` says of a route's responses.
 *
 * @see OData Protocol 4.01, 10 (context URL)
 */
export function contextFragmentOf(route: Route, table: ServiceTable): ContextFragment {
  const operation = route.operation?.returns
  if (operation !== undefined) {
    const type = qualifiedTypeName(operation.type, table)
    return constant(operation.collection === true ? `Collection(${type})` : type)
  }
  const place = contextPathOf(route.resource, table)
  const item = route.kind !== 'collection' && route.kind !== 'delta' && !place.singleton ? '/$entity' : ''
  if (place.parts.every(part => typeof part === 'string')) {
    const base = place.parts.join('')
    return (_keys, selection) => base + selection + item
  }
  return (keys, selection) => place.parts.map(part => partText(part, keys)).join('') + selection + item
}

function constant(text: string): ContextFragment {
  return () => text
}

/** A piece of the fragment: text, or the names of the key's variables and properties. */
type ContextPart = string | { readonly variables: readonly string[]; readonly properties: readonly KeyProperty[] }

interface KeyProperty {
  readonly name: string
  /** Edm type. */
  readonly type: string
}

interface ContextPath {
  readonly parts: readonly ContextPart[]
  /** A singleton itself, which is no member of a set. */
  readonly singleton: boolean
}

function contextPathOf(resource: readonly ResourceSegment[], table: ServiceTable): ContextPath {
  let parts: ContextPart[] = []
  let singleton = false
  let owner = ''
  for (const [index, segment] of resource.entries()) {
    const last = index === resource.length - 1
    switch (segment.kind) {
      case 'entitySet':
      case 'singleton':
        parts = [segment.name]
        singleton = segment.kind === 'singleton'
        owner = segment.type
        break
      case 'key':
        if (!last) parts.push({ variables: segment.variables, properties: keyOf(segment.type, table) })
        singleton = false
        break
      case 'navigation':
        if (isContained(owner, segment.name, table)) parts.push(`/${segment.name}`)
        else parts = [entitySetOf(segment.type, segment.collection, table)]
        singleton = false
        owner = segment.type
        break
      case 'property':
        parts.push(`/${segment.name}`)
        break
      case 'cast':
        parts.push(`/${qualifiedTypeName(segment.type, table)}`)
        owner = segment.type
        break
      case 'operation':
        break
    }
  }
  return { parts, singleton }
}

function partText(part: ContextPart, keys: Readonly<Record<string, unknown>>): string {
  if (typeof part === 'string') return part
  const values = part.properties.map(({ name, type }, index) => {
    const value = keyLiteral(keys[part.variables[index] ?? ''], type)
    return part.properties.length === 1 ? value : `${name}=${value}`
  })
  return `(${values.join(',')})`
}

function isContained(owner: string, name: string, table: ServiceTable): boolean {
  const type = Object.hasOwn(table.types, owner) ? table.types[owner] : undefined
  if (type?.kind !== 'entityType' && type?.kind !== 'complexType') return false
  return Object.hasOwn(type.navigation, name) && type.navigation[name]?.contained === true
}

/** The one set that holds items of a type; without it, the type itself. */
function entitySetOf(type: string, collection: boolean, table: ServiceTable): string {
  const sets = Object.entries(table.container).filter(([, info]) => info.kind === 'entitySet' && info.type === type)
  const [only] = sets
  if (only !== undefined && sets.length === 1) return only[0]
  const name = qualifiedTypeName(type, table)
  return collection ? `Collection(${name})` : name
}

function keyOf(type: string, table: ServiceTable): readonly KeyProperty[] {
  const info = Object.hasOwn(table.types, type) ? table.types[type] : undefined
  if (info?.kind !== 'entityType') return []
  return info.key.map(name => ({ name, type: info.properties[name]?.type ?? 'Edm.String' }))
}

function qualifiedTypeName(type: string, { types, namespace }: ServiceTable): string {
  if (type.includes('.')) return type
  const info = Object.hasOwn(types, type) ? types[type] : undefined
  return info?.qualifiedName ?? `${namespace}.${type}`
}

/** What is selected and expanded, as the context URL lists it: `(id,manager(displayName))`; empty for everything. */
export function selectedNames(query: QueryOptions): string {
  const items = [
    ...(query.select ?? []).map(item => item.path.join('/')),
    ...(query.expand ?? []).map(item => item.path.join('/') + expandedSelection(item)),
  ]
  if (items.length === 0) return ''
  // Names that were keys, joined at once, are kept in wide characters by V8, and so is each response that they stand in.
  return `(${items.reduce((list, item) => `${list},${item}`)})`
}

function expandedSelection(item: ExpandItem): string {
  return selectedNames(item.options ?? {}) || '()'
}

const quoted = new Set(['Edm.String', 'Edm.Duration', 'Edm.Binary'])

/**
 * A key value as a URL writes it in parentheses, percent-encoded.
 *
 * @see OData URL Conventions 4.01, 4.3.1
 */
export function keyLiteral(value: unknown, type: string): string {
  const text = String(value)
  if (!quoted.has(type) && type.startsWith('Edm.')) return encodeURIComponent(text)
  return `'${encodeURIComponent(text.replaceAll("'", "''"))}'`
}
