import type { RequestHead, ServerRequest, ServerResponse } from '../http/message.js'
import type { BatchLimits } from '../service-options.js'

export const defaultBatchLimits: BatchLimits = { batchRequests: 20, batchBytes: 16 * 1024 * 1024 }

export const batchMethods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const

/**
 * One request of a batch.
 *
 * @see OData JSON Format 4.01, 19.1 (batch request); OData Protocol 4.01, 11.7.7 (multipart batch)
 */
export interface BatchRequest {
  readonly id: string
  readonly method: (typeof batchMethods)[number]
  readonly url: BatchUrl
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>
  /** Undefined: no body. */
  readonly body: Uint8Array | undefined
  /** The ids of earlier requests or groups that must succeed first. */
  readonly dependsOn: readonly string[]
  /** The atomicity group: its requests succeed or fail together. */
  readonly group: string | undefined
}

/** `id`: the URL starts with the item that an earlier request created or addressed, `$1/pages`. */
export type BatchUrl =
  | { readonly kind: 'target'; readonly target: string }
  | { readonly kind: 'reference'; readonly id: string; readonly rest: string }

/** The root of the service. Relative URLs of a batch start here. */
export interface BatchRoot {
  /** On this server, such as `/v1.0`. */
  readonly path: string
  /** As callers know it, such as `https://api.example.com/v1.0`. */
  readonly url: string
}

const referenceUrl = /^\/?\$([^/?$]+)((?:[/?].*)?)$/s

/**
 * The URL of a request in a batch. Undefined: it is outside the service, or is a batch itself.
 *
 * @param isKnown whether an earlier request has this id
 * @see OData Protocol 4.01, 11.7.3 (referencing new entities)
 */
export function batchUrl(url: string, root: BatchRoot, isKnown: (id: string) => boolean): BatchUrl | undefined {
  const [, id, rest = ''] = referenceUrl.exec(url) ?? []
  if (id !== undefined && isKnown(id)) return { kind: 'reference', id, rest }
  const target = batchTarget(url, root)
  return target === undefined ? undefined : { kind: 'target', target }
}

/**
 * The target of a request in a batch, relative to the root of the server; undefined if it is outside the service or is a
 * batch itself. `/users`, `users`, `/v1.0/users` and the absolute URL are equivalent.
 *
 * @see OData JSON Format 4.01, 19.1: a URL may be absolute, relative to the host, or relative
 */
export function batchTarget(url: string, root: BatchRoot): string | undefined {
  const below = belowRoot(url, root)
  if (below === undefined) return undefined
  const target = root.path + encodedTarget(below)
  // The path after `.` and `..` are resolved, as the server core does.
  const { pathname } = new URL(`http://localhost${target}`)
  if (pathname !== root.path && !pathname.startsWith(`${root.path}/`)) return undefined
  return /^\/(?:\$|%24)batch$/i.test(pathname.slice(root.path.length)) ? undefined : target
}

/** The text as a request line would carry it, which allows visible ASCII only. */
function encodedTarget(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]+/gu, encodeURIComponent)
}

function belowRoot(url: string, root: BatchRoot): string | undefined {
  if (url === '' || url.startsWith('//') || url.includes('#') || /\p{Surrogate}/u.test(url)) return undefined
  for (const prefix of [root.url, root.path]) {
    if (url === prefix) return ''
    if (url.startsWith(`${prefix}/`) || url.startsWith(`${prefix}?`)) return url.slice(prefix.length)
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return undefined
  return url.startsWith('/') ? url : `/${url}`
}

/** Headers of the batch that apply to each request without its own value. */
const inheritedHeaders = ['authorization', 'odata-maxversion', 'accept-language']

/**
 * A request of a batch as the service would get it alone.
 *
 * @param context creates the context of its handler, in place of the option of the service
 */
export function incomingOf(
  { method, headers, body }: BatchRequest,
  target: string,
  batch: ServerRequest,
  context: ServerRequest['context'],
): ServerRequest {
  const head: RequestHead = {
    method,
    url: batch.origin + target,
    headers: {
      get: name => {
        const key = name.toLowerCase()
        return headers.get(key) ?? (inheritedHeaders.includes(key) ? batch.head.headers.get(key) : null)
      },
    },
    get signal() {
      return batch.head.signal
    },
  }
  const bytes = body ?? new Uint8Array(0)
  return {
    head,
    origin: batch.origin,
    target,
    readBody: limit => Promise.resolve(bytes.byteLength > limit ? 'tooLarge' : bytes),
    context,
  }
}

/** The response to one request of a batch. */
export interface BatchResponse {
  readonly request: BatchRequest
  readonly response: ServerResponse
}
