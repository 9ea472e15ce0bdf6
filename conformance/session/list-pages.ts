import { createHash } from 'node:crypto'
import type { Answer } from '../http/answer.js'
import type { Ask } from '../http/ask.js'
import type { Row } from '../json.js'
import type { Listing } from './listing.js'
import { pageOf } from './page-of.js'
import type { ListLimit } from './session.js'

/** Pages at the beginning of a list that are kept as they came. */
const textsKept = 3
/** Pages in a row that brought nothing new, beside one for each row that was seen, after which a list counts as endless. */
const patience = 25

/**
 * Sends a request for a list, and follows its next links with the same headers: links carry query options, not headers.
 *
 * @param origin links that lead elsewhere are not followed, since the credential would go with them
 */
export async function listPages(
  ask: Ask,
  send: (ask: Ask) => Promise<Answer>,
  origin: string,
  limit: ListLimit,
): Promise<Listing> {
  const pages: Answer[] = []
  const rows: Row[] = []
  const links = new Set<string>()
  const seen = new Set<string>()
  let idle = 0
  let next = ask
  for (;;) {
    const answer = await send(next)
    const last = pages.at(-1)
    // Of long lists the texts of the pages in the middle would take more room than all else.
    if (last !== undefined && pages.length > textsKept) pages[pages.length - 1] = { ...last, text: '' }
    pages.push(answer)
    const page = pageOf(answer)
    if (page === undefined) return { rows, pages, end: endOf(answer, pages.length) }
    for (const row of page.rows) rows.push(row)
    if (page.nextLink === undefined) return { rows, pages, end: 'whole' }
    const before = seen.size
    for (const row of page.rows) seen.add(createHash('md5').update(JSON.stringify(row)).digest('base64'))
    idle = seen.size === before ? idle + 1 : 0
    const path = followed(page.nextLink, answer.request.url, origin)
    if (path === undefined) return { rows, pages, end: 'elsewhere' }
    if (links.has(path) || idle >= patience + seen.size) return { rows, pages, end: 'endless' }
    links.add(path)
    if (pages.length >= (limit.pages ?? Number.POSITIVE_INFINITY)) return { rows, pages, end: 'cut' }
    if (rows.length >= (limit.rows ?? Number.POSITIVE_INFINITY)) return { rows, pages, end: 'cut' }
    next = { method: 'GET', path, ...(ask.headers === undefined ? {} : { headers: ask.headers }) }
  }
}

function endOf({ status, trouble }: Answer, pages: number): Listing['end'] {
  return pages === 1 && trouble === undefined && status >= 400 ? 'refused' : 'broken'
}

function followed(link: string, base: string, origin: string): string | undefined {
  if (!URL.canParse(link, base)) return undefined
  const url = new URL(link, base)
  return url.origin === origin ? url.href : undefined
}
