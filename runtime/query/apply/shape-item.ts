import type { QueryOptions, SelectItem } from '../ast.js'
import { isJsonObject } from '../evaluate/json-object.js'
import { structuredTypeInfo } from '../evaluate/type-lookup.js'
import type { StructuredTypeInfo } from '../schema.js'
import { type ApplyOptions, applyQuery, type Item } from './apply-query.js'
import { expandItem } from './expand-item.js'

/** An item with what `$select` and `$expand` ask for. */
export function shapeItem(item: Item, query: QueryOptions, options: ApplyOptions): Item {
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

/** Whether a member is returned when nothing is selected. */
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
  // Selecting a relation asks for its link; only expanding it brings its items.
  const isRelation = type !== undefined && Object.hasOwn(type.navigation, first)
  if (isRelation || !Object.hasOwn(item, first)) return
  const declared = type !== undefined && Object.hasOwn(type.properties, first) ? type.properties[first] : undefined
  const inner: ApplyOptions = { ...options, type: declared?.type }
  const query: QueryOptions =
    rest.length > 0 ? { select: [{ path: rest, ...(nested && { options: nested }) }] } : (nested ?? {})
  shaped.set(first, merged(shaped.get(first), shapeValue(item[first], query, inner)))
}

/** A nested item or collection, with options of its own. */
export function shapeValue(value: unknown, query: QueryOptions, options: ApplyOptions): unknown {
  if (Array.isArray(value)) return shapeCollection(value, query, options)
  return isJsonObject(value) ? shapeItem(value, query, options) : value
}

function shapeCollection(values: readonly unknown[], query: QueryOptions, options: ApplyOptions): readonly unknown[] {
  const items = values.filter(isJsonObject)
  return items.length === values.length ? applyQuery(items, query, options).value : values
}

/** `address/city,address/street` select two parts of one value. */
function merged(before: unknown, value: unknown): unknown {
  return isJsonObject(before) && isJsonObject(value) ? { ...before, ...value } : value
}
