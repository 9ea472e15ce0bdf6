import type { QueryOptions, SelectItem } from '../../../../runtime/query/index.js'
import type { EntityType, Property, StructuredType } from '../../../../spec/language/index.js'
import type { Json } from '../../../json.js'
import type { Exchange } from '../exchange.js'
import type { Entity } from '../world/entity.js'
import { expandInto } from './expand-into.js'

export type JsonObject = { readonly [name: string]: Json }

/** An item as it is sent: the properties that `$select` names, the relations that `$expand` names. */
export function project(row: Entity, declared: EntityType, options: QueryOptions, at: Exchange): JsonObject {
  const { behaviour } = at
  const item: Record<string, Json> = Object.create(null)
  if (row.type !== declared) item['@odata.type'] = `#${row.type.qualifiedName}`
  const tag = behaviour.tag(row, at)
  if (tag !== undefined) item['@odata.etag'] = tag
  for (const property of row.type.properties) {
    const selected = options.select === undefined ? undefined : selectionOf(property, options.select, at)
    if (behaviour.shows(property, selected === undefined ? undefined : selected !== 'no', row, at)) {
      const value = behaviour.write(row.values[property.name] ?? null, property, row, at)
      if (value !== undefined) item[property.name] = narrowed(value, property, selected, at)
    } else if (selected === 'no' && behaviour.choices['unselected'] === 'null' && !property.collection) {
      item[property.name] = null
    }
  }
  expandInto(item, row, options, at)
  return behaviour.item(item, row, at)
}

/** What `$select` says of a property: all of it, parts of it by their paths, or nothing. */
type Selection = 'all' | 'no' | readonly SelectItem[]

function selectionOf({ name }: Property, select: readonly SelectItem[], _at: Exchange): Selection {
  const parts: SelectItem[] = []
  for (const item of select) {
    const [first, ...rest] = item.path.filter(step => !step.includes('.'))
    if (first === '*') return 'all'
    if (first !== name) continue
    if (rest.length === 0) return 'all'
    parts.push({ path: rest })
  }
  return parts.length === 0 ? 'no' : parts
}

/** A complex value with only those of its properties that are selected. */
function narrowed(value: Json, property: Property, selected: Selection | undefined, at: Exchange): Json {
  if (typeof selected !== 'object' || property.type.kind !== 'complexType') return value
  const { type } = property
  if (Array.isArray(value)) return value.map((each: Json) => narrowedObject(each, type, selected, at))
  return narrowedObject(value, type, selected, at)
}

function narrowedObject(value: Json, type: StructuredType, select: readonly SelectItem[], at: Exchange): Json {
  if (!isObject(value)) return value
  const left: Record<string, Json> = Object.create(null)
  for (const property of type.properties) {
    const selected = selectionOf(property, select, at)
    const inner = value[property.name]
    if (selected !== 'no' && inner !== undefined) left[property.name] = narrowed(inner, property, selected, at)
  }
  return left
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
