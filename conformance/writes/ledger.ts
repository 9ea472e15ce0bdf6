import type { Service } from '../../spec/language/index.js'
import type { Discovery } from '../discover/discover.js'
import { isSamePath, type Site, siteOf } from '../discover/site.js'
import type { TestRequest, TestResponse } from '../http/message.js'
import { isRow } from '../json.js'
import type { Ledger, Session } from '../session/session.js'
import type { Journal } from './journal.js'

/** Maximum number of items per run. */
const maxItems = 200

/** A ledger, with what only the engine may know. */
export interface RunLedger extends Ledger {
  /** The remaining items, the newest first. */
  readonly remaining: () => readonly { readonly number: number; readonly path: string }[]
  /** Collections with a create request whose outcome is unknown. */
  readonly uncertainCollections: () => readonly string[]
}

/**
 * Creates items through `ask`, and records each one in the journal before and after.
 *
 * @param wasThere whether an item existed before the run; if a create returns such an item, it created nothing
 */
export function createLedger(
  session: Pick<Session, 'service'>,
  ask: (request: TestRequest) => Promise<TestResponse>,
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
      const response = await ask({ method: 'POST', path: site.path, body })
      const path = itemPath(response, site, session, root)
      if (path === undefined || wasThere(path)) {
        if (response.transportError === undefined && response.status >= 400 && response.status < 500)
          journal.gone({ number })
        else unsure.add(site.path)
        return { response }
      }
      items.set(path, number)
      // A service may reuse the key of a deleted item.
      gone.delete(path)
      journal.created({ number, path })
      return { response, path }
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
 * The path of a created item, relative to the root: from the key in the response, or else from `Location`. Absent if
 * neither reveals it, or nothing was created.
 */
function itemPath(
  response: TestResponse,
  site: Site,
  { service }: Pick<Session, 'service'>,
  root: string,
): string | undefined {
  if (response.status < 200 || response.status > 299) return undefined
  const prefix = site.endpoint.resolved
  if (isRow(response.json)) {
    for (const kind of ['delete', 'item', 'update'] as const) {
      const endpoint = service.endpoints.find(
        each => each.kind === kind && each.resolved.length === prefix.length + 1 && leadsFrom(each.path.template, site),
      )
      const found = endpoint === undefined ? undefined : siteOf(endpoint, { site, row: response.json })
      if (found !== undefined) return found.path
    }
  }
  const { location } = response.headers
  if (location === undefined || !URL.canParse(location, `${root}/`)) return undefined
  const { href } = new URL(location, `${root}/`)
  return href.startsWith(`${root}/`) ? href.slice(root.length) : undefined
}

/** Whether a template is that of the site's collection plus a key. */
function leadsFrom(template: string, site: Site): boolean {
  const { template: collection } = site.endpoint.path
  return template.startsWith(collection) && /^(?:\/\{[^/}]+\}|\([^/]*\))$/.test(template.slice(collection.length))
}

const known = new WeakMap<Discovery, ReadonlySet<string>>()

/** The paths, relative to the root, of all items that existed when the collections were first read. */
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
