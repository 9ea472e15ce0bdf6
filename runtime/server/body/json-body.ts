import { isSubtype, type NavigationInfo, type StructuredTypeInfo } from '../../query/index.js'
import { RequestFault } from '../errors.js'
import type { ServerRequest } from '../http/message.js'
import { parseMediaType } from '../http/message.js'
import type { ResolveReference } from '../routing/router.js'
import { type Feature, structuredType } from '../service-table.js'
import { parseExactJson } from '../value/primitive-values.js'
import type { ReadContext } from '../value/read-value.js'

/** The JSON of a body, and what was received for it. */
interface JsonBody {
  readonly json: unknown
  readonly bytes: number
}

/**
 * Reads a JSON body. Fails with `unsupportedMediaType`, `payloadTooLarge` or `malformedBody`. `emptyValue` is the value of
 * an empty body. Undefined: a body is required.
 */
export async function readJsonBody(request: ServerRequest, limit: number, emptyValue: unknown): Promise<JsonBody> {
  const contentType = request.head.headers.get('content-type')
  requireUncompressed(request)
  requireKnownVersion(request.head.headers.get('odata-version'))
  if (contentType !== null) requireJson(contentType)
  const bytes = await readBytes(request, limit)
  if (bytes.byteLength === 0 && emptyValue !== undefined) return { json: emptyValue, bytes: 0 }
  if (contentType === null) requireJson('')
  const text = decodeUtf8(bytes)
  if (isLong(bytes.byteLength)) await nextTurn()
  const json = parseJson(text)
  if (isLong(bytes.byteLength)) await nextTurn()
  return { json, bytes: bytes.byteLength }
}

/** Whether what happens to a body of so many bytes takes so long that other requests get a turn between its steps. */
export function isLong(bytes: number): boolean {
  return bytes > 65_536
}

/** Resolves when other requests had a turn. */
export function nextTurn(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, 0))
}

/** The same without the number of bytes. */
export async function readRequestBody(request: ServerRequest, limit: number, emptyValue: unknown): Promise<unknown> {
  return (await readJsonBody(request, limit, emptyValue)).json
}

/** Reads a body that is not JSON. Fails with `unsupportedMediaType` or `payloadTooLarge`. */
export function readRawBody(request: ServerRequest, limit: number): Promise<Uint8Array> {
  requireUncompressed(request)
  return readBytes(request, limit)
}

async function readBytes(request: ServerRequest, limit: number): Promise<Uint8Array> {
  const bytes = await request.readBody(limit)
  if (bytes !== 'tooLarge') return bytes
  throw new RequestFault('payloadTooLarge', { values: { limit, reason: `A body can have at most ${limit} bytes.` } })
}

function requireUncompressed({ head: { headers } }: ServerRequest): void {
  const encoding = headers.get('content-encoding')
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    throw new RequestFault('unsupportedMediaType', {
      values: {
        reason: `The content coding ${JSON.stringify(encoding)} is not supported. Send the body uncompressed.`,
      },
    })
  }
}

function requireJson(contentType: string): void {
  if (contentType === 'application/json') return
  const mediaType = parseMediaType(contentType)
  const charset = mediaType?.parameters.get('charset')?.toLowerCase() ?? 'utf-8'
  if (mediaType?.type === 'application/json' && (charset === 'utf-8' || charset === 'utf8')) return
  throw new RequestFault('unsupportedMediaType', {
    values: {
      reason: `The Content-Type is ${JSON.stringify(contentType)}. Send application/json in UTF-8.`,
      contentType,
    },
  })
}

/** @see OData Protocol 4.01, 8.1.5 (OData-Version) */
function requireKnownVersion(version: string | null): void {
  const [number] = version?.match(/^\s*\d+\.\d+/) ?? []
  if (number === undefined || (Number(number) >= 4 && Number(number) <= 4.01)) return
  throw new RequestFault('unsupportedMediaType', {
    values: { reason: `The OData-Version of the body is ${number.trim()}. This service accepts 4.0 and 4.01.` },
  })
}

/** The maximum nesting of objects and arrays in a body. */
const maxJsonNesting = 64

/** The types of Cloudflare Workers require both options. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** Parses a JSON body. Fails with `malformedBody` if it is not JSON, or nested too deeply. */
function parseJson(text: string): unknown {
  if (nestsDeeperThan(text, maxJsonNesting)) {
    throw new RequestFault('malformedBody', { values: { reason: `It nests deeper than ${maxJsonNesting} levels.` } })
  }
  try {
    return parseExactJson(text)
  } catch (error) {
    const reason = error instanceof SyntaxError ? jsonReason(error.message) : 'It is not JSON.'
    throw new RequestFault('malformedBody', { values: { reason } })
  }
}

/** Fails with `malformedBody` if a body is not UTF-8. */
function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new RequestFault('malformedBody', { values: { reason: 'It is not valid UTF-8.' } })
  }
}

/** JavaScript engines quote the text in their messages. The response contains only the position. */
function jsonReason(message: string): string {
  const position = /at position (\d+)/.exec(message)?.[1]
  return position === undefined ? 'It is not valid JSON.' : `It is not valid JSON: see position ${position}.`
}

function nestsDeeperThan(text: string, limit: number): boolean {
  let depth = 0
  let quoted = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (quoted) {
      if (code === 0x5c) index++
      else if (code === 0x22) quoted = false
    } else if (code === 0x22) quoted = true
    else if (code === 0x7b || code === 0x5b) {
      depth++
      if (depth > limit) return true
    } else if (code === 0x7d || code === 0x5d) depth--
  }
  return false
}

/** What bodies may say about relations. */
export interface LinkRules {
  readonly features?: readonly Feature[] | undefined
  /** Resolves the URLs of items. Undefined: a body can't name other items. */
  readonly references?: ResolveReference | undefined
  /** Fails if the caller lacks a scope to create or change items of a type outside of the written item. Undefined: never. */
  readonly authorize?: ((type: string, purpose: RelatedWrite) => void) | undefined
}

/** What a body does to the items of another entity set. `upsert`: creates or changes them, as the handler finds out. */
export type RelatedWrite = 'create' | 'update' | 'upsert'

/**
 * A link needs only the scope of the item whose body has it, unless it sets a property of the other item: then it needs the scope
 * to change that one, too.
 */
export function authorizeLinks(
  relation: Pick<NavigationInfo, 'type' | 'partner' | 'contained'>,
  { authorize }: LinkRules,
  types: ReadContext['types'],
): void {
  if (relation.contained !== true && dependentsOf(relation, types).size > 0) authorize?.(relation.type, 'update')
}

/** `name@odata.bind`, which links items; `name@odata.delta`, which adds and removes links. */
const linkMember = /^([^@]+)@(?:odata\.)?(bind|delta)$/

/** An object whose members can link items. */
export interface LinkedObject {
  readonly type: StructuredTypeInfo
  /** What is read of it so far. */
  readonly value: Record<string, unknown>
  /** Its path in the body. */
  readonly target: string
}

/**
 * Reads a member that links existing items, and reports what is wrong with it. The value stays as in the body: URLs, which the
 * handler resolves. If the relation has a referential constraint to the key of the target, its properties get their values.
 *
 * @returns whether the member is one
 * @see OData JSON Format 4.01, 8.5 (bind operation)
 */
export function readLinks(
  name: string,
  json: unknown,
  { type, value, target }: LinkedObject,
  rules: LinkRules,
  reading: ReadContext,
): boolean {
  const { features = [], references } = rules
  const [, relation = '', kind = ''] = linkMember.exec(name) ?? []
  if (relation === '') return false
  const path = target === '' ? name : `${target}/${name}`
  const report = (problem: string): true => {
    reading.problems.push({ target: path.slice(0, maxPath), message: `${path.slice(0, maxPath)}${problem}.` })
    return true
  }
  const info = Object.hasOwn(type.navigation, relation) ? type.navigation[relation] : undefined
  const isAllowed =
    kind === 'bind' ? features.includes('bind') || features.includes('references') : features.includes('references')
  if (info === undefined || references === undefined || !isAllowed || info.contained === true) {
    return kind === 'bind' ? report(': navigation properties cannot be set here') : true
  }
  authorizeLinks(info, rules, reading.types)
  if (json === null) {
    if (info.collection === true || kind === 'delta') return report(' must be a list')
    if (info.nullable !== true) return report(' is required, and cannot be removed')
    for (const dependent of Object.keys(info.constraint ?? {})) value[dependent] = null
    value[`${relation}@odata.bind`] = null
    return true
  }
  const given = kind === 'delta' ? deltaUrls(json) : info.collection === true ? json : [json]
  if (!Array.isArray(given) || !given.every(url => typeof url === 'string')) {
    return report(info.collection === true ? ' must be a list of URLs' : ' must be a URL')
  }
  reading.countRelated?.(given.length, path)
  for (const url of given) {
    const problem = linkProblem(url, info.type, references, reading.types)
    if (problem !== undefined) return report(`: ${problem}`)
    if (info.collection !== true) setConstrained(info, references(url)?.keys ?? {}, value)
  }
  value[`${relation}@odata.${kind}`] = json
  return true
}

const maxPath = 200

/** What is wrong with the URL of an item of a type. Undefined: nothing. */
export function linkProblem(
  url: unknown,
  type: string,
  references: ResolveReference | undefined,
  types: ReadContext['types'],
): string | undefined {
  if (typeof url !== 'string') return 'The URL of an item must be a text'
  const item = references?.(url)
  if (item !== undefined && (isSubtype(item.type, type, types) || isSubtype(type, item.type, types))) return undefined
  return `${JSON.stringify(url.slice(0, maxPath))} is not the URL of a ${type}`
}

/** The URLs in a delta: `{"@odata.id": ...}`, with `@removed` or without. */
function deltaUrls(json: unknown): unknown {
  if (!Array.isArray(json)) return undefined
  return json.map((item: unknown) =>
    typeof item === 'object' && item !== null ? Reflect.get(item, '@odata.id') : item,
  )
}

/** The dependent properties of a relation to one item get the values of its key. */
function setConstrained(
  { constraint = {} }: NavigationInfo,
  keys: Readonly<Record<string, unknown>>,
  value: Record<string, unknown>,
): void {
  for (const [dependent, principal] of Object.entries(constraint)) {
    if (Object.hasOwn(keys, principal)) value[dependent] = keys[principal]
  }
}

/** The properties that get their values from the item that contains a nested item, or that the nested item is related to. */
export function dependentsOf(
  info: Pick<NavigationInfo, 'type' | 'partner'>,
  types: ReadContext['types'],
): ReadonlySet<string> {
  const partner = info.partner === undefined ? undefined : structuredType(types, info.type)?.navigation[info.partner]
  return new Set(Object.keys(partner?.constraint ?? {}))
}
