import { pause } from '../../http/pause.js'
import { isRow } from '../../is-row.js'
import { readAsk } from '../../rule/read-ask.js'
import { newBody } from '../../rules/writing/new-body.js'
import { removeItem } from '../../rules/writing/remove-item.js'
import { type WriteSite, writeSites } from '../../rules/writing/write-sites.js'
import type { Session } from '../../session/session.js'
import { isSamePath } from '../../site/is-same-path.js'
import { keyOf } from '../../site/key-of.js'

/** What one item showed, from its creation to its end. */
export interface WriteSample {
  readonly site: WriteSite
  readonly created: number
  readonly changed?: number
  readonly deleted?: number
  /** Milliseconds until reads showed the item; absent when they did not, or were not tried. */
  readonly shownAfter?: number
}

const samples = new WeakMap<Session, Promise<WriteSample | undefined>>()

/** Makes one item, changes it and removes it: once in a run, for all choices that writes tell. Absent without writes. */
export function writeSample(session: Session): Promise<WriteSample | undefined> {
  const known = samples.get(session)
  if (known !== undefined) return known
  const sample = take(session)
  samples.set(session, sample)
  return sample
}

async function take(session: Session): Promise<WriteSample | undefined> {
  const { ledger } = session
  for (const site of writeSites(session)) {
    const body = ledger?.mayCreate() === true ? newBody(site, {}, session) : undefined
    if (ledger === undefined || body === undefined) continue
    const { answer, path } = await ledger.create(site, body)
    if (path === undefined || answer.status >= 300) continue
    const key = isRow(answer.json) ? keyOf(answer.json, site.type) : undefined
    const shownAfter = await shown(site, key, path, session)
    const changed = await change(site, path, session)
    const removal = await removeItem(path, session)
    const deleted = removal !== undefined && removal.status < 300 ? removal.status : undefined
    return {
      site,
      created: answer.status,
      ...(changed === undefined ? {} : { changed }),
      ...(deleted === undefined ? {} : { deleted }),
      ...(shownAfter === undefined ? {} : { shownAfter }),
    }
  }
  return undefined
}

async function change(
  { change: endpoint, marked }: WriteSite,
  path: string,
  session: Session,
): Promise<number | undefined> {
  const { ledger } = session
  if (endpoint === undefined || endpoint.ifMatch === 'required' || marked.createOnly) return undefined
  if (ledger?.isOurs(path) !== true) return undefined
  const { status } = await session.ask({ method: 'PATCH', path, body: { [marked.name]: `${ledger.mark} changed` } })
  return status < 300 ? status : undefined
}

/** Milliseconds that are waited before each further look. */
const waits = [0, 20, 50, 100, 200, 400, 800, 1_600, 3_000]
/** Collections with more rows are not read to find one. */
const mostRows = 300

/** How long it took until the item, and its collection, showed it. */
async function shown(
  site: WriteSite,
  key: string | undefined,
  path: string,
  session: Session,
): Promise<number | undefined> {
  const list = session.sites.find(({ endpoint, path: at }) => {
    return endpoint.kind === 'collection' && at === site.path && isSamePath(endpoint.resolved, site.endpoint.resolved)
  })
  const rows = list === undefined ? mostRows : (session.snapshot(list)?.rows.length ?? mostRows)
  const begin = Date.now()
  let isRead = false
  for (const [index, wait] of waits.entries()) {
    await pause(wait)
    isRead ||= (await session.ask({ method: 'GET', path })).status === 200
    if (!isRead) continue
    const took = index === 0 ? 0 : Date.now() - begin
    if (list === undefined || key === undefined || rows >= mostRows) return took
    const max = 'query' in list.endpoint ? list.endpoint.query?.top.max : undefined
    const listing = await session.list(readAsk(list, max === undefined ? {} : { top: max }))
    if (listing.end !== 'whole') return took
    if (listing.rows.some(row => keyOf(row, site.type) === key)) return index === 0 ? 0 : Date.now() - begin
  }
  return undefined
}
