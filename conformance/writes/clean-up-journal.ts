import type { Service } from '../../spec/language/index.js'
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
  for (const { path, collection, mark } of journal.left) {
    const paths = path === undefined ? await markedPaths(collection, mark, search) : [path]
    if (paths === undefined) {
      left.push({ path: collection, why: `it could not be looked through for items with ${mark} in their text` })
    }
    for (const each of paths ?? []) {
      const why = await removePath(each, send)
      if (why === undefined) removed.push(each)
      else left.push({ path: each, why })
    }
  }
  return { removed, left }
}
