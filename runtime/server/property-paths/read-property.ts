import {
  bindQuery,
  type Capabilities,
  defaultQueryLimits,
  exceededLimits,
  isSubtype,
  numeral,
  type QueryOptions,
  type SelectItem,
} from '../../query/index.js'
import { RequestFault } from '../errors.js'
import type { CompiledRoute } from '../exchange.js'
import { chooseRepresentation, requestedFormat } from '../http/content-negotiation.js'
import type { ServerResponse } from '../http/message.js'
import { listRows } from '../list-rows.js'
import { createPlanner, parseQuery, rejectQuery } from '../planning/planner.js'
import { propertyContextOf } from '../response/context-url.js'
import { jsonContentType } from '../response/json-response.js'
import { isRow, selectionOf } from '../response/returned-properties.js'
import { readKeys } from '../routing/router.js'
import type { RoutedRequest, ServeRoute } from '../serve-route.js'
import { qualifiedTypeName, type ServiceTable, structuredType, underlyingType } from '../service-table.js'
import { JsonText, parseExactJson, printJson } from '../value/primitive-values.js'
import { innerRequest, type PropertyPath } from './property-path.js'

/** A request for a property, before its item is known. */
export type PropertyRequest = Omit<RoutedRequest, 'compiled' | 'match'>

/**
 * Reads a property of an item with the handler that reads the item, which selects only this property.
 *
 * @see OData Protocol 4.01, 11.2.4 (individual properties); OData JSON Format 4.01, 11 (individual property)
 */
export async function readProperty(
  requested: PropertyRequest,
  property: PropertyPath,
  reader: CompiledRoute,
  table: ServiceTable,
  serveRoute: ServeRoute,
): Promise<ServerResponse> {
  const { request, query, serviceUrl } = requested
  const { names, casts, info, part, item } = property
  const options = propertyOptions(query, property, table)
  const accept = request.head.headers.get('accept')
  const format = requestedFormat(options.format)
  const chosen = chooseRepresentation(part === 'count' ? 'count' : 'item', format, part === 'value' ? null : accept)
  const json = chosen.type === 'json' ? chosen : { metadata: 'minimal' as const, ieee754Compatible: false }
  // Without control information, the values of a derived type do not say so.
  const isCast = Object.keys(casts).length > 0
  const inner = isCast && json.metadata === 'none' ? { ...json, metadata: 'minimal' as const } : json
  const [first = ''] = names
  const selected = casts[0] === undefined ? first : `${qualifiedTypeName(casts[0], table)}/${first}`
  const response = await serveRoute({
    ...requested,
    request: innerRequest(request, { method: 'GET', headers: { accept: jsonContentType(inner) } }),
    compiled: selectingRoute(reader, table),
    match: item,
    query: `$select=${encodeURIComponent(selected)}`,
  })
  if (response.status === 204) throw new RequestFault('itemNotFound')
  if (response.status !== 200) return response
  const { value, type } = memberAt(parseExactJson(String(response.body)), property, reader.route.type, table)
  const { 'content-type': _, ...headers } = response.headers
  if (part === 'value') return rawResponse(value, info?.type, headers, table)
  if (part === 'count') {
    const { count = 0 } = propertyPage(value, options, property, table)
    if (chosen.type === 'text') return textResponse(String(count), headers)
    return { status: 200, headers: { ...headers, 'content-type': jsonContentType(json) }, body: String(count) }
  }
  if (value === null || value === undefined) return { status: 204, headers, body: undefined }
  const keys = readKeys(item.keys, reader.variables, table)
  const fragment = propertyContextOf(reader.route, property, info ?? { type: 'Edm.Untyped' }, table)(keys, '')
  const context = json.metadata === 'none' ? {} : { '@odata.context': `${serviceUrl}/$metadata#${fragment}` }
  const control = json.metadata === 'full' && type !== undefined ? { '@odata.type': type } : {}
  return {
    status: 200,
    headers: { ...headers, 'content-type': jsonContentType(json) },
    body: printJson({
      ...context,
      ...control,
      ...contentOf(inner === json ? value : withoutAnnotations(value), options, property, table),
    }),
  }
}

const selectingRoutes = new WeakMap<CompiledRoute, CompiledRoute>()

/** The route with a planner that allows the property to be selected, whatever the endpoint itself allows. */
function selectingRoute(reader: CompiledRoute, table: ServiceTable): CompiledRoute {
  const known = selectingRoutes.get(reader)
  if (known !== undefined) return known
  const plan = createPlanner({ ...reader.route, query: selectOnly }, table)
  const selecting: CompiledRoute = { ...reader, plan }
  selectingRoutes.set(reader, selecting)
  return selecting
}

const selectOnly: Capabilities = {
  select: 'optional',
  filter: { support: 'none', operators: {}, functions: {}, lambdas: {}, properties: {} },
  orderby: { support: 'none', properties: {} },
  expand: { support: 'none', relations: {}, maxDepth: 1, nested: [] },
  top: { support: 'none', above: 'error', min: 0 },
  skip: 'none',
  count: 'none',
  search: { support: 'none', syntax: 'words', join: [], properties: [] },
  requires: [],
}

const ofValue: readonly (keyof QueryOptions)[] = ['format']
const ofComplex: readonly (keyof QueryOptions)[] = ['format', 'select']
const ofPrimitives: readonly (keyof QueryOptions)[] = ['format', 'top', 'skip', 'count']
const ofComplexes: readonly (keyof QueryOptions)[] = [...ofPrimitives, 'filter', 'orderby', 'select', 'aliases']

/** The query options of the property. Fails with the fault of an option that does not apply to it. */
function propertyOptions(query: string, { info, part }: PropertyPath, table: ServiceTable): QueryOptions {
  const { options } = parseQuery(query)
  const isComplex = info !== undefined && structuredType(table.types, info.type) !== undefined
  const isList = info?.collection === true
  const applicable =
    part === 'value' ? ofValue : isList ? (isComplex ? ofComplexes : ofPrimitives) : isComplex ? ofComplex : ofValue
  const problems = Object.keys(options)
    .filter(name => !applicable.some(each => each === name))
    .map(name => ({ option: `$${name}`, message: `The query option '$${name}' does not apply to this property.` }))
  rejectQuery('unsupportedQueryOption', problems)
  if (!isComplex) return options
  const { format: _, ...bound } = options
  const limits = { ...defaultQueryLimits, ...table.limits }
  rejectQuery('unsupportedQueryOption', exceededLimits(bound, limits, table.types, info.type, 1))
  const scope = { namespace: table.namespace, container: table.container }
  rejectQuery('malformedQueryOption', bindQuery(bound, table.types, info.type, scope))
  return options
}

/**
 * The value of the property in the JSON of its item, and the type that a response with full metadata says. Fails with a
 * fault if a value is not of the type that the path casts it to.
 */
function memberAt(
  item: unknown,
  { names, casts, info }: PropertyPath,
  itemType: string | undefined,
  table: ServiceTable,
): { readonly value: unknown; readonly type?: string } {
  let owner = item
  let type: string | undefined
  requireCastType(owner, itemType, casts[0], table)
  for (const [index, name] of names.entries()) {
    if (owner === null || owner === undefined) return { value: null }
    if (!isRow(owner)) return { value: undefined }
    const said = owner[`${name}@odata.type`]
    type = typeof said === 'string' ? said : undefined
    const isUnknown = info === undefined && index === names.length - 1 && !Object.hasOwn(owner, name)
    if (isUnknown)
      throw new RequestFault('pathNotFound', { values: { path: name, reason: 'The item has no such property.' } })
    owner = owner[name]
    const cast = casts[index + 1]
    if (cast !== undefined && Array.isArray(owner))
      owner = owner.filter(each => isOfCastType(each, undefined, cast, table))
    else if (owner !== null && owner !== undefined) requireCastType(owner, undefined, cast, table)
  }
  return type === undefined ? { value: owner } : { value: owner, type }
}

/** @see OData URL Conventions 4.01, 4.11: a value that is not of the type is not there */
function requireCastType(
  value: unknown,
  declared: string | undefined,
  type: string | undefined,
  table: ServiceTable,
): void {
  if (type === undefined || isOfCastType(value, declared, type, table)) return
  throw new RequestFault('itemNotFound', { values: { reason: `The value is not of type ${type}.` } })
}

/** Whether a value is of a type. Without `declared`, a value that does not name its type is not of a derived one. */
function isOfCastType(value: unknown, declared: string | undefined, type: string, { types }: ServiceTable): boolean {
  const named = isRow(value) ? value['@odata.type'] : undefined
  const own = typeof named === 'string' ? named : declared
  return own !== undefined && isSubtype(own, type, types)
}

/** A value without control information. */
function withoutAnnotations(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAnnotations)
  if (!isRow(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      name.includes('@') ? [] : [[name, withoutAnnotations(member)] as const],
    ),
  )
}

/** The members of the response: those of a complex value, or `value`. */
function contentOf(
  value: unknown,
  options: QueryOptions,
  property: PropertyPath,
  table: ServiceTable,
): Readonly<Record<string, unknown>> {
  if (Array.isArray(value)) {
    const page = propertyPage(value, options, property, table)
    const items = page.value.map(each => selected(each, options.select))
    return options.count === true ? { '@odata.count': page.count, value: items } : { value: items }
  }
  const { info } = property
  const isComplex = info !== undefined && structuredType(table.types, info.type) !== undefined
  const shown = isComplex ? selected(value, options.select) : undefined
  return isRow(shown) ? shown : { value }
}

function propertyPage(value: unknown, options: QueryOptions, { info }: PropertyPath, { types }: ServiceTable) {
  const rows: readonly unknown[] = Array.isArray(value) ? value : []
  return listRows(rows, { query: options, limit: options.top }, { types, type: info?.type })
}

/** A complex value with only the selected members. */
function selected(value: unknown, select: readonly SelectItem[] | undefined): unknown {
  if (select === undefined || !isRow(value)) return value
  const { all, names } = selectionOf(select)
  if (all) return value
  const kept = Object.entries(value).flatMap(([name, member]) => {
    if (name.startsWith('@')) return [[name, member] as const]
    const below = names.get(name.split('@')[0] ?? '')
    if (below === undefined) return []
    return [[name, below.length === 0 ? member : selected(member, below)] as const]
  })
  return Object.fromEntries(kept)
}

/** @see OData Protocol 4.01, 11.2.4.1 (raw value) */
function rawResponse(
  value: unknown,
  type: string | undefined,
  headers: ServerResponse['headers'],
  { types }: ServiceTable,
): ServerResponse {
  if (value === null || value === undefined) return { status: 204, headers, body: undefined }
  if (type !== undefined && underlyingType(types, type) === 'Edm.Binary' && typeof value === 'string') {
    const body = bytesOf(value)
    return { status: 200, headers: { ...headers, 'content-type': 'application/octet-stream' }, body }
  }
  if (typeof value === 'number') return textResponse(numeral(value), headers)
  if (value instanceof JsonText) return textResponse(value.text, headers)
  return textResponse(typeof value === 'object' ? printJson(value) : String(value), headers)
}

function textResponse(text: string, headers: ServerResponse['headers']): ServerResponse {
  return { status: 200, headers: { ...headers, 'content-type': 'text/plain;charset=utf-8' }, body: text }
}

/** The bytes of a Binary in JSON. @see OData JSON Format 4.01, 7.1 (base64url) */
function bytesOf(text: string): ArrayBuffer {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = new Uint8Array(binary.length)
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index)
  return bytes.buffer
}
