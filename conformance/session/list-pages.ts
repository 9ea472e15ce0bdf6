import { createHash } from 'node:crypto'
import type { TestRequest, TestResponse } from '../http/message.js'
import { isRow, type Row } from '../json.js'
import type { Listing, ListLimit } from './session.js'

/** Pages at the start of a list whose bodies are kept. */
const bodiesKept = 3
/** A list counts as endless after this many consecutive pages without new rows, plus one for each distinct row. */
const maxIdlePages = 25

/**
 * Requests a list and follows its next links with the same headers; links carry query options, but no headers.
 *
 * @param origin links to another origin are not followed, because the credential would go with them
 */
export async function listPages(
  request: TestRequest,
  send: (request: TestRequest) => Promise<TestResponse>,
  origin: string,
  limit: ListLimit,
): Promise<Listing> {
  const pages: TestResponse[] = []
  const rows: Row[] = []
  const links = new Set<string>()
  const seen = new Set<string>()
  let idle = 0
  let next = request
  for (;;) {
    const response = await send(next)
    const last = pages.at(-1)
    // The bodies of middle pages would take most of the memory.
    if (last !== undefined && pages.length > bodiesKept) pages[pages.length - 1] = { ...last, text: '' }
    pages.push(response)
    const page = pageOf(response)
    if (page === undefined) return { rows, pages, end: endOf(response, pages.length) }
    for (const row of page.rows) rows.push(row)
    if (page.nextLink === undefined) return { rows, pages, end: 'complete' }
    const before = seen.size
    for (const row of page.rows) seen.add(createHash('md5').update(JSON.stringify(row)).digest('base64'))
    idle = seen.size === before ? idle + 1 : 0
    const path = resolveNextLink(page.nextLink, response.request.url, origin)
    if (path === undefined) return { rows, pages, end: 'crossOrigin' }
    if (links.has(path) || idle >= maxIdlePages + seen.size) return { rows, pages, end: 'endless' }
    links.add(path)
    if (pages.length >= (limit.pages ?? Number.POSITIVE_INFINITY)) return { rows, pages, end: 'truncated' }
    if (rows.length >= (limit.rows ?? Number.POSITIVE_INFINITY)) return { rows, pages, end: 'truncated' }
    next = { method: 'GET', path, ...(request.headers === undefined ? {} : { headers: request.headers }) }
  }
}

function endOf({ status, transportError }: TestResponse, pages: number): Listing['end'] {
  return pages === 1 && transportError === undefined && status >= 400 ? 'rejected' : 'broken'
}

function resolveNextLink(link: string, base: string, origin: string): string | undefined {
  if (!URL.canParse(link, base)) return undefined
  const url = new URL(link, base)
  return url.origin === origin ? url.href : undefined
}

/** One page of a list. */
interface Page {
  readonly rows: readonly Row[]
  /** Unchanged. */
  readonly nextLink?: string
}

/** The page in a response; absent if the response is not a page. */
export function pageOf({ status, json }: TestResponse): Page | undefined {
  if (status !== 200 || !isRow(json)) return undefined
  const { value } = json
  if (!Array.isArray(value) || !value.every(isRow)) return undefined
  const link = json['@odata.nextLink'] ?? json['@nextLink']
  return { rows: value, ...(typeof link === 'string' && link !== '' ? { nextLink: link } : {}) }
}

/** The minimum for any list. */
const minPages = 20

/**
 * The maximum number of pages to read of one list: a share of the remaining requests, because a list may be endless.
 *
 * @param share from 0 to 1
 */
export function pageLimit(requestsLeft: number, share: number): number {
  return Math.max(minPages, Math.ceil(requestsLeft * share))
}

/** The reason for not following a link: the credential would go along. */
export const crossOriginLink =
  'a link leads to another host and was not followed: check the service at the address that its links use'
