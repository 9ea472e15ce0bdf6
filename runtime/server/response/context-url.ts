import { type ExpandItem, numeral, type PropertyInfo, type QueryOptions } from '../../query/index.js'
import {
  type KeyProperty,
  keyProperties,
  qualifiedTypeName,
  type ResourceSegment,
  type Route,
  type ServiceTable,
  structuredType,
} from '../service-table.js'

/** Returns the fragment of `@odata.context`, without `#`. It can contain the keys of the path. */
export type ContextFragment = (keys: Readonly<Record<string, unknown>>, selection: string) => string

/**
 * Prepares the fragment of `@odata.context` for a route.
 *
 * @see OData Protocol 4.01, 10 (context URL)
 */
export function contextFragmentOf(route: Route, table: ServiceTable): ContextFragment {
  const operation = route.operation?.returns
  if (operation !== undefined) {
    const type = qualifiedTypeName(operation.type, table)
    return constant(operation.collection === true ? `Collection(${type})` : type)
  }
  const path = contextPathOf(route.resource, table)
  const item = route.kind !== 'collection' && route.kind !== 'delta' && !path.singleton ? '/$entity' : ''
  if (path.parts.every(part => typeof part === 'string')) {
    const base = path.parts.join('')
    return (_keys, selection) => base + selection + item
  }
  return (keys, selection) => path.parts.map(part => partText(part, keys)).join('') + selection + item
}

/**
 * Prepares the fragment for a property of the item that a route reads, `books('1')/title`. It is the type of the property if
 * the path does not contain the key of the item.
 *
 * @see OData Protocol 4.01, 10.14 (property value) and 10.15 (collection of primitive or complex types)
 */
export function propertyContextOf(
  { resource }: Route,
  { names, casts }: { readonly names: readonly string[]; readonly casts: Readonly<Record<number, string>> },
  info: Pick<PropertyInfo, 'type' | 'collection'>,
  table: ServiceTable,
): ContextFragment {
  const [last, owner] = resource.filter(({ kind }) => kind !== 'cast').reverse()
  const ownerType = owner !== undefined && 'type' in owner ? owner.type : ''
  const isReached = last?.kind === 'navigation' && !isContained(ownerType, last.name, table)
  if (isReached || last?.kind === 'operation') {
    const type = info.type.startsWith('Edm.') ? info.type : qualifiedTypeName(info.type, table)
    return constant(info.collection === true ? `Collection(${type})` : type)
  }
  const castAt = (index: number): readonly ResourceSegment[] => {
    const type = casts[index]
    return type === undefined ? [] : [{ kind: 'cast', type }]
  }
  const properties = names.flatMap((name, index) => [{ kind: 'property', name } as const, ...castAt(index + 1)])
  const { parts } = contextPathOf([...resource, ...castAt(0), ...properties], table)
  return keys => parts.map(part => partText(part, keys)).join('')
}

function constant(text: string): ContextFragment {
  return () => text
}

/** A part of the fragment: text, or a key. */
type ContextPart =
  | string
  | {
      readonly variables: readonly string[]
      readonly properties: readonly KeyProperty[]
      /** An alternate key has its name even if it has one part. */
      readonly isNamed?: true
    }

interface ContextPath {
  readonly parts: readonly ContextPart[]
  /** The path ends with a singleton, which isn't a member of an entity set. */
  readonly singleton: boolean
}

function contextPathOf(resource: readonly ResourceSegment[], table: ServiceTable): ContextPath {
  let parts: ContextPart[] = []
  let singleton = false
  let owner = ''
  for (const [index, segment] of resource.entries()) {
    // A cast of an item does not lead to another item.
    const last = resource.slice(index + 1).every(({ kind }) => kind === 'cast')
    switch (segment.kind) {
      case 'entitySet':
      case 'singleton':
        parts = [segment.name]
        singleton = segment.kind === 'singleton'
        owner = segment.type
        break
      case 'key':
        if (!last)
          parts.push({ variables: segment.variables, properties: keyProperties(table.types, segment.type) ?? [] })
        singleton = false
        break
      case 'alternateKey': {
        const all = Object.entries(structuredType(table.types, segment.type)?.properties ?? {})
        const properties = segment.properties.flatMap(name =>
          all.flatMap(([each, { type }]) => (each === name ? [{ name, type }] : [])),
        )
        if (!last) parts.push({ variables: segment.variables, properties, isNamed: true })
        singleton = false
        break
      }
      case 'navigation':
        if (isContained(owner, segment.name, table)) parts.push(`/${segment.name}`)
        else parts = [segment.set ?? entitySetOf(segment.type, segment.collection, table)]
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
    return part.properties.length === 1 && part.isNamed !== true ? value : `${name}=${value}`
  })
  return `(${values.join(',')})`
}

function isContained(owner: string, name: string, table: ServiceTable): boolean {
  const navigation = structuredType(table.types, owner)?.navigation ?? {}
  return Object.hasOwn(navigation, name) && navigation[name]?.contained === true
}

/** The only entity set with the type. If there is none or more than one, the type itself. */
function entitySetOf(type: string, collection: boolean, table: ServiceTable): string {
  const sets = Object.entries(table.container).filter(([, info]) => info.kind === 'entitySet' && info.type === type)
  const [only] = sets
  if (only !== undefined && sets.length === 1) return only[0]
  const name = qualifiedTypeName(type, table)
  return collection ? `Collection(${name})` : name
}

/** The select list of the context URL: `(id,manager(displayName))`. Empty if nothing is selected or expanded. */
export function selectedNames(query: QueryOptions): string {
  const items = [
    ...(query.select ?? []).map(item => item.path.join('/')),
    ...(query.expand ?? []).map(item => item.path.join('/') + expandedSelection(item)),
  ]
  if (items.length === 0) return ''
  // Not `join`: V8 then stores the result, and each response that contains it, in two bytes per character.
  return `(${items.reduce((list, item) => `${list},${item}`)})`
}

function expandedSelection(item: ExpandItem): string {
  return selectedNames(item.options ?? {}) || '()'
}

const quoted = new Set(['Edm.String', 'Edm.Duration', 'Edm.Binary'])

/**
 * A key value as a percent-encoded URL literal.
 *
 * @see OData URL Conventions 4.01, 4.3.1
 */
export function keyLiteral(value: unknown, type: string): string {
  const text = typeof value === 'number' ? numeral(value) : String(value)
  if (!quoted.has(type) && type.startsWith('Edm.')) return encodeURIComponent(text)
  return `'${encodeURIComponent(text.replaceAll("'", "''"))}'`
}
