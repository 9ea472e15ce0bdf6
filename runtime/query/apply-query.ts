import type { ExpandItem, QueryOptions, SelectItem } from './ast.js'
import { maxNesting } from './cursor.js'
import { isJsonObject, jsonValue, memberOf } from './evaluate/conversion.js'
import { evaluate, evaluateFilter, orderRows } from './evaluate/evaluate.js'
import type { ApplyOptions, Item } from './evaluate/path.js'
import { matchesSearch } from './search.js'
import { evaluateTransformations } from './transformations/evaluate.js'
import { isSubtype, type StructuredTypeInfo, structuredTypeInfo, typeKey } from './type-table.js'

export type { ApplyOptions, Item } from './evaluate/path.js'

export interface QueryResult {
  /** The items of the page, shaped by `$select` and `$expand`. */
  readonly value: readonly Item[]
  /** The number of items before `$skip` and `$top`. */
  readonly count: number
}

/**
 * Applies query options to an array of items in the order of the standard: apply, compute, search, filter, count, order, skip, top,
 * select and expand. It visits every item, so use it for examples, tests and small collections.
 *
 * `$search` finds whole words. Relations are members of the items, each a nested item or array. With a type table, the result
 * contains a relation only if it is expanded, and a property with `onSelect` only if it is selected. Control information such
 * as `@odata.etag` always stays.
 *
 * @throws {EvaluationError} when an expression has no value for an item
 * @see OData 4.01 Protocol, 11.2.1
 */
export function applyQuery(items: readonly Item[], query: QueryOptions, options: ApplyOptions = {}): QueryResult {
  const given: ApplyOptions = { ...options, aliases: query.aliases ?? options.aliases }
  const { rows, options: settings } =
    query.apply === undefined ? { rows: items, options: given } : evaluateTransformations(items, query.apply, given)
  const found = matchingItems(withComputed(rows, query, settings), query, settings)
  const skip = query.skip ?? 0
  const page = found.slice(skip, query.top === undefined ? undefined : skip + query.top)
  return { value: page.map(item => shapeItem(item, query, settings)), count: found.length }
}

/** The items with the properties that `$compute` adds. */
export function withComputed<T>(
  items: readonly T[],
  { compute }: Pick<QueryOptions, 'compute'>,
  settings: ApplyOptions,
): readonly T[] {
  if (compute === undefined) return items
  return items.map(item => {
    const computed = compute.map(({ expression, alias }) => [alias, evaluate(expression, item, settings)])
    return { ...item, ...Object.fromEntries(computed) }
  })
}

/**
 * The items that match `$search` and `$filter`, in the order of `$orderby`. The items are unchanged.
 *
 * @throws {EvaluationError} when an expression has no value for an item
 */
export function matchingItems<T>(items: readonly T[], query: QueryOptions, options: ApplyOptions): readonly T[] {
  const { search, filter, orderby } = query
  const settings: ApplyOptions = { ...options, aliases: query.aliases ?? options.aliases }
  const isMatch = (item: T): boolean => {
    if (search !== undefined) {
      const value = jsonValue(item, settings.type, settings.types)
      if (!matchesSearch(search, value, settings.searchProperties)) return false
    }
    return filter === undefined || evaluateFilter(filter, item, settings)
  }
  const found = items.filter(isMatch)
  return orderby === undefined ? found : orderRows(found, orderby, settings)
}

/**
 * An item whose expanded relations have only the items that the nested options select, in their order, with their counts.
 * `$select` is not applied, at any depth. An item without such relations stays the same object.
 *
 * @throws {EvaluationError} when an expression has no value for a related item
 */
export function withExpandedItems<T>(item: T, { expand }: QueryOptions, options: ApplyOptions): T {
  if (expand === undefined || !isJsonObject(item)) return item
  const type = structuredTypeInfo(options.type, options.types)
  const changes: Record<string, unknown> = {}
  for (const relation of expand) {
    if (!isOfCast(item, relation, options)) continue
    const name = relation.path.at(-1) ?? ''
    const names = name === '*' ? Object.keys(navigationOf(relation, options) ?? type?.navigation ?? item) : [name]
    for (const each of names) expandMember(item, each, relation, changes, options)
  }
  return Object.keys(changes).length === 0 ? item : Object.assign({}, item, changes)
}

/** The type that the first segment of an expanded path casts the item to. */
function castOf({ path: [first] }: ExpandItem, { types = {} }: ApplyOptions): string | undefined {
  return first?.includes('.') === true ? typeKey(first, types) : undefined
}

/** Whether an item is of the type that the path casts it to. An item of a derived type names its type. */
function isOfCast(item: Item, relation: ExpandItem, options: ApplyOptions): boolean {
  const cast = castOf(relation, options)
  const named = item['@odata.type']
  const type = typeof named === 'string' ? typeKey(named, options.types ?? {}) : options.type
  return cast === undefined || type === undefined || isSubtype(type, cast, options.types ?? {})
}

function navigationOf(relation: ExpandItem, options: ApplyOptions): StructuredTypeInfo['navigation'] | undefined {
  return structuredTypeInfo(castOf(relation, options) ?? options.type, options.types)?.navigation
}

function expandMember(
  item: Item,
  name: string,
  relation: ExpandItem,
  changes: Record<string, unknown>,
  options: ApplyOptions,
): void {
  const related = memberOf(item, name)
  const query = withLevels(relation)
  const inner = optionsOfRelated(item, name, options)
  if (Array.isArray(related)) {
    const items = withComputed(related.filter(isJsonObject), query, inner)
    if (items.length !== related.length) return
    const found = matchingItems(items, query, inner)
    const skip = query.skip ?? 0
    const page = found.slice(skip, query.top === undefined ? undefined : skip + query.top)
    changes[name] = page.map(target => withExpandedItems(target, query, inner))
    if (query.count === true) changes[`${name}@odata.count`] = found.length
  } else if (isJsonObject(related)) changes[name] = withExpandedItems(related, query, inner)
}

/** The options for the items of a relation. `$it` stays the item of the request. */
function optionsOfRelated(item: Item, name: string, options: ApplyOptions): ApplyOptions {
  return {
    ...optionsBelow(name, options),
    it: options.it ?? item,
    itType: options.it === undefined ? options.type : options.itType,
  }
}

/** An item after `$select` and `$expand`. */
function shapeItem(item: Item, query: QueryOptions, options: ApplyOptions): Item {
  const type = structuredTypeInfo(options.type, options.types)
  const shaped = new Map<string, unknown>()
  for (const [name, value] of Object.entries(item)) {
    const isControl = name.startsWith('@')
    if (isControl || (query.select === undefined && isDefault(name, type))) shaped.set(name, value)
  }
  for (const selected of query.select ?? []) select(item, selected, shaped, type, options)
  for (const { alias } of query.compute ?? []) {
    if (query.select === undefined && Object.hasOwn(item, alias)) shaped.set(alias, item[alias])
  }
  for (const relation of query.expand ?? []) expandItem(item, relation, shaped, options)
  return fromEntries(shaped)
}

/** A member named `__proto__` stays a member. */
function fromEntries(members: ReadonlyMap<string, unknown>): Item {
  return Object.fromEntries(members)
}

/** Whether the result contains a member without `$select`. */
function isDefault(name: string, type: StructuredTypeInfo | undefined): boolean {
  if (type === undefined) return true
  if (Object.hasOwn(type.navigation, name)) return false
  return !Object.hasOwn(type.properties, name) || type.properties[name]?.onSelect !== true
}

function select(
  item: Item,
  { path, options: nested }: SelectItem,
  shaped: Map<string, unknown>,
  type: StructuredTypeInfo | undefined,
  options: ApplyOptions,
): void {
  const [first, ...rest] = path.filter(name => !name.includes('.'))
  if (first === undefined) return
  if (first === '*') {
    for (const [name, value] of Object.entries(item)) if (isDefault(name, type)) shaped.set(name, value)
    return
  }
  // A selected relation results in a link. Only `$expand` returns the items.
  const isRelation = type !== undefined && Object.hasOwn(type.navigation, first)
  if (isRelation || !Object.hasOwn(item, first)) return
  const declared = type !== undefined && Object.hasOwn(type.properties, first) ? type.properties[first] : undefined
  const inner: ApplyOptions = { ...options, type: declared?.type }
  const query: QueryOptions =
    rest.length > 0 ? { select: [{ path: rest, ...(nested && { options: nested }) }] } : (nested ?? {})
  shaped.set(first, merged(shaped.get(first), shapeValue(item[first], query, inner)))
}

/** A nested item or collection after its own options. */
function shapeValue(value: unknown, query: QueryOptions, options: ApplyOptions): unknown {
  if (Array.isArray(value)) return shapeCollection(value, query, options)
  return isJsonObject(value) ? shapeItem(value, query, options) : value
}

function shapeCollection(values: readonly unknown[], query: QueryOptions, options: ApplyOptions): readonly unknown[] {
  const items = values.filter(isJsonObject)
  return items.length === values.length ? applyQuery(items, query, options).value : values
}

/** `address/city,address/street` selects two parts of one value. */
function merged(before: unknown, value: unknown): unknown {
  return isJsonObject(before) && isJsonObject(value) ? { ...before, ...value } : value
}

/** Adds a relation, or all relations for `*`, to the members of an item. @see OData 4.01 URL Conventions, 5.1.3 */
function expandItem(item: Item, relation: ExpandItem, shaped: Map<string, unknown>, options: ApplyOptions): void {
  const [first, ...rest] = relation.path.filter(name => !name.includes('.'))
  if (!isOfCast(item, relation, options)) return
  if (first === '*') {
    const names = navigationOf(relation, options) ?? item
    for (const name of Object.keys(names)) expandNamed(item, name, relation, shaped, options)
  } else if (first !== undefined && rest.length > 0) {
    const inner = isJsonObject(item[first]) ? { ...item[first] } : undefined
    if (inner !== undefined)
      shaped.set(first, shapeItem(inner, { expand: [{ ...relation, path: rest }] }, optionsBelow(first, options)))
  } else if (first !== undefined) {
    expandNamed(item, first, relation, shaped, options)
  }
}

function expandNamed(
  item: Item,
  name: string,
  relation: ExpandItem,
  shaped: Map<string, unknown>,
  options: ApplyOptions,
): void {
  if (!Object.hasOwn(item, name)) return
  const related = item[name]
  const query = withLevels(relation)
  const inner = optionsOfRelated(item, name, options)
  const items = Array.isArray(related) ? related.filter(isJsonObject) : undefined
  const result = items === undefined ? undefined : applyQuery(items, query, inner)
  if (relation.suffix === 'count' || query.count === true) shaped.set(`${name}@odata.count`, result?.count ?? 0)
  if (relation.suffix === 'count') return
  const value = result === undefined ? shapeValue(related, query, inner) : result.value
  shaped.set(name, relation.suffix === 'ref' ? referencesOf(value) : value)
}

/** `$levels=3` expands the relation two more times inside itself. */
function withLevels(relation: ExpandItem): QueryOptions {
  const { levels, ...query } = relation.options ?? {}
  const left = levels === 'max' ? maxNesting : (levels ?? 1)
  if (left <= 1) return query
  const again: ExpandItem = { ...relation, options: { ...query, levels: Math.min(left, maxNesting) - 1 } }
  return { ...query, expand: [...(query.expand ?? []), again] }
}

function optionsBelow(name: string, options: ApplyOptions): ApplyOptions {
  const type = structuredTypeInfo(options.type, options.types)
  const navigation = type !== undefined && Object.hasOwn(type.navigation, name) ? type.navigation[name] : undefined
  const property = type !== undefined && Object.hasOwn(type.properties, name) ? type.properties[name] : undefined
  return { ...options, type: navigation?.type ?? property?.type, searchProperties: undefined }
}

function referencesOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(referencesOf)
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => name === '@odata.id'))
    : value
}
