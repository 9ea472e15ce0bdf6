import { createHash } from 'node:crypto'
import type { TestRequest, TestResponse } from '../http/message.js'
import { isRow, type Row } from '../json.js'
import type { Listing, ListLimit } from './session.js'

/** Pages at the beginning of a list that are kept as they came. */
const bodiesKept = 3
/** Pages in a row that brought nothing new, beside one for each row that was seen, after which a list counts as endless. */
const maxIdlePages = 25

/**
 * Sends a request for a list, and follows its next links with the same headers: links carry query options, not headers.
 *
 * @param origin links that lead elsewhere are not followed, since the credential would go with them
 */
export async function listPages(
  ask: TestRequest,
  send: (ask: TestRequest) => Promise<TestResponse>,
  origin: string,
  limit: ListLimit,
): Promise<Listing> {
  const pages: TestResponse[] = []
  const rows: Row[] = []
  const links = new Set<string>()
  const seen = new Set<string>()
  let idle = 0
  let next = ask
  for (;;) {
    const answer = await send(next)
    const last = pages.at(-1)
    // Of long lists the texts of the pages in the middle would take more room than all else.
    if (last !== undefined && pages.length > bodiesKept) pages[pages.length - 1] = { ...last, text: '' }
    pages.push(answer)
    const page = pageOf(answer)
    if (page === undefined) return { rows, pages, end: endOf(answer, pages.length) }
    for (const row of page.rows) rows.push(row)
    if (page.nextLink === undefined) return { rows, pages, end: 'whole' }
    const before = seen.size
    for (const row of page.rows) seen.add(createHash('md5').update(JSON.stringify(row)).digest('base64'))
    idle = seen.size === before ? idle + 1 : 0
    const path = resolveNextLink(page.nextLink, answer.request.url, origin)
    if (path === undefined) return { rows, pages, end: 'elsewhere' }
    if (links.has(path) || idle >= maxIdlePages + seen.size) return { rows, pages, end: 'endless' }
    links.add(path)
    if (pages.length >= (limit.pages ?? Number.POSITIVE_INFINITY)) return { rows, pages, end: 'cut' }
    if (rows.length >= (limit.rows ?? Number.POSITIVE_INFINITY)) return { rows, pages, end: 'cut' }
    next = { method: 'GET', path, ...(ask.headers === undefined ? {} : { headers: ask.headers }) }
  }
}

function endOf({ status, transportError: trouble }: TestResponse, pages: number): Listing['end'] {
  return pages === 1 && trouble === undefined && status >= 400 ? 'refused' : 'broken'
}

function resolveNextLink(link: string, base: string, origin: string): string | undefined {
  if (!URL.canParse(link, base)) return undefined
  const url = new URL(link, base)
  return url.origin === origin ? url.href : undefined
}

/** What a page of a list holds. */
interface Page {
  readonly rows: readonly Row[]
  /** As it came. */
  readonly nextLink?: string
}

/** The page in an answer; absent when the answer is none. */
export function pageOf({ status, json }: TestResponse): Page | undefined {
  if (status !== 200 || !isRow(json)) return undefined
  const { value } = json
  if (!Array.isArray(value) || !value.every(isRow)) return undefined
  const link = json['@odata.nextLink'] ?? json['@nextLink']
  return { rows: value, ...(typeof link === 'string' && link !== '' ? { nextLink: link } : {}) }
}

/** Any list may be read so far. */
const minPages = 20

/**
 * How many pages of one list may be read: a share of the requests that are left, since it may have no end.
 *
 * @param share from 0 to 1
 */
export function pageLimit(requestsLeft: number, share: number): number {
  return Math.max(minPages, Math.ceil(requestsLeft * share))
}

/** Why a link was not followed: the credential would have gone along. */
export const crossOriginLink =
  'a link leads to another host, and was not followed: judge the service at the address that its links have'
