import { isSamePath, type Site } from '../../discover/site.js'
import type { TestRequest, TestResponse } from '../../http/message.js'
import { isRow, type Row } from '../../json.js'
import { crossOriginLink } from '../../session/list-pages.js'
import type { Session } from '../../session/session.js'

/** One round of change tracking: what it told, page by page, and the link to the next round. */
export interface DeltaRound {
  readonly rows: readonly Row[]
  readonly pages: readonly TestResponse[]
  /** Absent when the round did not come to an end. */
  readonly deltaLink?: string
  /** Why its end was not read, where that is not the service's fault. */
  readonly unread?: string
}

/** Reads a round to its end. */
export async function deltaRound(ask: TestRequest, session: Session): Promise<DeltaRound> {
  const { rows, pages, end } = await session.list(ask)
  const last = pages.at(-1)
  const link = isRow(last?.json) ? last.json['@odata.deltaLink'] : undefined
  const url = end === 'whole' && last !== undefined && typeof link === 'string' ? resolveLink(link, last) : undefined
  // Only within the service: the credential goes along.
  const isOwn = last !== undefined && url?.origin === new URL(last.request.url).origin
  const unread =
    end === 'elsewhere' || (url !== undefined && !isOwn) ? crossOriginLink : end === 'cut' ? tooLong : undefined
  return {
    rows,
    pages,
    ...(unread === undefined ? {} : { unread }),
    ...(url !== undefined && isOwn ? { deltaLink: url.href } : {}),
  }
}

const tooLong = 'it has more pages than the requests that are left can read'

function resolveLink(link: string, { request }: TestResponse): URL | undefined {
  return URL.canParse(link, request.url) ? new URL(link, request.url) : undefined
}

/** Whether a row tells that an item is gone. */
export function isRemoved(row: Row): boolean {
  return isRow(row['@removed']) || isRow(row['@odata.removed'])
}

/** The collection whose changes are tracked; absent when no path reads it. */
export function trackedSite(site: Site, { sites }: Pick<Session, 'sites'>): Site | undefined {
  const tracked = site.endpoint.resolved.slice(0, -1)
  return sites.find(({ endpoint }) => endpoint.kind === 'collection' && isSamePath(endpoint.resolved, tracked))
}
