import type { Service } from '../../spec/language/index.js'
import type { Discovery } from '../discover/discover.js'
import { isSamePath, type Site, siteOf } from '../discover/site.js'
import type { TestRequest, TestResponse } from '../http/message.js'
import { isRow } from '../json.js'
import type { Ledger, Session } from '../session/session.js'
import type { Journal } from './journal.js'

/** Items that one run creates at most. */
const maxItems = 200

/** A ledger, and what the engine alone may know of it. */
export interface RunLedger extends Ledger {
  /** What is still there, the newest first. */
  readonly remaining: () => readonly { readonly number: number; readonly path: string }[]
  /** Collections to which a create was sent whose answer does not tell what became of it. */
  readonly uncertainCollections: () => readonly string[]
}

/**
 * Creates through `ask` and notes everything in the journal, before and after.
 *
 * @param wasThere whether an item was there before the run began: a service that answers a create with one of these has
 *   made nothing of ours
 */
export function createLedger(
  session: Pick<Session, 'service'>,
  ask: (ask: TestRequest) => Promise<TestResponse>,
  journal: Journal,
  mark: string,
  root: string,
  wasThere: (path: string) => boolean,
): RunLedger {
  const items = new Map<string, number>()
  const gone = new Set<string>()
  const unsure = new Set<string>()
  let count = 0
  return {
    mark,
    create: async (site, body) => {
      const number = ++count
      journal.creating({ number, path: site.path, mark })
      const answer = await ask({ method: 'POST', path: site.path, body })
      const path = itemPath(answer, site, session, root)
      if (path === undefined || wasThere(path)) {
        if (answer.transportError === undefined && answer.status >= 400 && answer.status < 500) journal.gone({ number })
        else unsure.add(site.path)
        return { answer }
      }
      items.set(path, number)
      // A key may be given again once its item is gone.
      gone.delete(path)
      journal.created({ number, path })
      return { answer, path }
    },
    markRemoved: path => {
      const number = items.get(path)
      if (number === undefined || gone.has(path)) return
      gone.add(path)
      journal.gone({ number })
    },
    isOwned: path => items.has(path),
    uncertainCollections: () => [...unsure],
    mayCreate: () => count < maxItems,
    remaining: () =>
      [...items]
        .filter(([path]) => !gone.has(path))
        .map(([path, number]) => ({ number, path }))
        .reverse(),
  }
}

/**
 * The address, below the root, of what a create made: from the key in its answer, or else from `Location`. Absent when
 * neither tells it, or nothing was made.
 */
function itemPath(
  answer: TestResponse,
  site: Site,
  { service }: Pick<Session, 'service'>,
  root: string,
): string | undefined {
  if (answer.status < 200 || answer.status > 299) return undefined
  const prefix = site.endpoint.resolved
  if (isRow(answer.json)) {
    for (const kind of ['delete', 'item', 'update'] as const) {
      const endpoint = service.endpoints.find(
        each => each.kind === kind && each.resolved.length === prefix.length + 1 && leadsFrom(each.path.template, site),
      )
      const found = endpoint === undefined ? undefined : siteOf(endpoint, { site, row: answer.json })
      if (found !== undefined) return found.path
    }
  }
  const { location } = answer.headers
  if (location === undefined || !URL.canParse(location, `${root}/`)) return undefined
  const { href } = new URL(location, `${root}/`)
  return href.startsWith(`${root}/`) ? href.slice(root.length) : undefined
}

/** Whether a template is that of a site's collection, and a key. */
function leadsFrom(template: string, site: Site): boolean {
  const { template: collection } = site.endpoint.path
  return template.startsWith(collection) && /^(?:\/\{[^/}]+\}|\([^/]*\))$/.test(template.slice(collection.length))
}

const known = new WeakMap<Discovery, ReadonlySet<string>>()

/** Addresses, below the root, of all items that were there when the collections were first read. */
export function harvestedPaths(service: Service, found: Discovery): ReadonlySet<string> {
  const before = known.get(found)
  if (before !== undefined) return before
  const paths = new Set<string>()
  for (const { snapshot } of found.harvests.values()) {
    const { site, rows } = snapshot
    const items = service.endpoints.filter(({ resolved }) => isSamePath(resolved.slice(0, -1), site.endpoint.resolved))
    for (const row of rows) {
      for (const endpoint of items) {
        const path = siteOf(endpoint, { site, row })?.path
        if (path !== undefined) paths.add(path)
      }
    }
  }
  known.set(found, paths)
  return paths
}
