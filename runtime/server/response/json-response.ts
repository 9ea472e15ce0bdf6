import {
  type ErrorDetail,
  Failure,
  type FailureDetails,
  type FaultDetails,
  isRequestFault,
  RequestFault,
} from '../errors.js'
import { type Exchange, isPaged } from '../exchange.js'
import { type JsonFormat, plainJsonFormat } from '../http/content-negotiation.js'
import type { RequestHead, ServerResponse } from '../http/message.js'
import { type ErrorInfo, type ServiceTable, structuredType } from '../service-table.js'
import { JsonText, parseJsonText, printJson } from '../value/primitive-values.js'
import type { Projection } from './projection.js'
import { isRow, memberWriter, type SentRow } from './returned-properties.js'

export function jsonResponse(
  exchange: Exchange,
  status: number,
  body: unknown,
  own: ItemHeaders = noItemHeaders,
): ServerResponse {
  return jsonTextResponse(exchange, status, toJson(exchange, body), own)
}

/** A response whose body is already JSON text. */
export function jsonTextResponse(
  exchange: Exchange,
  status: number,
  text: string,
  own: ItemHeaders = noItemHeaders,
): ServerResponse {
  return { status, headers: headersOf(exchange, own, jsonContentType(formatOf(exchange))), body: text }
}

export function emptyResponse(exchange: Exchange, status: number, own: ItemHeaders = noItemHeaders): ServerResponse {
  return { status, headers: headersOf(exchange, own), body: undefined }
}

/** Headers that depend on the item. */
export interface ItemHeaders {
  readonly etag?: string | undefined
  readonly location?: string
  readonly entityId?: string
}

const noItemHeaders: ItemHeaders = {}

/** Copies headers one by one: adding properties to a spread object is twenty times slower. */
function headersOf(
  exchange: Exchange,
  { etag, location, entityId }: ItemHeaders,
  contentType?: string,
): Record<string, string> {
  const headers: Record<string, string> = contentType === undefined ? {} : { 'content-type': contentType }
  for (const name in exchange.headers) headers[name] = exchange.headers[name] ?? ''
  addPreferenceHeaders(headers, exchange)
  if (location !== undefined) headers['location'] = location
  if (entityId !== undefined) headers['odata-entityid'] = entityId
  if (etag !== undefined) headers['etag'] = etag
  return headers
}

/**
 * Adds `Preference-Applied` if the service honoured preferences. Adds `Vary` if preferences can affect the response,
 * even if this request has none.
 *
 * @see RFC 7240, 2 (Vary) and 3 (Preference-Applied)
 */
function addPreferenceHeaders(headers: Record<string, string>, exchange: Exchange): void {
  const { preferences, compiled } = exchange
  const { kind } = compiled.route
  const isList = (kind === 'collection' || kind === 'delta') && isPaged(compiled.route)
  const omitted = omittedValues(exchange)
  // A cached response with all values is right for every caller; one with fewer values only for those that prefer it.
  if (isList || compiled.preferences.length > 0 || omitted !== undefined) headers['vary'] = 'Prefer'
  const writes = kind === 'create' || kind === 'createMedia' || kind === 'update' || kind === 'replace'
  const ofReturn = writes && preferences.return !== undefined
  const ofSize = isList && preferences.maxPageSize !== undefined
  if (preferences.applied.length === 0 && !ofReturn && !ofSize && omitted === undefined) return
  const applied = [...preferences.applied]
  if (ofReturn) applied.push(`${preferences.names.return}=${preferences.return}`)
  if (ofSize) applied.push(`${preferences.names.maxPageSize}=${preferences.maxPageSize}`)
  if (omitted !== undefined) applied.push(`${preferences.names.omitValues}=${omitted}`)
  headers['preference-applied'] = applied.join(', ')
}

export function contextUrl(exchange: Exchange): string {
  const fragment = exchange.compiled.context(exchange.keys, exchange.plan.selection)
  return `${exchange.serviceUrl}/$metadata#${fragment}`
}

export function includesControlInformation(exchange: Exchange): boolean {
  return formatOf(exchange).metadata !== 'none'
}

/** Whether Int64, Decimal and counts are strings. */
export function hasNumbersAsStrings(exchange: Exchange): boolean {
  return formatOf(exchange).ieee754Compatible
}

/** How to convert the items of a response. */
export function projectionFor(exchange: Exchange): Projection {
  return hasNumbersAsStrings(exchange) ? exchange.plan.projectStrings() : exchange.plan.project
}

/** The number of items in a response. */
export function countValue(exchange: Exchange, count: number): number | string {
  return hasNumbersAsStrings(exchange) ? String(count) : count
}

function formatOf({ representation }: Exchange): JsonFormat {
  return representation.type === 'json' ? representation : plainJsonFormat
}

/** A value as JSON text, with or without control information. */
function toJson(exchange: Exchange, value: unknown): string {
  return includesControlInformation(exchange) ? printJson(value) : printJson(value, withoutControlInformation)
}

/** With `odata.metadata=none`, only counts and links remain. @see OData JSON Format 4.01, 3.1.3 */
function withoutControlInformation(name: string, value: unknown): unknown {
  const isRemoved = name === '@odata.context' || name === '@odata.etag' || name === '@odata.type'
  return isRemoved || /@odata\.media(?:ContentType|Etag|ReadLink|EditLink)$/.test(name) ? undefined : value
}

/** The `Content-Type` of a JSON response. @see OData JSON Format 4.01, 3 */
export function jsonContentType({ metadata, ieee754Compatible }: JsonFormat = plainJsonFormat): string {
  return `application/json;odata.metadata=${metadata};odata.streaming=true;IEEE754Compatible=${ieee754Compatible};charset=utf-8`
}

const printable = /^[\x21-\x7e][\x20-\x7e]{0,127}$/

/**
 * The headers of every response. The OData version is 4.01 if the caller accepts it, otherwise 4.0, which every caller
 * accepts who does not say.
 */
export function standardHeaders({ headers }: RequestHead): Record<string, string> {
  const client = headers.get('client-request-id')
  const standard: Record<string, string> = {
    'odata-version': (maxVersionOf(headers) ?? 4) >= 4.01 ? '4.01' : '4.0',
    'request-id': crypto.randomUUID(),
  }
  if (client !== null && printable.test(client)) standard['client-request-id'] = client
  return standard
}

/** The highest OData version that the caller accepts. Undefined: it does not say. */
function maxVersionOf(headers: RequestHead['headers']): number | undefined {
  const version = headers.get('odata-maxversion')?.trim()
  return version !== undefined && /^\d{1,3}\.\d{1,3}$/.test(version) ? Number.parseFloat(version) : undefined
}

/**
 * Rejects a caller that accepts no supported OData version.
 *
 * @see OData Protocol 4.01, 8.2.7 (OData-MaxVersion)
 */
export function requireSupportedVersion({ headers }: RequestHead): void {
  const version = maxVersionOf(headers)
  if (version === undefined || version >= 4) return
  throw new RequestFault('notAcceptable', {
    values: {
      reason: `OData-MaxVersion is ${headers.get('odata-maxversion')?.trim()}. This service supports 4.0 and 4.01.`,
    },
  })
}

/**
 * The response to an error that stopped a request. An undeclared error is an internal error: the caller never sees its
 * message and stack, but `onUnexpected` receives it. `onUnexpected` also receives the cause of a fault.
 */
export function responseForError(
  error: unknown,
  table: ServiceTable,
  headers: Readonly<Record<string, string>>,
  onUnexpected: (error: unknown) => void,
): ServerResponse {
  if (isRequestFault(error)) {
    if (error.cause !== undefined) reportUnexpected(error.cause, onUnexpected)
    return errorResponse(table.faults[error.fault], error.given, headers)
  }
  const declared =
    error instanceof Failure && Object.hasOwn(table.errors, error.error) ? table.errors[error.error] : undefined
  if (error instanceof Failure && declared !== undefined) return errorResponse(declared, error.given, headers)
  reportUnexpected(error, onUnexpected)
  return errorResponse(table.faults.internalError, {}, headers)
}

/** An error in the hook must not prevent the response. */
function reportUnexpected(error: unknown, onUnexpected: (error: unknown) => void): void {
  try {
    onUnexpected(error)
  } catch {
    return
  }
}

/** The language of the messages. Specs can be in another one, and then set the header of their errors. */
const messageLanguage = 'en'

/**
 * An error response with the declared status, code and message. Values fill the placeholders of the message. If the
 * message has no placeholder `{reason}`, the reason is appended.
 *
 * @see OData JSON Format 4.01, 21.1 (error response)
 */
function errorResponse(
  info: ErrorInfo,
  given: FaultDetails,
  headers: Readonly<Record<string, string>>,
): ServerResponse {
  const details = detailsOf(info, given)
  const error = {
    code: info.code,
    message: given.message ?? messageOf(info.message, given.values ?? {}),
    ...(given.target === undefined ? {} : { target: given.target }),
    ...(details === undefined ? {} : { details }),
    innerError: {
      date: new Date().toISOString().slice(0, 19),
      'request-id': headers['request-id'],
      ...(headers['client-request-id'] === undefined ? {} : { 'client-request-id': headers['client-request-id'] }),
    },
  }
  return {
    status: info.status,
    headers: { ...headers, 'content-type': jsonContentType(), 'content-language': messageLanguage, ...given.headers },
    body: JSON.stringify({ error }),
  }
}

function detailsOf(info: ErrorInfo, given: FaultDetails): readonly ErrorDetail[] | undefined {
  return given.details ?? given.reasons?.map(reason => ({ code: info.code, ...reason }))
}

const placeholder = /\{([A-Za-z][A-Za-z0-9]*)\}/g

function messageOf(template: string, values: NonNullable<FailureDetails['values']>): string {
  const reason = Object.hasOwn(values, 'reason') ? values['reason'] : undefined
  const message = template.replaceAll(placeholder, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  )
  return reason === undefined || template.includes('{reason}') ? message : `${message} ${reason}`
}

/** Which values of items a response omits. @see OData Protocol 4.01, 8.2.8.6 (omit-values) */
type OmittedValues = 'nulls' | 'defaults'

/**
 * What the response to a read omits, as the caller prefers. Undefined: nothing. A response to a change shows what it
 * changed, and a delta also what has become null. In the rows of `$apply`, an absent value has another meaning than null.
 */
export function omittedValues({ preferences, compiled, plan }: Exchange): OmittedValues | undefined {
  const { kind } = compiled.route
  const isRead = (kind === 'collection' || kind === 'item') && plan.options.apply === undefined
  return isRead ? preferences.omitValues : undefined
}

/**
 * An item, or a complex value, without the values that the response omits: null, or the default of a property. It keeps the
 * key, properties with annotations, and the values in collections.
 */
export function withoutOmitted(
  given: unknown,
  typeName: string | undefined,
  omitted: OmittedValues,
  types: Exchange['table']['types'],
): unknown {
  // A complex value can be the text that the store holds.
  const shown = given instanceof JsonText && /^[[{]/.test(given.text) ? parseJsonText(given) : given
  if (Array.isArray(shown)) return shown.map(each => withoutOmitted(each, typeName, omitted, types))
  if (!isRow(shown) || shown instanceof JsonText) return shown
  const declared = shown['@odata.type']
  const own = typeof declared === 'string' ? declared.slice(declared.lastIndexOf('.') + 1) : undefined
  const type = structuredType(types, own ?? '') ?? structuredType(types, typeName ?? '')
  const annotated = new Set(Object.keys(shown).flatMap(name => (name.indexOf('@') > 0 ? [name.split('@')[0]] : [])))
  const kept: SentRow = {}
  for (const [name, value] of Object.entries(shown)) {
    const property = type !== undefined && Object.hasOwn(type.properties, name) ? type.properties[name] : undefined
    const isKept = name.includes('@') || annotated.has(name) || type?.key.includes(name) === true
    if (!isKept && isOmitted(value, property?.default, omitted)) continue
    const relation = type !== undefined && Object.hasOwn(type.navigation, name) ? type.navigation[name] : undefined
    memberWriter(name)(kept, withoutOmitted(value, property?.type ?? relation?.type, omitted, types))
  }
  return kept
}

function isOmitted(value: unknown, byDefault: unknown, omitted: OmittedValues): boolean {
  if (omitted === 'nulls') return value === null
  if (byDefault === undefined || byDefault === null || value === null)
    return value === null && (byDefault ?? null) === null
  return (value instanceof JsonText ? value.text : String(value)) === String(byDefault)
}
