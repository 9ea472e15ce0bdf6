import type { EntityType, Service } from '../../spec/language/index.js'
import { siteOf, templatePattern } from '../discover/site.js'
import type { TestRequest, TestResponse } from '../http/message.js'
import { openTarget } from '../http/sender.js'
import { BudgetExhausted, createTransport } from '../http/transport.js'
import type { ConformanceOptions } from '../options.js'
import { listPages } from '../session/session.js'
import type { ReadJournal } from './journal.js'
import {
  canDelete,
  isItemPath,
  isItemTemplate,
  markPropertyOf,
  ownershipOf,
  type Provenance,
  type RunLedger,
  restoreItem,
} from './ledger.js'

/**
 * Gives changed items their old values back. Deletes what a run created, the newest items first, and items whose creation
 * is uncertain. Reports what it cannot restore, find or delete, and does not throw if the service fails.
 *
 * @returns the addresses of items that remain or are changed, and of collections that may contain some
 */
export async function cleanUp(
  ledger: Pick<RunLedger, 'remaining' | 'changed' | 'markRemoved' | 'mark' | 'uncertainCollections'>,
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
  const remove = (path: string, provenance?: Provenance): Promise<void> =>
    attempt(path, async () => {
      const why = provenance === undefined ? undefined : await reasonNotOurs(path, provenance, search.send)
      if (why === gone || (why ?? (await deleteItem(path, search.send))) === undefined) ledger.markRemoved(path)
      else leftovers.add(path)
    })
  for (const { path, before } of ledger.changed()) {
    await attempt(`${path} (changed)`, async () => {
      const names = await restoreItem({ path, before }, search.send)
      const values = Object.fromEntries(names.map(name => [name, before[name] ?? null]))
      if (names.length > 0) leftovers.add(`${path} (changed; before: ${JSON.stringify(values)})`)
    })
  }
  for (const { path, provenance } of ledger.remaining()) {
    if (canDelete(path, search.service)) await remove(path, provenance)
    else leftovers.add(path)
  }
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

const gone = 'it is gone'

/** Why an item must not be deleted, or `gone`. Undefined if a read shows that the run created it. */
async function reasonNotOurs(
  path: string,
  provenance: Provenance,
  send: MarkSearch['send'],
): Promise<string | undefined> {
  const response = await send({ method: 'GET', path })
  switch (ownershipOf(response, provenance)) {
    case 'ours':
      return undefined
    case 'missing':
      return gone
    case 'other':
      return 'another item is there now'
    case 'unknown':
      return response.transportError ?? `GET returned ${response.status} and does not show whose item it is`
  }
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
  // Whoever wrote the journal must not decide which values an item of the user gets.
  for (const { path, before } of journal.changed) {
    left.push({ path, why: `the run changed it; set it back yourself, to ${JSON.stringify(before)}` })
  }
  for (const { path, collection, mark } of journal.left) {
    const type = isJournalMark(mark) ? createdType(collection, service) : undefined
    if (type === undefined || (path !== undefined && !(isItemPath(path, collection) && canDelete(path, service)))) {
      left.push({ path: path ?? collection, why: 'the spec declares no item there that a run can create and delete' })
      continue
    }
    if (path !== undefined) {
      const isGone = await attempt(path, async () => {
        const provenance = {
          type,
          mark,
          ...(markPropertyOf(type) === undefined ? { key: keyIn(path, collection) } : {}),
        }
        const why = await reasonNotOurs(path, provenance, send)
        return why === gone ? undefined : (why ?? deleteItem(path, send))
      })
      if (isGone) removed.push(path)
      continue
    }
    let paths: readonly string[] = []
    await attempt(collection, async () => {
      const found = await markedPaths(collection, mark, search)
      paths = found ?? []
      return found === undefined ? `it could not be searched for items with ${mark} in their text` : undefined
    })
    for (const each of paths) if (await attempt(each, () => deleteItem(each, send))) removed.push(each)
  }
  return { removed, left }
}

/** Whether a text can be the mark of a run: a short one may be part of any text. */
function isJournalMark(mark: string): boolean {
  return /^sw-[0-9a-z]{14}$/.test(mark)
}

/** The type of the items that are created at a path. Undefined if it is no path of a create endpoint. */
function createdType(collection: string, { endpoints }: Service): EntityType | undefined {
  const isPlain = collection.split('/').every((segment, index) => index === 0 || isItemPath(`/${segment}`, ''))
  const endpoint = isPlain
    ? endpoints.find(each => each.kind === 'create' && templatePattern(each.path.template).test(collection))
    : undefined
  return endpoint?.kind === 'create' ? endpoint.type : undefined
}

/** The key in the path of an item, for types whose items cannot carry a mark. */
function keyIn(path: string, collection: string): string {
  const segment = path.slice(collection.length).replace(/^\/|^\(|\)$/g, '')
  return decodeURIComponent(segment).replace(/^'(.*)'$/, '$1')
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
    ({ kind, path }) => kind === 'delete' && isItemTemplate(path.template, collection),
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
  const read = (): Promise<TestResponse> => send({ method: 'GET', path })
  let response = await send({ method: 'DELETE', path })
  if (response.status === 428) {
    const { headers } = await read()
    response = await send({ method: 'DELETE', path, headers: { 'if-match': headers['etag'] ?? '*' } })
  }
  const why = reasonNotDeleted(response)
  if (why === undefined || response.transportError !== undefined) return why
  // A delete may remove the item although it gets an error.
  const { status } = await read()
  return status === 404 || status === 410 ? undefined : why
}

function reasonNotDeleted({ status, transportError }: TestResponse): string | undefined {
  const isGone = (status >= 200 && status <= 299) || status === 404 || status === 410
  return isGone ? undefined : (transportError ?? `DELETE returned ${status}`)
}
