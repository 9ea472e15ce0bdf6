import type { Service } from '../../spec/language/index.js'
import { BudgetSpent } from '../budget-spent.js'
import { targetOf } from '../http/target.js'
import { createTransport } from '../http/transport.js'
import type { ConformanceOptions } from '../options.js'
import { markedPaths } from './marked-paths.js'
import type { ReadJournal } from './read-journal.js'
import { removePath } from './remove-path.js'

/** What was done about the items of a journal. */
export interface CleanedUp {
  readonly removed: readonly string[]
  /** What is still there, with the reason. */
  readonly left: readonly { readonly path: string; readonly why: string }[]
}

export interface CleanUpOptions extends Pick<ConformanceOptions, 'token' | 'headers' | 'timeout' | 'rate'> {
  readonly service: Service
  readonly target: string
  readonly journal: ReadJournal
}

/** Removes what a run that could not do so itself has left over: by address, or by the mark that its texts carry. */
export async function cleanUpJournal(options: CleanUpOptions): Promise<CleanedUp> {
  const { service, journal } = options
  const target = targetOf(options.target, service.version)
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
    const why = await work().catch(spentWhy)
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
    for (const each of paths ?? []) if (await attempt(each, () => removePath(each, send))) removed.push(each)
  }
  return { removed, left }
}

/** Why there was no request any more. */
function spentWhy(error: unknown): string {
  if (error instanceof BudgetSpent) return error.why ?? `no ${error.spent} left`
  throw error
}
