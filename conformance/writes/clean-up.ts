import type { Service } from '../../spec/language/index.js'
import { siteOf } from '../discover/site.js'
import type { TestRequest, TestResponse } from '../http/message.js'
import { openTarget } from '../http/target.js'
import { BudgetExhausted, createTransport } from '../http/transport.js'
import type { ConformanceOptions } from '../options.js'
import { listPages } from '../session/list-pages.js'
import type { ReadJournal } from './journal.js'
import type { RunLedger } from './ledger.js'

/**
 * Deletes what a run created, the newest items first, and items whose creation is uncertain. Reports what it cannot
 * find or delete, and does not throw if the service fails.
 *
 * @returns the addresses of remaining items, and of collections that may contain some
 */
export async function cleanUp(
  ledger: Pick<RunLedger, 'remaining' | 'markRemoved' | 'mark' | 'uncertainCollections'>,
  search: MarkSearch,
): Promise<readonly string[]> {
  const leftovers = new Set<string>()
  const attempt = async (name: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof BudgetExhausted)) throw error
      leftovers.add(name)
    }
  }
  const remove = (path: string): Promise<void> =>
    attempt(path, async () => {
      if ((await deleteItem(path, search.send)) === undefined) ledger.markRemoved(path)
      else leftovers.add(path)
    })
  for (const { path } of ledger.remaining()) await remove(path)
  for (const collection of ledger.uncertainCollections()) {
    const unseen = `${collection} (items with ${ledger.mark} in their text)`
    await attempt(unseen, async () => {
      const paths = await markedPaths(collection, ledger.mark, search)
      if (paths === undefined) leftovers.add(unseen)
      else for (const path of paths) if (!leftovers.has(path)) await remove(path)
    })
  }
  return [...leftovers]
}

/** The result of cleaning up a journal. */
export interface CleanedUp {
  readonly removed: readonly string[]
  /** What remains, with the reason. */
  readonly left: readonly { readonly path: string; readonly why: string }[]
}

interface CleanUpOptions extends Pick<ConformanceOptions, 'token' | 'headers' | 'timeout' | 'rate'> {
  readonly service: Service
  readonly target: string
  readonly journal: ReadJournal
}

/** Deletes what an interrupted run has left, by address or by the marker in its texts. */
export async function cleanUpJournal(options: CleanUpOptions): Promise<CleanedUp> {
  const { service, journal } = options
  const target = openTarget(options.target, service.version)
  const { send } = createTransport({
    target,
    token: options.token,
    headers: options.headers,
    requests: 10_000,
    time: 600_000,
    timeout: options.timeout ?? 30_000,
    rate: options.rate,
    concurrency: 1,
    now: () => performance.now(),
  })
  const search = { service, send, origin: target.origin }
  const removed: string[] = []
  const left: { path: string; why: string }[] = []
  const attempt = async (path: string, work: () => Promise<string | undefined>): Promise<boolean> => {
    const why = await work().catch(exhaustedReason)
    if (why !== undefined) left.push({ path, why })
    return why === undefined
  }
  for (const { path, collection, mark } of journal.left) {
    let paths: readonly string[] | undefined = path === undefined ? undefined : [path]
    if (path === undefined) {
      await attempt(collection, async () => {
        paths = await markedPaths(collection, mark, search)
        return paths === undefined ? `it could not be searched for items with ${mark} in their text` : undefined
      })
    }
    for (const each of paths ?? []) if (await attempt(each, () => deleteItem(each, send))) removed.push(each)
  }
  return { removed, left }
}

/** Why no request could be sent. */
function exhaustedReason(error: unknown): string {
  if (error instanceof BudgetExhausted) return error.reason ?? `no ${error.budget} left`
  throw error
}

/** What a search for marked items needs. */
interface MarkSearch {
  readonly service: Service
  readonly send: (request: TestRequest) => Promise<TestResponse>
  readonly origin: string
}

/**
 * The addresses of a collection's items that have the run's marker, for creates whose response was lost. Absent if the
 * collection cannot be read to its end, or its items cannot be deleted.
 *
 * @param collection path of the create endpoint, relative to the root
 */
export async function markedPaths(
  collection: string,
  mark: string,
  { service, send, origin }: MarkSearch,
): Promise<readonly string[] | undefined> {
  const endpoint = service.endpoints.find(({ kind, path }) => kind === 'collection' && path.template === collection)
  const item = service.endpoints.find(
    ({ kind, path }) =>
      kind === 'delete' &&
      path.template.startsWith(collection) &&
      /^(?:\/\{[^/}]+\}|\([^/]*\))$/.test(path.template.slice(collection.length)),
  )
  const site = endpoint === undefined ? undefined : siteOf(endpoint)
  if (site === undefined || item === undefined) return undefined
  const { rows, end } = await listPages({ method: 'GET', path: site.path }, send, origin, { pages: 1_000 })
  if (end !== 'complete') return undefined
  return rows.filter(row => JSON.stringify(row).includes(mark)).flatMap(row => siteOf(item, { site, row })?.path ?? [])
}

/**
 * Deletes an item, with its entity tag if the service requires one.
 *
 * @returns why it still exists; absent if it is gone
 */
export async function deleteItem(
  path: string,
  send: (request: TestRequest) => Promise<TestResponse>,
): Promise<string | undefined> {
  const response = await send({ method: 'DELETE', path })
  if (response.status !== 428) return reasonNotDeleted(response)
  const { headers } = await send({ method: 'GET', path })
  return reasonNotDeleted(await send({ method: 'DELETE', path, headers: { 'if-match': headers['etag'] ?? '*' } }))
}

function reasonNotDeleted({ status, transportError }: TestResponse): string | undefined {
  const isGone = (status >= 200 && status <= 299) || status === 404 || status === 410
  return isGone ? undefined : (transportError ?? `DELETE returned ${status}`)
}
