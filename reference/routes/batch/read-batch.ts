import { parseMediaType } from '../../../runtime/server/http/media-type.js'
import { isSendable } from '../../../runtime/server/response/is-sendable.js'
import type { BatchRequest } from './batch-request.js'
import { batchTarget } from './batch-target.js'

/** Requests that a batch may have. */
export const mostRequests = 20

/** One thing that is wrong with a batch. */
export interface BatchProblem {
  /** `requests/0/url` */
  readonly target: string
  readonly message: string
}

/** Where the service stands: relative URLs in a batch begin there. */
export interface BatchRoot {
  /** On this server, `/v1.0`. */
  readonly path: string
  /** As callers know it, `https://api.example.com/v1.0`. */
  readonly url: string
}

type Report = (target: string, problem: string) => void

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const
const members = ['id', 'method', 'url', 'headers', 'body', 'dependsOn']

/** Reads the body of a batch request; what is wrong with it stops the whole batch. */
export function readBatch(
  json: unknown,
  root: BatchRoot,
): { readonly requests: readonly BatchRequest[]; readonly problems: readonly BatchProblem[] } {
  const problems: BatchProblem[] = []
  const report: Report = (target, problem) => void problems.push({ target, message: `${target} ${problem}.` })
  const list = isObject(json) && Object.hasOwn(json, 'requests') ? json['requests'] : undefined
  if (!Array.isArray(list)) {
    report('requests', 'must be a list')
    return { requests: [], problems }
  }
  if (list.length > mostRequests) {
    report('requests', `has ${list.length} requests; a batch may have ${mostRequests} at most`)
    return { requests: [], problems }
  }
  const seen = new Set<string>()
  const requests = list.flatMap((item: unknown, index) => {
    const at = `requests/${index}`
    if (!isObject(item)) {
      report(at, 'must be an object')
      return []
    }
    return readRequest(item, at, root, seen, report) ?? []
  })
  return { requests, problems }
}

type JsonObject = Readonly<Record<string, unknown>>

function readRequest(
  item: JsonObject,
  at: string,
  root: BatchRoot,
  seen: Set<string>,
  report: Report,
): BatchRequest | undefined {
  for (const name of Object.keys(item)) {
    if (name === 'atomicityGroup') {
      report(`${at}/atomicityGroup`, 'is not supported: each request of a batch takes effect by itself')
    } else if (!members.includes(name)) {
      report(`${at}/${name.slice(0, 40)}`, `is unknown; a request has ${members.join(', ')}`)
    }
  }
  const id = readId(item['id'], `${at}/id`, seen, report)
  const dependsOn = readDependsOn(item['dependsOn'], `${at}/dependsOn`, seen, report)
  if (id !== undefined) seen.add(id.toLowerCase())
  const method = methods.find(name => name === String(item['method']).toUpperCase())
  if (method === undefined) report(`${at}/method`, `must be one of ${methods.join(', ')}`)
  const target = typeof item['url'] === 'string' ? batchTarget(item['url'], root) : undefined
  if (target === undefined) report(`${at}/url`, "must be a URL relative to the service's root, and no batch itself")
  const headers = readHeaders(item['headers'], `${at}/headers`, report)
  if (id === undefined || method === undefined || target === undefined) return undefined
  const body = Object.hasOwn(item, 'body') && item['body'] !== null ? bodyOf(item['body'], headers) : undefined
  return { id, method, target, headers, body, dependsOn }
}

function readId(json: unknown, at: string, seen: ReadonlySet<string>, report: Report): string | undefined {
  if (typeof json !== 'string' || json === '' || json.length > 128) {
    report(at, 'must be a text of 1 to 128 characters')
    return undefined
  }
  if (!seen.has(json.toLowerCase())) return json
  report(at, 'must be unique in the batch, regardless of case')
  return undefined
}

function readDependsOn(json: unknown, at: string, seen: ReadonlySet<string>, report: Report): readonly string[] {
  if (json === undefined || json === null) return []
  if (!Array.isArray(json) || !json.every(id => typeof id === 'string')) {
    report(at, 'must be a list of ids')
    return []
  }
  const unknown = json.find(id => !seen.has(id.toLowerCase()))
  if (unknown !== undefined) report(at, 'must name requests that stand before this one')
  return json
}

function readHeaders(json: unknown, at: string, report: Report): Map<string, string> {
  const headers = new Map<string, string>()
  if (json === undefined || json === null) return headers
  if (!isObject(json)) {
    report(at, 'must be an object')
    return headers
  }
  for (const [name, value] of Object.entries(json)) {
    if (typeof value === 'string' && isSendable({ status: 200, headers: { [name]: value }, body: undefined })) {
      headers.set(name.toLowerCase(), value)
    } else report(at, 'must have header names and texts that may stand in a header')
  }
  return headers
}

/** A body in JSON stands as it is; of any other content it is the text. */
function bodyOf(json: unknown, headers: Map<string, string>): Uint8Array {
  const contentType = headers.get('content-type')
  if (contentType === undefined) headers.set('content-type', 'application/json')
  const isJson = contentType === undefined || parseMediaType(contentType)?.type === 'application/json'
  return new TextEncoder().encode(isJson || typeof json !== 'string' ? JSON.stringify(json) : json)
}

function isObject(json: unknown): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}
