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
 * Deletes what a run created, the newest first, and what it may have created without being told. Never throws for a service
 * that is slow or away: what could not be deleted, or looked for, is told.
 *
 * @returns addresses of items that are still there, and collections that may hold some
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

/** What was done about the items of a journal. */
export interface CleanedUp {
  readonly removed: readonly string[]
  /** What is still there, with the reason. */
  readonly left: readonly { readonly path: string; readonly why: string }[]
}

interface CleanUpOptions extends Pick<ConformanceOptions, 'token' | 'headers' | 'timeout' | 'rate'> {
  readonly service: Service
  readonly target: string
  readonly journal: ReadJournal
}

/** Removes what a run that could not do so itself has left over: by address, or by the mark that its texts carry. */
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
        return paths === undefined ? `it could not be looked through for items with ${mark} in their text` : undefined
      })
    }
    for (const each of paths ?? []) if (await attempt(each, () => deleteItem(each, send))) removed.push(each)
  }
  return { removed, left }
}

/** Why there was no request any more. */
function exhaustedReason(error: unknown): string {
  if (error instanceof BudgetExhausted) return error.reason ?? `no ${error.budget} left`
  throw error
}

/** What is needed to look for items by their mark. */
interface MarkSearch {
  readonly service: Service
  readonly send: (ask: TestRequest) => Promise<TestResponse>
  readonly origin: string
}

/**
 * Addresses of the items of a collection in which the mark of a run stands: made by creates whose answers were lost. Absent
 * when the collection cannot be looked through to its end, or nothing can be deleted from it.
 *
 * @param collection path of the create endpoint, below the root
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
  if (end !== 'whole') return undefined
  return rows.filter(row => JSON.stringify(row).includes(mark)).flatMap(row => siteOf(item, { site, row })?.path ?? [])
}

/**
 * Deletes an item; where a service deletes only what the caller has seen, with the tag of the moment.
 *
 * @returns why it is still there; absent when it is gone
 */
export async function deleteItem(
  path: string,
  send: (ask: TestRequest) => Promise<TestResponse>,
): Promise<string | undefined> {
  const answer = await send({ method: 'DELETE', path })
  if (answer.status !== 428) return reasonNotDeleted(answer)
  const { headers } = await send({ method: 'GET', path })
  return reasonNotDeleted(await send({ method: 'DELETE', path, headers: { 'if-match': headers['etag'] ?? '*' } }))
}

function reasonNotDeleted({ status, transportError: trouble }: TestResponse): string | undefined {
  const isGone = (status >= 200 && status <= 299) || status === 404 || status === 410
  return isGone ? undefined : (trouble ?? `DELETE answered ${status}`)
}
