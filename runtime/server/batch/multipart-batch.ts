import { isSendable, parseMediaType, type ServerResponse } from '../http/message.js'
import type { BatchLimits } from '../service-options.js'
import { type BatchProblem, latin1Bytes, latin1Text, maxBatchProblems, type ParsedBatch } from './json-batch.js'
import { type BatchRequest, type BatchResponse, type BatchRoot, batchMethods, batchUrl } from './run-batch.js'

/**
 * Parses the body of a multipart batch. A change set is an atomicity group.
 *
 * @see OData Protocol 4.01, 11.7.7 (multipart batch format); RFC 2046, 5.1 (multipart)
 */
export function parseMultipartBatch(
  bytes: Uint8Array,
  boundary: string,
  root: BatchRoot,
  { batchRequests }: BatchLimits,
): ParsedBatch {
  const requests: BatchRequest[] = []
  const problems: BatchProblem[] = []
  const ids = new Set<string>()
  const limitProblem = `exceeds the limit batchRequests, which is ${batchRequests}`
  const report = (part: string, problem: string): void => {
    if (problems.length < maxBatchProblems) problems.push({ target: part, message: `${part} ${problem}.` })
  }
  const add = (part: MultipartPart, at: string, group: string | undefined): void => {
    const read = requests.length === batchRequests ? limitProblem : readHttpRequest(part, root, ids)
    if (typeof read === 'string') {
      report(at, read)
      return
    }
    const id = part.headers.get('content-id') ?? read.headers.get('content-id') ?? at
    if (ids.has(id.toLowerCase())) report(at, 'has the Content-ID of an earlier request')
    ids.add(id.toLowerCase())
    requests.push({ ...read, id, dependsOn: [], group })
  }
  // Each byte is one character, so that bodies stay as they are.
  const parts = splitParts(latin1Text(bytes), boundary)
  if (parts === undefined) report('body', 'must have parts between its boundaries, and end with one')
  for (const [index, part] of (parts ?? []).entries()) {
    const at = `part ${index + 1}`
    const media = parseMediaType(part.headers.get('content-type') ?? '')
    if (media?.type !== 'multipart/mixed') {
      add(part, at, undefined)
      continue
    }
    const inner = splitParts(part.body, media.parameters.get('boundary') ?? '')
    if (inner === undefined) report(at, 'must have parts between its boundaries, and end with one')
    for (const [number, each] of (inner ?? []).entries()) add(each, `${at}.${number + 1}`, `change set ${index + 1}`)
  }
  return { requests, problems }
}

/** A part of a multipart body: its headers in lower case, and its body, one character for each byte. */
interface MultipartPart {
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** The parts between the boundaries. Undefined: the last boundary is missing. */
function splitParts(text: string, boundary: string): readonly MultipartPart[] | undefined {
  if (boundary === '' || boundary.length > 70) return undefined
  const escaped = boundary.replaceAll(/[^A-Za-z0-9]/g, '\\$&')
  const delimiter = new RegExp(`(?:^|\\r?\\n)--${escaped}(--)?[ \\t]*(?=\\r?\\n|$)`, 'g')
  const parts: MultipartPart[] = []
  let start: number | undefined
  for (const match of text.matchAll(delimiter)) {
    if (start !== undefined) parts.push(readPart(text.slice(start, match.index).replace(/^\r?\n/, '')))
    if (match[1] !== undefined) return parts
    start = match.index + match[0].length
  }
  return undefined
}

/** Header lines, an empty line, and a body. */
function readPart(text: string): MultipartPart {
  const end = /(?:^|\r?\n)\r?\n/.exec(text)
  const head = end === null ? text : text.slice(0, end.index)
  const headers = new Map<string, string>()
  for (const line of head.split(/\r?\n/)) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
  }
  return { headers, body: end === null ? '' : text.slice(end.index + end[0].length) }
}

/** Whether no name or value has a control character. The response repeats some of them. */
function areSendable(headers: ReadonlyMap<string, string>): boolean {
  return [...headers].every(([name, value]) => isSendable({ status: 200, headers: { [name]: value }, body: undefined }))
}

const httpRequestLine = /^([A-Za-z]+) (\S+)(?: HTTP\/\d\.\d)?[ \t]*(?:\r?\n|$)/

/** The request in a part, or what is wrong with it. */
function readHttpRequest(
  part: MultipartPart,
  root: BatchRoot,
  ids: ReadonlySet<string>,
): Omit<BatchRequest, 'id' | 'dependsOn' | 'group'> | string {
  const media = parseMediaType(part.headers.get('content-type') ?? '')
  if (media?.type !== 'application/http') return 'must have the Content-Type application/http'
  const text = part.body.replace(/^(?:\r?\n)+/, '')
  const [line, verb = '', address = ''] = httpRequestLine.exec(text) ?? []
  const method = batchMethods.find(name => name === verb.toUpperCase())
  if (line === undefined || method === undefined)
    return `must begin with a request line, and one of the methods ${batchMethods.join(', ')}`
  const { headers, body } = readPart(text.slice(line.length))
  if (!areSendable(part.headers) || !areSendable(headers)) return 'must have valid header names and values'
  const url = batchUrl(address, root, id => ids.has(id.toLowerCase()))
  if (url === undefined) return 'must have a URL relative to the root of the service, which is not a batch'
  const length = Number(headers.get('content-length') ?? body.length)
  const content = Number.isInteger(length) ? body.slice(0, length) : body
  const hasBody = content !== '' && method !== 'GET'
  return { method, url, headers, body: hasBody ? new Uint8Array(latin1Bytes(content)) : undefined }
}

/**
 * The responses of a multipart batch. A change set that failed has one response, which is that of the request that failed.
 *
 * @see OData Protocol 4.01, 11.7.7.6 (multipart batch response)
 */
export function printMultipartBatch(responses: readonly BatchResponse[]): {
  readonly contentType: string
  readonly body: ArrayBuffer
} {
  const boundary = `batchresponse_${crypto.randomUUID()}`
  let text = ''
  let index = 0
  while (index < responses.length) {
    const first = responses[index]
    if (first === undefined) break
    const { group } = first.request
    const unit = group === undefined ? [first] : responses.filter(({ request }) => request.group === group)
    index += unit.length
    const failed = unit.find(({ response }) => response.status >= 400 && response.status !== 424)
    text += `--${boundary}\r\n`
    text += group === undefined || failed !== undefined ? httpPart(failed ?? first) : changeSetPart(unit)
    text += '\r\n'
  }
  const body = latin1Bytes(`${text}--${boundary}--\r\n`)
  return { contentType: `multipart/mixed;boundary=${boundary}`, body }
}

// Each byte of a part is one character.

function changeSetPart(unit: readonly BatchResponse[]): string {
  const boundary = `changesetresponse_${crypto.randomUUID()}`
  const parts = unit.map(each => `--${boundary}\r\n${httpPart(each)}\r\n`)
  return `Content-Type: multipart/mixed;boundary=${boundary}\r\n\r\n${parts.join('')}--${boundary}--\r\n`
}

function httpPart({ request, response }: BatchResponse): string {
  const contentId = request.id.startsWith('part ') ? '' : `Content-ID: ${request.id}\r\n`
  const head = `Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n${contentId}\r\n`
  return head + httpMessage(response)
}

function httpMessage({ status, headers, body }: ServerResponse): string {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body ?? new ArrayBuffer(0))
  const content = latin1Text(bytes)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const length = body === undefined ? '' : `content-length: ${content.length}\r\n`
  return `HTTP/1.1 ${status} ${reasonPhrases[status] ?? 'Unknown'}\r\n${lines.join('')}${length}\r\n${content}`
}

/** @see RFC 9110, 15 */
const reasonPhrases: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  304: 'Not Modified',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  424: 'Failed Dependency',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
}
