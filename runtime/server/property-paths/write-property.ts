import { type PropertyInfo, typeKey } from '../../query/index.js'
import { readRawBody, readRequestBody } from '../body/json-body.js'
import { RequestFault } from '../errors.js'
import type { CompiledRoute } from '../exchange.js'
import type { ServerRequest, ServerResponse } from '../http/message.js'
import { parseMediaType } from '../http/message.js'
import { parsePrefer } from '../http/preferences.js'
import { isRow } from '../response/returned-properties.js'
import type { ServeRoute } from '../serve-route.js'
import {
  concreteTypes,
  qualifiedTypeName,
  type ServiceTable,
  structuredType,
  underlyingType,
} from '../service-table.js'
import { invalidValue, printJson } from '../value/primitive-values.js'
import { plainJson } from '../value/read-value.js'
import { innerRequest, type PropertyPath } from './property-path.js'
import type { PropertyRequest } from './read-property.js'

/**
 * Changes a property of an item with the handler that updates the item. PUT sets it, PATCH changes members of a complex value,
 * and DELETE sets it to null, or to an empty list. The response has no body, unless the caller prefers one.
 *
 * @see OData Protocol 4.01, 11.4.9 (manage values and properties directly)
 */
export async function writeProperty(
  requested: PropertyRequest,
  property: PropertyPath,
  updater: CompiledRoute,
  table: ServiceTable,
  serveRoute: ServeRoute,
): Promise<ServerResponse> {
  const { request, query } = requested
  requireChangeable(property)
  const value = await newValue(request, property, table)
  const body = bodyAround(value, property, table)
  const given = parsePrefer(request.head.headers.get('prefer')).get('return')
  const response = await serveRoute({
    ...requested,
    request: innerRequest(request, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', prefer: 'return=minimal', accept: null },
      body: printJson(body),
    }),
    compiled: updater,
    match: property.item,
    query,
    replacedValue: request.head.method === 'PUT' ? property.names.join('/') : undefined,
  })
  const headers: Record<string, string> = {}
  for (const [name, text] of Object.entries(response.headers)) if (name !== 'preference-applied') headers[name] = text
  if (given?.value === 'minimal') headers['preference-applied'] = `${given.name}=minimal`
  return { ...response, headers }
}

/** The body of the update of the item. It names the types that the path casts values to. */
function bodyAround(value: unknown, { names, casts }: PropertyPath, table: ServiceTable): unknown {
  const typed = (inner: unknown, type: string | undefined): unknown =>
    type === undefined || !isRow(inner) ? inner : { '@odata.type': `#${qualifiedTypeName(type, table)}`, ...inner }
  return names.reduceRight<unknown>(
    (inner, name, index) => typed({ [name]: inner }, casts[index]),
    typed(value, casts[names.length]),
  )
}

/** The methods that change a property. */
export function changingMethods(
  { names, casts, info, part }: PropertyPath,
  table: ServiceTable,
): readonly ('PUT' | 'PATCH' | 'DELETE')[] {
  // Some items of a collection cannot be replaced alone.
  if (part === 'count' || (info?.collection === true && casts[names.length] !== undefined)) return []
  const isComplex =
    info !== undefined && info.collection !== true && structuredType(table.types, info.type) !== undefined
  return isComplex ? ['PUT', 'PATCH', 'DELETE'] : ['PUT', 'DELETE']
}

/** A property of an item can be read-only, while a PATCH of the item may ignore its value. */
function requireChangeable(property: PropertyPath): void {
  const { names, fixedBy } = property
  if (fixedBy === undefined) return
  const why = fixedBy === 'service' ? 'is read-only and cannot be set' : 'can only be set when the item is created'
  throw invalidBody(property, `${names[0] ?? ''} ${why}.`)
}

/** The value that the property gets. */
async function newValue(request: ServerRequest, property: PropertyPath, table: ServiceTable): Promise<unknown> {
  const { info, part } = property
  if (request.head.method === 'DELETE') return info?.collection === true ? [] : null
  if (part === 'value') return rawValue(request, property, table)
  const json = await readRequestBody(request, table.limits.body, undefined)
  const type = info === undefined || info.collection === true ? undefined : structuredType(table.types, info.type)
  if (type === undefined) return valueMember(json, property)
  if (!isRow(json)) throw invalidBody(property, 'The body must be an object.')
  const members = Object.fromEntries(
    Object.entries(json).filter(([name]) => name === '@odata.type' || !name.includes('@')),
  )
  if (request.head.method === 'PATCH') return members
  const named = members['@odata.type'] ?? replacingType(property, table)
  const given = typeof named === 'string' ? structuredType(table.types, typeKey(named, table.types)) : undefined
  const absent = Object.entries((given ?? type).properties).filter(([name]) => !Object.hasOwn(members, name))
  return {
    ...Object.fromEntries(absent.map(([name, member]) => [name, initialValue(member)])),
    ...members,
    ...(named === undefined ? {} : { '@odata.type': named }),
  }
}

/**
 * The type of a value that replaces a complex one, if several are possible: that of the property, even if the present value is of
 * another one. Undefined: there is only one.
 */
function replacingType(property: PropertyPath, table: ServiceTable): string | undefined {
  const { type = '' } = property.info ?? {}
  const possible = concreteTypes(type, table.types)
  const [only] = possible
  if (possible.length === 1) return only === type ? undefined : `#${qualifiedTypeName(only ?? type, table)}`
  if (structuredType(table.types, type)?.abstract !== true) return `#${qualifiedTypeName(type, table)}`
  throw invalidBody(property, `The type ${type} is abstract. @odata.type must name a type that derives from it.`)
}

/** What a PUT of a complex value sets a member to that its body omits. */
function initialValue({ default: initial, collection }: PropertyInfo): unknown {
  return initial ?? (collection === true ? [] : null)
}

/** The new value of a property that is not complex, `{"value": ...}`. */
function valueMember(json: unknown, property: PropertyPath): unknown {
  if (isRow(json) && Object.hasOwn(json, 'value')) return json['value']
  throw invalidBody(property, 'The body must be an object with the member value.')
}

async function rawValue(
  request: ServerRequest,
  property: PropertyPath,
  { types, limits }: ServiceTable,
): Promise<unknown> {
  const { info } = property
  const bytes = await readRawBody(request, limits.body)
  const type = underlyingType(types, info?.type ?? 'Edm.String')
  if (type === 'Edm.Binary') return base64url(bytes)
  const contentType = request.head.headers.get('content-type')
  const media = contentType === null ? undefined : parseMediaType(contentType)
  if (contentType !== null && media?.type !== 'text/plain') {
    const reason = `The Content-Type is ${JSON.stringify(contentType)}. Send text/plain in UTF-8.`
    throw new RequestFault('unsupportedMediaType', { values: { reason, contentType } })
  }
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new RequestFault('malformedBody', { values: { reason: 'It is not valid UTF-8.' } })
  }
  const value = type.startsWith('Edm.') ? plainJson(text, type) : text
  if (value === invalidValue) throw invalidBody(property, `The body must be a value of type ${type}.`)
  return value
}

function base64url(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

function invalidBody({ names }: PropertyPath, message: string): RequestFault {
  const target = names.join('/')
  return new RequestFault('invalidBody', {
    target,
    values: { property: target, reason: message },
    reasons: [{ target, message }],
  })
}
