import { createHash } from 'node:crypto'
import { parseEntityTags } from '../../runtime/server/http/entity-tag.js'
import { type Incoming, includesTag, type Outgoing } from '../../runtime/server/index.js'
import { splitTarget } from '../../runtime/server/path/split-path.js'
import type { Answering } from '../operation/answering.js'
import { acceptsHtml } from './accepts-html.js'
import { pageHeaders } from './page-headers.js'
import { pagePaths } from './page-paths.js'

/** Something that the page is made of. */
export interface PagePart {
  /** Its media type. */
  readonly type: string
  readonly body: string | ArrayBuffer
}

/** The page of a service, and who may see it. */
export interface Page {
  /** Path on the server -> what is there, made when it is asked for; undefined: nothing for such a query. */
  readonly parts: ReadonlyMap<string, (incoming: Incoming) => Promise<PagePart | undefined>>
  /** Whether the caller may see it; otherwise the service answers as if there were none. */
  readonly isShown: (incoming: Incoming) => boolean
}

/**
 * Serves the page beside the service, without a credential and without CORS: `GET` and `HEAD`. At `/`, whoever does not
 * take HTML gets what the service answers.
 */
export function withPage(answer: Answering, { parts, isShown }: Page): Answering {
  return async incoming => {
    const { path } = splitTarget(incoming.target)
    const make = parts.get(path)
    if (make === undefined || !isShown(incoming)) return answer(incoming)
    const { method, headers } = incoming.head
    if (path === pagePaths.page && !acceptsHtml(headers.get('accept'))) return answer(incoming)
    if (method !== 'GET' && method !== 'HEAD') return notAllowed()
    const part = await make(incoming)
    return part === undefined ? answer(incoming) : outgoingOf(part, headers.get('if-none-match'))
  }
}

function outgoingOf({ type, body }: PagePart, ifNoneMatch: string | null): Outgoing {
  const etag = `"${createHash('sha256')
    .update(typeof body === 'string' ? body : new Uint8Array(body))
    .digest('base64url')}"`
  const headers = { ...pageHeaders, 'content-type': type, etag, vary: 'Accept, Host' }
  const known = ifNoneMatch === null ? undefined : parseEntityTags(ifNoneMatch)
  if (known !== undefined && includesTag(known, etag)) return { status: 304, headers, body: undefined }
  return { status: 200, headers, body }
}

/** @see RFC 9110, 15.5.6 */
function notAllowed(): Outgoing {
  const message = 'This is a page for people; it can be read with GET and HEAD.'
  return {
    status: 405,
    headers: { ...pageHeaders, 'content-type': 'application/json;charset=utf-8', allow: 'GET, HEAD' },
    body: JSON.stringify({ error: { code: 'notAllowed', message } }),
  }
}
