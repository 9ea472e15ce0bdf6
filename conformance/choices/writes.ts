import { isSamePath } from '../../spec/language/index.js'
import { keyOf } from '../discover/site.js'
import type { TestResponse } from '../http/message.js'
import { pause } from '../http/sender.js'
import { isRow } from '../json.js'
import { readRequest } from '../rule/query-request.js'
import { learnBodies, newBody } from '../rules/writing/accepted-body.js'
import { removeItem, type WriteSite, writeSites } from '../rules/writing/write-site.js'
import type { Session } from '../session/session.js'
import { type Calibrator, observingCalibrator } from './calibrator.js'

/** What the life cycle of one item revealed. */
interface WriteSample {
  readonly site: WriteSite
  readonly createStatus: number
  readonly updateStatus?: number
  readonly deleteStatus?: number
  /** Milliseconds until reads returned the item; absent if they did not, or were not tried. */
  readonly visibleAfter?: number
}

const samples = new WeakMap<object, Promise<WriteSample | undefined>>()

/**
 * Creates, changes and deletes one item, once per run, for all choices that writes reveal. Absent if writes are not
 * allowed.
 */
function writeSample(session: Session): Promise<WriteSample | undefined> {
  const sample = samples.get(session.run) ?? takeSample(session)
  samples.set(session.run, sample)
  return sample
}

async function takeSample(session: Session): Promise<WriteSample | undefined> {
  const { ledger } = session
  for (const site of writeSites(session)) {
    if (ledger?.mayCreate(site) !== true) continue
    let sample: WriteSample | undefined
    // The first item that the service accepts is the sample.
    await learnBodies(site, session, async (path, response) => {
      sample = await sampleOf(path, response, site, session)
    })
    const body = sample === undefined ? await newBody({}, site, session) : undefined
    if (body !== undefined) {
      const { response, path } = await ledger.create(site, body)
      if (path !== undefined && response.status < 300) sample = await sampleOf(path, response, site, session)
    }
    if (sample !== undefined) return sample
  }
  return undefined
}

/** Reads, changes and deletes a new item. */
async function sampleOf(
  path: string,
  { status, json }: TestResponse,
  site: WriteSite,
  session: Session,
): Promise<WriteSample> {
  const key = isRow(json) ? keyOf(json, site.type) : undefined
  const shownAfter = await waitUntilVisible(site, key, path, session)
  const changed = await changeItem(site, path, session)
  const removal = await removeItem(path, session)
  const deleted = removal !== undefined && removal.status < 300 ? removal.status : undefined
  return {
    site,
    createStatus: status,
    ...(changed === undefined ? {} : { updateStatus: changed }),
    ...(deleted === undefined ? {} : { deleteStatus: deleted }),
    ...(shownAfter === undefined ? {} : { visibleAfter: shownAfter }),
  }
}

async function changeItem(
  { update: endpoint, markProperty: marked }: WriteSite,
  path: string,
  session: Session,
): Promise<number | undefined> {
  const { ledger } = session
  if (endpoint === undefined || endpoint.ifMatch === 'required') return undefined
  if (marked === undefined || marked.createOnly) return undefined
  if (ledger === undefined || !(await ledger.isOwned(path))) return undefined
  const { status } = await session.send({ method: 'PATCH', path, body: { [marked.name]: `${ledger.mark} changed` } })
  return status < 300 ? status : undefined
}

/** Delays in milliseconds before each attempt. */
const retryDelays = [0, 20, 50, 100, 200, 400, 800, 1_600, 3_000]
/** Larger collections are not read to find one item. */
const maxRows = 300

/** How long it takes until the item and its collection show the new item. */
async function waitUntilVisible(
  site: WriteSite,
  key: string | undefined,
  path: string,
  session: Session,
): Promise<number | undefined> {
  const list = session.sites.find(({ endpoint, path: at }) => {
    return endpoint.kind === 'collection' && at === site.path && isSamePath(endpoint.resolved, site.endpoint.resolved)
  })
  const rows = list === undefined ? maxRows : (session.snapshot(list)?.rows.length ?? maxRows)
  const begin = Date.now()
  let isRead = false
  for (const [index, wait] of retryDelays.entries()) {
    await pause(wait)
    isRead ||= (await session.send({ method: 'GET', path })).status === 200
    if (!isRead) continue
    const took = index === 0 ? 0 : Date.now() - begin
    if (list === undefined || key === undefined || rows >= maxRows) return took
    const max = 'query' in list.endpoint ? list.endpoint.query?.top.max : undefined
    const listing = await session.list(readRequest(list, max === undefined ? {} : { top: max }))
    if (listing.end !== 'complete') return took
    if (listing.rows.some(row => keyOf(row, site.type) === key)) return index === 0 ? 0 : Date.now() - begin
  }
  return undefined
}

/** Observes the status of one of the writes of the sample. */
function statusCalibrator(choice: 'createStatus' | 'updateStatus' | 'deleteStatus', method: string): Calibrator {
  const noWrites = 'nothing was written: writes are not allowed or were rejected'
  return observingCalibrator(choice, noWrites, async session => {
    const sample = await writeSample(session)
    const status = sample?.[choice]
    if (sample === undefined || status === undefined) return []
    const { site } = sample
    const what = choice === 'createStatus' ? site.path : `an item of ${site.path}`
    return [{ value: status, evidence: `${method} ${what} returned ${status}`, site }]
  })
}

export const createStatus = statusCalibrator('createStatus', 'POST')
export const updateStatus = statusCalibrator('updateStatus', 'PATCH')
export const deleteStatus = statusCalibrator('deleteStatus', 'DELETE')

/** Measures how long a new item takes to become visible. Rules wait as long after a write. */
export const readYourWrites: Calibrator = {
  choice: 'readYourWrites',
  learn: async session => {
    const sample = await writeSample(session)
    if (sample === undefined) return { kind: 'undecided', why: 'nothing was written' }
    const { visibleAfter, site } = sample
    if (visibleAfter === undefined)
      return { kind: 'undecided', why: `the item created in ${site.path} did not become visible` }
    const when = visibleAfter === 0 ? 'at once' : `after ${visibleAfter} ms`
    const evidence = [`the item created in ${site.path} was visible ${when}`]
    if (visibleAfter > 0) return { kind: 'learned', chosen: [{ value: 'delayed' }], evidence, settleTime: visibleAfter }
    return { kind: 'learned', chosen: [{ value: 'immediate' }], evidence }
  },
}
