import {
  type Condition,
  definitionOf,
  type ExpandItem,
  type Expression,
  functionNamed,
  isSubtype,
  type Literal,
  type PathExpression,
  type QueryOptions,
  type ServiceFunctions,
  type TypeTable,
  transformationExpressions,
  typeKey,
} from '../../query/index.js'
import type { JsonFormat } from '../http/content-negotiation.js'
import type { Projection } from '../response/projection.js'
import { type ResourceSegment, type Route, type ServiceTable, structuredType } from '../service-table.js'

/** Scopes of which a caller needs one. */
type AnyOfScopes = readonly string[]

/**
 * Returns the function that finds the scopes that a query needs in addition to those of its endpoint: those of the paths
 * that show the related items which it expands, or which its filter or order reads. For the relation `manager` of `/me`,
 * this is the first of
 *
 * - what the endpoint declares in `expand.scopes`,
 * - the scopes of `/me/manager`,
 * - one of the scopes of any other path that ends in this relation,
 * - for an item that is not contained, one of the scopes of the paths that read the entity sets of its type.
 *
 * A relation that none of them shows needs no scope of its own.
 */
export function relatedScopes(route: Route, table: ServiceTable): (options: QueryOptions) => readonly AnyOfScopes[] {
  const itemType = route.type ?? route.operation?.returns?.type
  if (table.authentication.scheme === 'none' || itemType === undefined) return () => []
  const declared = route.query?.expand.scopes ?? {}
  const { types } = table
  const readers = readersOf(table)
  const start: ReachedValue = { names: [], type: itemType, address: itemAddressOf(route) }
  const scopesOf = ({ names, address, type, relation }: ReadRelation): readonly AnyOfScopes[] => {
    const path = names.join('/')
    const own = Object.hasOwn(declared, path) ? declared[path] : undefined
    if (own !== undefined) return [own]
    const shown = readers.byAddress.get(address) ?? readers.byRelation.get(relation)
    if (shown !== undefined) return [anyOf(shown)]
    const [owner = '', name = ''] = relation.split('/')
    if (structuredType(types, owner)?.navigation[name]?.contained === true) return []
    const sets = [...readers.byType].filter(([of]) => isSubtype(type, of, types))
    if (sets.length > 0) return [anyOf(sets.flatMap(([, scopes]) => scopes))]
    return [...readers.byType].flatMap(([of, scopes]) => (isSubtype(of, type, types) ? [anyOf(scopes)] : []))
  }
  return options => {
    const relations = new Map<string, ReadRelation>()
    const note = (relation: ReadRelation): void => void relations.set(relation.names.join('/'), relation)
    relationsOfOptions(options, start, { types, aliases: options.aliases ?? {}, outermost: start, note })
    return [...relations.values()].flatMap(scopesOf).filter(scopes => scopes.length > 0)
  }
}

/** A relation that a query reads. */
export interface RelationRead {
  /** The names of the properties that lead to it, and its own. */
  readonly names: readonly string[]
  /** The name of the type that declares it. */
  readonly owner: string
  /** The name of the type of its items. */
  readonly type: string
}

/** The relations that a query over items of a type reads, also in the definitions of the functions that it calls. */
export function relationsRead(
  options: QueryOptions,
  type: string,
  types: TypeTable,
  functions: ServiceFunctions,
): readonly RelationRead[] {
  const relations = new Map<string, RelationRead>()
  const note = ({ names, relation, type: target }: ReadRelation): void => {
    const [owner = ''] = relation.split('/')
    relations.set(names.join('/'), { names, owner, type: target })
  }
  const start: ReachedValue = { names: [], type, address: undefined }
  const search = { types, aliases: options.aliases ?? {}, outermost: start, functions, note }
  relationsOfOptions(options, start, search)
  return [...relations.values()]
}

/** A structured value that a query reaches from the items of its endpoint. */
interface ReachedValue {
  readonly names: readonly string[]
  readonly type: string | undefined
  /** Its path in terms of the model, with `{}` for each key; undefined if no path leads there. */
  readonly address: string | undefined
}

interface ReadRelation {
  readonly names: readonly string[]
  readonly type: string
  readonly address: string
  /** The declaring type and the name, `user/manager`. */
  readonly relation: string
}

interface RelationSearch {
  readonly types: TypeTable
  readonly aliases: Readonly<Record<string, Expression>>
  readonly outermost: ReachedValue
  /** The functions whose definitions count. Undefined: none. */
  readonly functions?: ServiceFunctions
  readonly note: (relation: ReadRelation) => void
}

function relationsOfOptions(options: QueryOptions, place: ReachedValue, search: RelationSearch): void {
  const { filter, orderby, expand, compute, apply } = options
  if (filter !== undefined) relationsOfExpression(filter, place, new Map(), search)
  for (const { expression } of [...(orderby ?? []), ...(compute ?? [])])
    relationsOfExpression(expression, place, new Map(), search)
  for (const expression of transformationExpressions(apply ?? []))
    relationsOfExpression(expression, place, new Map(), search)
  for (const item of expand ?? []) relationsOfExpand(item, place, search)
}

function relationsOfExpand({ path, options }: ExpandItem, place: ReachedValue, search: RelationSearch): void {
  let current = place
  for (const name of path) {
    if (name === '*') {
      const { navigation = {} } = structuredType(search.types, current.type ?? '') ?? {}
      for (const each of Object.keys(navigation))
        relationsOfOptions(options ?? {}, memberOfValue(current, each, search), search)
      return
    }
    current = name.includes('.') ? valueCastTo(current, name, search) : memberOfValue(current, name, search)
  }
  if (options !== undefined) relationsOfOptions(options, current, search)
}

type LambdaItems = ReadonlyMap<string, ReachedValue>

function relationsOfExpression(
  expression: Expression,
  place: ReachedValue,
  variables: LambdaItems,
  search: RelationSearch,
): void {
  const inside = (part: Expression): void => relationsOfExpression(part, place, variables, search)
  switch (expression.kind) {
    case 'path':
      relationsOfPath(expression, place, variables, search)
      return
    case 'alias': {
      const { [expression.name]: value, ...aliases } = search.aliases
      if (value !== undefined) relationsOfExpression(value, place, new Map(), { ...search, aliases })
      return
    }
    case 'unary':
      inside(expression.operand)
      return
    case 'binary':
      inside(expression.left)
      inside(expression.right)
      return
    case 'call':
      expression.arguments.forEach(inside)
      relationsOfFunction(expression.function, unknownValue, search)
      return
    case 'list':
      expression.items.forEach(inside)
      return
    case 'lambda': {
      const { collection, variable, predicate } = expression
      const item = relationsOfPath(collection, place, variables, search)
      if (predicate === undefined) return
      const within = variable === undefined ? variables : new Map([...variables, [variable, item]])
      relationsOfExpression(predicate, place, within, search)
    }
  }
}

/** Notes the relations of a path, and returns the value that it leads to. */
function relationsOfPath(
  { root, segments }: PathExpression,
  place: ReachedValue,
  variables: LambdaItems,
  search: RelationSearch,
): ReachedValue {
  let current = place
  if (root?.kind === 'it') current = search.outermost
  if (root?.kind === 'variable') current = variables.get(root.name) ?? unknownValue
  for (const segment of segments) {
    if (segment.kind === 'property') current = memberOfValue(current, segment.name, search)
    if (segment.kind === 'cast') current = valueCastTo(current, segment.type, search)
    const predicate =
      segment.kind === 'filter' ? segment.predicate : segment.kind === 'count' ? segment.filter : undefined
    if (predicate !== undefined) relationsOfExpression(predicate, current, variables, search)
    if (segment.kind === 'function' && search.functions !== undefined) {
      for (const { value } of segment.parameters) relationsOfExpression(value, place, variables, search)
      relationsOfFunction(segment.name, current, search)
      current = unknownValue
    }
  }
  return current
}

/** Notes the relations in the definition of a function. A definition never calls itself. */
function relationsOfFunction(name: string, bound: ReachedValue, search: RelationSearch): void {
  const called = functionNamed(name, search.functions)
  const definition = called === undefined ? undefined : definitionOf(called)
  if (definition === undefined) return
  relationsOfExpression(definition, bound, new Map(), { ...search, outermost: bound, aliases: {} })
}

const unknownValue: ReachedValue = { names: [], type: undefined, address: undefined }

function valueCastTo(place: ReachedValue, type: string, { types }: RelationSearch): ReachedValue {
  return { ...place, type: typeKey(type, types) }
}

function memberOfValue(
  { names: above, type, address }: ReachedValue,
  name: string,
  { types, note }: RelationSearch,
): ReachedValue {
  const names = [...above, name]
  const info = type === undefined ? undefined : structuredType(types, type)
  const relation = info !== undefined && Object.hasOwn(info.navigation, name) ? info.navigation[name] : undefined
  if (type === undefined || relation === undefined) {
    const property = info !== undefined && Object.hasOwn(info.properties, name) ? info.properties[name] : undefined
    return { names, type: property?.type, address: address === undefined ? undefined : `${address}/${name}` }
  }
  const at = `${address ?? ''}/${name}`
  note({ names, type: relation.type, address: at, relation: `${declaringType(type, name, types)}/${name}` })
  return { names, type: relation.type, address: relation.collection === true ? `${at}/{}` : at }
}

function declaringType(type: string, relation: string, types: TypeTable): string {
  const base = structuredType(types, type)?.base
  const inherited = base !== undefined && Object.hasOwn(structuredType(types, base)?.navigation ?? {}, relation)
  return inherited ? declaringType(base, relation, types) : type
}

/** The scopes of the endpoints that read items, by what they read. */
interface ReadScopes {
  readonly byAddress: ReadonlyMap<string, readonly AnyOfScopes[]>
  /** By declaring type and name, `user/manager`. */
  readonly byRelation: ReadonlyMap<string, readonly AnyOfScopes[]>
  /** By the type of an entity set. */
  readonly byType: ReadonlyMap<string, readonly AnyOfScopes[]>
}

function readersOf({ routes, types }: ServiceTable): ReadScopes {
  const byAddress = new Map<string, AnyOfScopes[]>()
  const byRelation = new Map<string, AnyOfScopes[]>()
  const byType = new Map<string, AnyOfScopes[]>()
  const add = (map: Map<string, AnyOfScopes[]>, key: string, scopes: AnyOfScopes): void => {
    map.set(key, [...(map.get(key) ?? []), scopes])
  }
  for (const { kind, resource, scopes } of routes) {
    if (kind !== 'item' && kind !== 'collection') continue
    const named = resource.filter(segment => !('variables' in segment) && segment.kind !== 'cast')
    const last = named.at(-1)
    add(byAddress, addressOfSegments(resource).replace(/\/\{\}$/, ''), scopes)
    if (last?.kind === 'entitySet') add(byType, last.type, scopes)
    const owner = last?.kind === 'navigation' ? typeBefore(resource, last) : undefined
    if (last?.kind === 'navigation' && owner !== undefined)
      add(byRelation, `${declaringType(owner, last.name, types)}/${last.name}`, scopes)
  }
  return { byAddress, byRelation, byType }
}

function typeBefore(resource: readonly ResourceSegment[], segment: ResourceSegment): string | undefined {
  const before = resource[resource.indexOf(segment) - 1]
  return before !== undefined && 'type' in before ? before.type : undefined
}

/** The address of an item of an endpoint. */
function itemAddressOf({ kind, resource }: Route): string {
  const address = addressOfSegments(resource)
  return kind === 'item' || address.endsWith('/{}') ? address : `${address}/{}`
}

function addressOfSegments(resource: readonly ResourceSegment[]): string {
  return resource
    .flatMap(segment => (segment.kind === 'cast' ? [] : ['variables' in segment ? '{}' : segment.name]))
    .join('/')
}

/** The scopes that permit any of several endpoints; none if one of the endpoints needs no scope. */
function anyOf(endpoints: readonly AnyOfScopes[]): AnyOfScopes {
  return endpoints.some(scopes => scopes.length === 0) ? [] : [...new Set(endpoints.flat())]
}

/** A parsed and checked query. Plans are cached, because clients repeat queries. */
export interface QueryPlan {
  /** With `$top` clamped, if the service does so. */
  readonly options: QueryOptions
  readonly template: QueryTemplate
  /** Whether the response leaves out the key of an item, at any depth. */
  readonly omitsKeys: boolean
  /** The type of the rows that `$apply` makes. Undefined: the items of the collection. */
  readonly rows: { readonly types: TypeTable; readonly typeName: string } | undefined
  readonly conditions: readonly Condition[]
  /** What the related items of the query need, in addition to the scopes of the endpoint. */
  readonly scopes: readonly AnyOfScopes[]
  readonly project: Projection
  /** The same with Int64 and Decimal as strings, as `IEEE754Compatible` requests. Prepared on demand. */
  readonly projectStrings: () => Projection
  /** The select list of the context URL, `(id,displayName)`. */
  readonly selection: string
  /** The raw options for next links, without those that say where a page starts. */
  readonly nextLinkOptions: string
  /** The format that `$format` requests. It overrides `Accept`. */
  readonly format: JsonFormat | undefined
  /** Custom query options. They can hold the parameters of a function. */
  readonly custom: readonly (readonly [name: string, value: string])[]
}

/**
 * A query without its parameters. Queries that differ only in their timestamps and skip tokens share one template, so
 * that a handler can prepare its statements once for all of them.
 */
export interface QueryTemplate {
  /** The options of the first query with this template. The same object for all of them. */
  readonly options: QueryOptions
  /** Literals of `options` -> the literals of this query. */
  readonly replacements: ReadonlyMap<Literal, Literal>
}

/** The replacements of a query that shares its template with no other. */
export const noReplacements: ReadonlyMap<Literal, Literal> = new Map<Literal, Literal>()

/** Options that say where a page starts. A next link has its own. */
const pagePositionOptions = new Set(['skip', 'skiptoken', 'deltatoken'])

/** A raw query string without the options that say where a page starts. All other options stay unchanged. */
export function nextLinkOptions(query: string): string {
  return query
    .split('&')
    .filter(part => part !== '' && !pagePositionOptions.has(optionName(part)))
    .join('&')
}

/** Option names can be percent-encoded, in any letter case, and without `$`. */
function optionName(part: string): string {
  const sign = part.indexOf('=')
  const name = sign < 0 ? part : part.slice(0, sign)
  if (!name.includes('%')) return (name.startsWith('$') ? name.slice(1) : name).toLowerCase()
  return name
    .replace(/^(?:\$|%24)/, '')
    .replaceAll(/%[0-9a-f]{2}/gi, encoded => String.fromCharCode(Number.parseInt(encoded.slice(1), 16)))
    .replace(/^\$/, '')
    .toLowerCase()
}
