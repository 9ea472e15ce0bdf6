import type { ExpandItem, QueryOptions, SelectItem } from '../../../runtime/query/index.js'
import {
  type EntityType,
  isSamePath,
  type NavigationProperty,
  type Preference,
  type Property,
  type StructuredType,
} from '../../../spec/language/index.js'
import type { EndpointContext, Reply } from './behaviour.js'
import { isObject, type Json, type JsonObject } from './json.js'
import { matchingRows } from './rows.js'
import type { Entity } from './store.js'
import { streamControlInformation } from './streams.js'
import { storedValue } from './values.js'

/** A response with a single item and its entity tag. */
export function itemReply(row: Entity, type: EntityType, status: number, at: EndpointContext): Reply {
  const tag = at.behaviour.tag(row, at)
  return {
    status,
    headers: { ...(tag === undefined ? {} : { ETag: tag }), ...appliedHeader(at) },
    json: { '@odata.context': contextOf(type, at), ...representationOf(row, type, at) },
  }
}

/** The JSON of an item, with the preferences of the request applied. */
export function representationOf(row: Entity, type: EntityType, at: EndpointContext): JsonObject {
  const item = appliedPreferences(at).reduce(
    (preferred, { preference, value }) => applyPreference(preferred, preference, value, at),
    project(row, type, at.options, at),
  )
  const omitted = omittedValues(at)
  if (omitted === undefined) return item
  const members = Object.entries(item).filter(([name, value]) => {
    const property = row.type.properties.find(each => each.name === name)
    const isOther = property === undefined || row.type.key.includes(property)
    return isOther || !at.behaviour.omits(value, property, omitted)
  })
  return Object.fromEntries(members)
}

/** What the caller prefers to omit from a read, if the service does that. @see OData Protocol 4.01, 8.2.8.6 */
function omittedValues({ service, request, endpoint }: EndpointContext): 'nulls' | 'defaults' | undefined {
  const wanted = preferenceValue(request.headers.get('Prefer') ?? '', 'omit-values')
  const isRead = endpoint.kind === 'collection' || endpoint.kind === 'item'
  if (service.features.omitValues === 'none' || !isRead) return undefined
  return wanted === 'nulls' || wanted === 'defaults' ? wanted : undefined
}

export function appliedHeader(at: EndpointContext): Readonly<Record<string, string>> {
  const omitted = omittedValues(at)
  const applied = [
    ...appliedPreferences(at).map(({ preference, value }) => `${preference.name}="${value}"`),
    ...(omitted === undefined ? [] : [`omit-values=${omitted}`]),
  ]
  return applied.length === 0 ? {} : { 'Preference-Applied': applied.join(', ') }
}

export function contextOf(type: EntityType, at: EndpointContext): string {
  return `${at.request.root}/$metadata#${type.qualifiedName}`
}

/** The JSON of an item: the properties in `$select` and the relations in `$expand`. */
export function project(row: Entity, declared: EntityType, options: QueryOptions, at: EndpointContext): JsonObject {
  const { behaviour } = at
  const item: Record<string, Json> = Object.create(null)
  if (row.type !== declared) item['@odata.type'] = `#${row.type.qualifiedName}`
  const tag = behaviour.tag(row, at)
  if (tag !== undefined) item['@odata.etag'] = tag
  for (const property of row.type.properties) {
    const selected = options.select === undefined ? undefined : selectionOf(property, options.select, at)
    if (behaviour.includesProperty(property, selected === undefined ? undefined : selected !== 'no', row, at)) {
      const stored = storedValue(row.values[property.name] ?? null, property, behaviour.choices)
      const value = behaviour.formatValue(stored, property, row, at)
      if (value !== undefined) item[property.name] = applySelection(value, property, selected, at)
    } else if (
      (selected === 'no' || property.returned !== 'onSelect') &&
      behaviour.choices['unselected'] === 'null' &&
      !property.collection
    ) {
      item[property.name] = null
    }
  }
  if (options.select === undefined) Object.assign(item, streamControlInformation(row, at))
  addExpanded(item, row, options, at)
  return behaviour.item(item, row, at)
}

/** Whether `$select` selects all of a property, some members or nothing. */
type Selection = 'all' | 'no' | readonly SelectItem[]

function selectionOf({ name }: Property, select: readonly SelectItem[], _at: EndpointContext): Selection {
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

/** A complex value with only the selected members. */
function applySelection(value: Json, property: Property, selected: Selection | undefined, at: EndpointContext): Json {
  if (typeof selected !== 'object' || property.type.kind !== 'complexType') return value
  const { type } = property
  if (Array.isArray(value)) return value.map((each: Json) => selectMembers(each, type, selected, at))
  return selectMembers(value, type, selected, at)
}

function selectMembers(value: Json, type: StructuredType, select: readonly SelectItem[], at: EndpointContext): Json {
  if (!isObject(value)) return value
  const left: Record<string, Json> = Object.create(null)
  for (const property of type.properties) {
    const selected = selectionOf(property, select, at)
    const inner = value[property.name]
    if (selected !== 'no' && inner !== undefined) left[property.name] = applySelection(inner, property, selected, at)
  }
  return left
}

/** Adds the expanded relations to an item. @see OData URL Conventions 4.01, 5.1.3 */
function addExpanded(item: Record<string, Json>, row: Entity, options: QueryOptions, at: EndpointContext): void {
  for (const relation of row.type.navigation) {
    const expandItem = options.expand?.find(each => isItemFor(each, relation))
    if (!at.behaviour.includesRelation(relation, expandItem !== undefined, row, at)) continue
    const nested = at.behaviour.nested(nestedOptions(expandItem), relation, at)
    const all = matchingRows(at.behaviour.related(row, relation, at), nested, at)
    if (nested.count === true) item[`${relation.name}@odata.count`] = all.length
    const skip = nested.skip ?? 0
    const rows = all.slice(skip, nested.top === undefined ? undefined : skip + nested.top)
    const path = options === at.options ? ownPath(row, relation, at) : undefined
    const end = path === undefined ? undefined : at.behaviour.expandedEnd(rows, nested, at)
    const items = rows.slice(0, end?.shown).map(each => project(each, relation.type, nested, at))
    if (end !== undefined) item[`${relation.name}@odata.nextLink`] = `${at.request.root}${path}?$skiptoken=${end.next}`
    const value = at.behaviour.expanded(items, relation, row, at)
    if (value !== undefined) item[relation.name] = value
  }
}

/** An expanded list has at most so many items if it can go on at a path of its own. */
const maxExpanded = 10

export function expandedEnd(
  rows: readonly Entity[],
  options: QueryOptions,
  { behaviour: { choices } }: EndpointContext,
): { readonly shown: number; readonly next: number } | undefined {
  const isPlain = Object.keys(options).length === 0 && choices['expandedItems'] !== 'limited'
  return isPlain && rows.length > maxExpanded ? { shown: maxExpanded, next: maxExpanded } : undefined
}

/** The path of the list of a relation below the path of the request. Undefined: the spec has none. */
function ownPath(row: Entity, relation: NavigationProperty, at: EndpointContext): string | undefined {
  const { endpoint, request, service } = at
  const [key, ...others] = row.type.key
  if (!relation.collection || key === undefined || others.length > 0) return undefined
  const isList = endpoint.kind === 'collection'
  if (!isList && endpoint.kind !== 'item') return undefined
  const above = isList ? 2 : 1
  const found = service.endpoints.some(({ kind, path, resolved }) => {
    const last = resolved.at(-1)
    const isBelow =
      path.template.startsWith(`${endpoint.path.template}/`) && resolved.length === endpoint.resolved.length + above
    const hasRelation = last?.kind === 'navigation' && last.property === relation
    return kind === 'collection' && isBelow && hasRelation && isSamePath(resolved.slice(0, -above), endpoint.resolved)
  })
  if (!found) return undefined
  const keySegment = isList ? `/${encodeURIComponent(String(row.values[key.name]))}` : ''
  return `${request.path}${keySegment}/${relation.name}`
}

/** The value of an expanded relation: a list, or the single item. */
export function expandedValue(
  items: readonly Json[],
  relation: NavigationProperty,
  at: EndpointContext,
): Json | undefined {
  const limited = at.behaviour.choices['expandedItems'] === 'limited' ? items.slice(0, 3) : items
  if (relation.collection) return limited
  const [first] = items
  if (first !== undefined) return first
  return at.behaviour.choices['emptyRelation'] === 'absent' ? undefined : null
}

function isItemFor({ path }: ExpandItem, { name }: NavigationProperty): boolean {
  const last = path.at(-1)
  return last === name || last === '*'
}

/** `$levels=3` expands the relation inside itself two more times. */
function nestedOptions(item: ExpandItem | undefined): QueryOptions {
  const { levels, ...options } = item?.options ?? {}
  const left = levels === 'max' ? 3 : (levels ?? 1)
  if (item === undefined || left <= 1) return options
  return { ...options, expand: [...(options.expand ?? []), { ...item, options: { ...options, levels: left - 1 } }] }
}

/** Whether an item includes a property: by `$select`, or by default. */
export function includesProperty(
  property: Property,
  selected: boolean | undefined,
  row: Entity | undefined,
  { endpoint, behaviour: { choices } }: EndpointContext,
): boolean {
  const isKey = row?.type.key.includes(property) === true
  // Without its key, a change is useless.
  if (isKey && endpoint.kind === 'delta') return true
  if (property.returned === 'always') return true
  if (selected !== undefined) return selected || (isKey && choices['unselectedKey'] === 'returned')
  if (property.returned === 'onSelect') return false
  if (isKey || choices['defaultProjection'] !== 'limited') return true
  const properties = row?.type.properties ?? []
  return properties.indexOf(property) * 2 < properties.length
}

/** The preferences of the request that the service applies. */
function appliedPreferences(
  at: EndpointContext,
): readonly { readonly preference: Preference; readonly value: string }[] {
  const header = at.behaviour.header('Prefer', at) ?? ''
  return at.endpoint.preferences.flatMap(preference => {
    const value = preferenceValue(header, preference.name)
    return value !== undefined && preference.values.includes(value) ? [{ preference, value }] : []
  })
}

/** The value of a preference. Its name may have a vendor prefix: `outlook.body-content-type="text"`. */
export function preferenceValue(header: string, name: string): string | undefined {
  for (const part of header.split(/[,;]/)) {
    const [given = '', value = ''] = part.split('=', 2).map(each => each.trim())
    const short = given.slice(given.lastIndexOf('.') + 1).toLowerCase()
    if (given.toLowerCase() === name || short === name) return value.replaceAll('"', '')
  }
  return undefined
}

/** Converts the property of a preference, and the text next to it, to the preferred form. */
function applyPreference(
  item: JsonObject,
  { property }: Preference,
  value: string,
  { behaviour }: EndpointContext,
): JsonObject {
  const [outer = '', inner = ''] = property?.split('/') ?? []
  const object = item[outer]
  if (!isObject(object) || object[inner] === value || !Object.hasOwn(object, inner)) return item
  const changed = Object.fromEntries(
    Object.entries(object).map(([name, each]) => {
      if (name === inner) return [name, value]
      return [name, typeof each === 'string' ? behaviour.convertText(each, value) : each]
    }),
  )
  return { ...item, [outer]: changed }
}

/** Escapes a text as HTML, or removes its tags and resolves its entities. */
export function convertText(text: string, form: string): string {
  if (form === 'html') return `<p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`
  let plain = ''
  let inside = false
  for (const character of text) {
    if (character === '<') inside = true
    else if (character === '>') inside = false
    else if (!inside) plain += character
  }
  return plain.replaceAll('&lt;', '<').replaceAll('&amp;', '&')
}
