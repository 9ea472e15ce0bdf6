import { isSamePath, type Site } from '../../discover/site.js'
import type { TestRequest, TestResponse } from '../../http/message.js'
import { isRow, type Row } from '../../json.js'
import { crossOriginLink } from '../../session/list-pages.js'
import type { Session } from '../../session/session.js'

/** One round of a delta query: its pages and the link to the next round. */
export interface DeltaRound {
  readonly rows: readonly Row[]
  readonly pages: readonly TestResponse[]
  /** Absent if the round did not end. */
  readonly deltaLink?: string
  /** Why the suite did not read to the end, if that is not the fault of the service. */
  readonly unread?: string
}

/** Reads a round to its end. */
export async function deltaRound(request: TestRequest, session: Session): Promise<DeltaRound> {
  const { rows, pages, end } = await session.list(request)
  const last = pages.at(-1)
  const link = isRow(last?.json) ? last.json['@odata.deltaLink'] : undefined
  const url = end === 'complete' && last !== undefined && typeof link === 'string' ? resolveLink(link, last) : undefined
  // Same origin only: the request carries the credential.
  const isOwn = last !== undefined && url?.origin === new URL(last.request.url).origin
  const unread =
    end === 'crossOrigin' || (url !== undefined && !isOwn) ? crossOriginLink : end === 'truncated' ? tooLong : undefined
  return {
    rows,
    pages,
    ...(unread === undefined ? {} : { unread }),
    ...(url !== undefined && isOwn ? { deltaLink: url.href } : {}),
  }
}

const tooLong = 'it has more pages than the remaining requests can read'

function resolveLink(link: string, { request }: TestResponse): URL | undefined {
  return URL.canParse(link, request.url) ? new URL(link, request.url) : undefined
}

/** Whether a row reports a removed item. */
export function isRemoved(row: Row): boolean {
  return isRow(row['@removed']) || isRow(row['@odata.removed'])
}

/** The tracked collection. Undefined if no endpoint reads it. */
export function trackedSite(site: Site, { sites }: Pick<Session, 'sites'>): Site | undefined {
  const tracked = site.endpoint.resolved.slice(0, -1)
  return sites.find(({ endpoint }) => endpoint.kind === 'collection' && isSamePath(endpoint.resolved, tracked))
}
