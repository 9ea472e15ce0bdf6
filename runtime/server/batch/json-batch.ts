import { isSendable, parseMediaType } from '../http/message.js'
import type { BatchLimits } from '../service-options.js'
import { type BatchRequest, type BatchResponse, type BatchRoot, batchMethods, batchUrl } from './run-batch.js'

/** The maximum number of problems in a response, so that a large batch does not get a larger response. */
export const maxBatchProblems = 50

export interface BatchProblem {
  /** A path into the body, such as `requests/0/url`. */
  readonly target: string
  readonly message: string
}

type ReportBatch = (target: string, problem: string) => void

const requestMembers = ['id', 'method', 'url', 'headers', 'body', 'dependsOn', 'atomicityGroup']

/** The requests of a batch, or what is wrong with them. If there is any problem, the batch does not run. */
export interface ParsedBatch {
  readonly requests: readonly BatchRequest[]
  readonly problems: readonly BatchProblem[]
}

/**
 * Parses the body of a batch in JSON.
 *
 * @see OData JSON Format 4.01, 19.1 (batch request)
 */
export function parseJsonBatch(json: unknown, root: BatchRoot, { batchRequests }: BatchLimits): ParsedBatch {
  const problems: BatchProblem[] = []
  const report: ReportBatch = (target, problem) => {
    if (problems.length < maxBatchProblems) problems.push({ target, message: `${target} ${problem}.` })
  }
  const list = isBatchObject(json) && Object.hasOwn(json, 'requests') ? json['requests'] : undefined
  if (!Array.isArray(list)) {
    report('requests', 'must be a list')
    return { requests: [], problems }
  }
  if (list.length > batchRequests) {
    report('requests', `has ${list.length} requests, but the limit batchRequests is ${batchRequests}`)
    return { requests: [], problems }
  }
  const seen: SeenRequests = { ids: new Set(), groups: new Set(), group: undefined }
  const requests = list.flatMap((item: unknown, index): readonly BatchRequest[] => {
    const at = `requests/${index}`
    if (!isBatchObject(item)) {
      report(at, 'must be an object')
      return []
    }
    const request = readBatchRequest(item, at, root, seen, report)
    return request === undefined ? [] : [request]
  })
  return { requests, problems }
}

/** What the earlier requests of the batch have. Ids are in lower case. */
interface SeenRequests {
  readonly ids: Set<string>
  readonly groups: Set<string>
  /** The group of the previous request. */
  group: string | undefined
}

type BatchObject = Readonly<Record<string, unknown>>

function readBatchRequest(
  item: BatchObject,
  at: string,
  root: BatchRoot,
  seen: SeenRequests,
  report: ReportBatch,
): BatchRequest | undefined {
  for (const name of Object.keys(item)) {
    if (requestMembers.includes(name)) continue
    report(`${at}/${name.slice(0, 40)}`, `is unknown; expected ${requestMembers.join(', ')}`)
  }
  const id = readRequestId(item['id'], `${at}/id`, seen, report)
  const group = readAtomicityGroup(item['atomicityGroup'], `${at}/atomicityGroup`, seen, report)
  const dependsOn = readDependsOn(item['dependsOn'], `${at}/dependsOn`, seen, report)
  const isKnown = (name: string): boolean => seen.ids.has(name.toLowerCase())
  const url = typeof item['url'] === 'string' ? batchUrl(item['url'], root, isKnown) : undefined
  if (id !== undefined) seen.ids.add(id.toLowerCase())
  const method = batchMethods.find(name => typeof item['method'] === 'string' && name === item['method'].toUpperCase())
  if (method === undefined) report(`${at}/method`, `must be one of ${batchMethods.join(', ')}`)
  if (url === undefined)
    report(`${at}/url`, 'must be a URL relative to the root of the service, and must not be a batch')
  const headers = readBatchHeaders(item['headers'], `${at}/headers`, report)
  if (id === undefined || method === undefined || url === undefined) return undefined
  const body = Object.hasOwn(item, 'body') && item['body'] !== null ? bytesOfBody(item['body'], headers) : undefined
  return { id, method, url, headers, body, dependsOn, group }
}

/** The requests of a group are adjacent. */
function readAtomicityGroup(json: unknown, at: string, seen: SeenRequests, report: ReportBatch): string | undefined {
  const before = seen.group
  seen.group = undefined
  if (json === undefined || json === null) return undefined
  if (typeof json !== 'string' || json === '' || json.length > 128) {
    report(at, 'must be a string of 1 to 128 characters')
    return undefined
  }
  const name = json.toLowerCase()
  if (seen.ids.has(name)) report(at, 'must not be the id of a request')
  if (seen.groups.has(name) && before !== name) report(at, 'must be that of adjacent requests')
  seen.groups.add(name)
  seen.group = name
  return json
}

function readRequestId(json: unknown, at: string, seen: SeenRequests, report: ReportBatch): string | undefined {
  if (typeof json !== 'string' || json === '' || json.length > 128) {
    report(at, 'must be a string of 1 to 128 characters')
    return undefined
  }
  const name = json.toLowerCase()
  if (!seen.ids.has(name) && !seen.groups.has(name)) return json
  report(at, 'must be unique in the batch, regardless of case')
  return undefined
}

function readDependsOn(json: unknown, at: string, seen: SeenRequests, report: ReportBatch): readonly string[] {
  if (json === undefined || json === null) return []
  if (!Array.isArray(json) || !json.every(id => typeof id === 'string')) {
    report(at, 'must be a list of ids')
    return []
  }
  const unknown = json.find(id => !seen.ids.has(id.toLowerCase()) && !seen.groups.has(id.toLowerCase()))
  if (unknown !== undefined) report(at, 'must name earlier requests')
  return json
}

function readBatchHeaders(json: unknown, at: string, report: ReportBatch): Map<string, string> {
  const headers = new Map<string, string>()
  if (json === undefined || json === null) return headers
  if (!isBatchObject(json)) {
    report(at, 'must be an object')
    return headers
  }
  for (const [name, value] of Object.entries(json)) {
    if (typeof value === 'string' && isSendable({ status: 200, headers: { [name]: value }, body: undefined })) {
      headers.set(name.toLowerCase(), value)
    } else report(at, 'must have valid header names and values')
  }
  return headers
}

/** A JSON body is serialised. Other content is a JSON string with the body. */
function bytesOfBody(json: unknown, headers: Map<string, string>): Uint8Array {
  const contentType = headers.get('content-type')
  if (contentType === undefined) headers.set('content-type', 'application/json')
  const isJson = contentType === undefined || parseMediaType(contentType)?.type === 'application/json'
  return new TextEncoder().encode(isJson || typeof json !== 'string' ? JSON.stringify(json) : json)
}

/** The responses of a batch as JSON: bytes if one of them has bytes, which are copied, not decoded. Otherwise text. */
export function printJsonBatch(responses: readonly BatchResponse[], isLowerCase: boolean): string | ArrayBuffer {
  const parts = [
    '{"responses":[',
    ...responses.flatMap((each, index) => batchResponseJson(each, index === 0, isLowerCase)),
    ']}',
  ]
  return parts.every(part => typeof part === 'string') ? parts.join('') : joinedBytes(parts)
}

/**
 * One response of a batch as JSON, in parts. A JSON body is copied without being parsed.
 *
 * @param isLowerCase the names of headers are in lower case, as 4.01 demands; otherwise in their usual spelling, because
 *   clients that do not ask for 4.01, such as that of Microsoft Graph, look for `Content-Type` in this spelling only
 *
 * @see OData JSON Format 4.01, 19.3 (batch response)
 */
function batchResponseJson(
  { request, response }: BatchResponse,
  isFirst: boolean,
  isLowerCase: boolean,
): readonly (string | ArrayBuffer)[] {
  const { status, headers, body } = response
  const named = isLowerCase
    ? headers
    : Object.fromEntries(Object.entries(headers).map(([name, value]) => [usualHeaderName(name), value]))
  const group = request.group === undefined ? '' : `"atomicityGroup":${JSON.stringify(request.group)},`
  const head = `${isFirst ? '' : ','}{"id":${JSON.stringify(request.id)},${group}"status":${status},"headers":${JSON.stringify(named)}`
  if (body === undefined) return [`${head}}`]
  const type = headers['content-type'] ?? ''
  // A handler can have text as bytes.
  if (type.startsWith('application/json')) return [`${head},"body":`, body, '}']
  const isText = typeof body === 'string' || type.startsWith('text/')
  if (!isText) return [`${head},"body":"${base64Url(body)}"}`]
  return [`${head},"body":${JSON.stringify(typeof body === 'string' ? body : new TextDecoder().decode(body))}}`]
}

function joinedBytes(parts: readonly (string | ArrayBuffer)[]): ArrayBuffer {
  const encoder = new TextEncoder()
  const chunks = parts.map(part => (typeof part === 'string' ? encoder.encode(part) : new Uint8Array(part)))
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes.buffer
}

function isBatchObject(json: unknown): json is BatchObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}

/** @see OData JSON Format 4.01, 19.3: a body that is neither JSON nor text is base64url */
function base64Url(bytes: ArrayBuffer): string {
  const binary = latin1Text(new Uint8Array(bytes))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

const usualHeaderNames = new Map(
  ['ETag', 'OData-EntityId', 'OData-Version', 'WWW-Authenticate', 'client-request-id', 'request-id'].map(name => [
    name.toLowerCase(),
    name,
  ]),
)

/** The name of a header in its usual spelling. */
function usualHeaderName(name: string): string {
  return (
    usualHeaderNames.get(name) ?? name.replaceAll(/(^|-)([a-z])/g, (_, before, letter) => before + letter.toUpperCase())
  )
}

/** Bytes as text: each byte is the character with its number, which `TextDecoder` does not do for `latin1`. */
export function latin1Text(bytes: Uint8Array): string {
  let text = ''
  for (let start = 0; start < bytes.length; start += 8192) {
    text += String.fromCharCode(...bytes.subarray(start, start + 8192))
  }
  return text
}

/** The bytes of such a text. */
export function latin1Bytes(text: string): ArrayBuffer {
  const buffer = new ArrayBuffer(text.length)
  const bytes = new Uint8Array(buffer)
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index)
  return buffer
}
