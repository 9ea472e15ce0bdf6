import type { Service } from '../../spec/language/index.js'
import type { Discovery } from '../discover/discover.js'
import { isSamePath, keyOf, type Site, siteOf, templatePattern } from '../discover/site.js'
import type { TestRequest, TestResponse } from '../http/message.js'
import { pause } from '../http/rate-limiter.js'
import { isRow } from '../json.js'
import type { Ledger, Session } from '../session/session.js'
import { createdPath } from './created-path.js'
import type { Journal } from './journal.js'
import { type Ownership, ownershipOf, type Provenance } from './ownership.js'

/** Maximum number of items per run: this many, or more if the service has many endpoints that create. */
const usualMaxItems = 250
const itemsPerEndpoint = 6
/** Maximum number of refused creates per run. */
const maxRefused = 250
/** Maximum number of items that remain, per create endpoint. */
const maxLeft = 8

/** A created item that may still exist. */
export interface RemainingItem {
  readonly number: number
  readonly path: string
  readonly provenance: Provenance
}

/** A ledger, with what only the engine may know. */
export interface RunLedger extends Ledger {
  /** The remaining items, the newest first. */
  readonly remaining: () => readonly RemainingItem[]
  /** Collections with a create request whose outcome is unknown. */
  readonly uncertainCollections: () => readonly string[]
}

export interface LedgerOptions {
  readonly journal: Journal
  /** The text in the items of the run. */
  readonly mark: string
  /** The address of the service, without a trailing slash. */
  readonly root: string
  /** Whether an item existed before the run; if a create returns such an item, it created nothing. */
  readonly wasThere: (path: string) => boolean
  /** Whether items that cannot be deleted may be created. */
  readonly mayLeave?: boolean
}

interface LedgerEntry extends RemainingItem {
  /** A read has shown that the item is the one that the run created. */
  isVerified: boolean
}

/** Creates items through `ask`, and records each one in the journal before and after. */
export function createLedger(
  { service }: Pick<Session, 'service'>,
  ask: (request: TestRequest) => Promise<TestResponse>,
  { journal, mark, root, wasThere, mayLeave = false }: LedgerOptions,
): RunLedger {
  const items = new Map<string, LedgerEntry>()
  const gone = new Set<string>()
  const unsure = new Set<string>()
  const left = new Map<string, number>()
  const creating = service.endpoints.filter(({ kind }) => kind === 'create' || kind === 'createMedia').length
  const maxItems = Math.max(usualMaxItems, creating * itemsPerEndpoint)
  let count = 0
  let refused = 0
  const leftAt = ({ endpoint }: Site): number => left.get(endpoint.name) ?? 0
  return {
    mark,
    mayLeave,
    create: async (site, body, stream) => {
      const number = ++count
      journal.creating({ number, path: site.path, mark })
      const content =
        stream === undefined ? { body } : { rawBody: stream.text, headers: { 'content-type': stream.mediaType } }
      const response = await ask({ method: 'POST', path: site.path, ...content })
      const path = createdPath(response, site, service, root)
      const { endpoint } = site
      const type = endpoint.kind === 'create' || endpoint.kind === 'createMedia' ? endpoint.type : undefined
      if (path === undefined || type === undefined || wasThere(path)) {
        if (response.transportError === undefined && response.status >= 400 && response.status < 500) {
          refused++
          journal.gone({ number })
        } else unsure.add(site.path)
        return { response }
      }
      const key = isRow(response.json) ? keyOf(response.json, type) : undefined
      const provenance = { type, mark, ...(key === undefined ? {} : { key }) }
      items.set(path, { number, path, provenance, isVerified: false })
      if (!canDelete(path, service)) left.set(site.endpoint.name, leftAt(site) + 1)
      // A service may reuse the key of a deleted item.
      gone.delete(path)
      journal.created({ number, path })
      return { response, path }
    },
    markRemoved: path => {
      const item = items.get(path)
      if (item === undefined || gone.has(path)) return
      gone.add(path)
      journal.gone({ number: item.number })
    },
    observe: response => {
      if (response.request.method !== 'GET' || response.status !== 200) return
      const item = items.get(response.testRequest.path)
      if (item !== undefined && ownershipOf(response, item.provenance) === 'ours') item.isVerified = true
    },
    isOwned: async path => {
      const item = items.get(path)
      if (item === undefined || gone.has(path)) return false
      item.isVerified ||= (await readOwnership(item, ask)) === 'ours'
      return item.isVerified
    },
    recordUncertain: ({ path }) => void unsure.add(path),
    uncertainCollections: () => [...unsure],
    mayCreate: site => count - refused < maxItems && refused < maxRefused && leftAt(site) < maxLeft,
    remaining: () => [...items.values()].filter(({ path }) => !gone.has(path)).reverse(),
  }
}

/** Whether the spec declares that the item at a path can be deleted. */
export function canDelete(path: string, { endpoints }: Pick<Service, 'endpoints'>): boolean {
  return endpoints.some(each => each.kind === 'delete' && templatePattern(each.path.template).test(path))
}

/** Delays in milliseconds before a new item is read again, if it is not there yet. */
const retryDelays = [50, 300]

async function readOwnership(
  { path, provenance }: RemainingItem,
  ask: (request: TestRequest) => Promise<TestResponse>,
): Promise<Ownership> {
  let ownership = ownershipOf(await ask({ method: 'GET', path }), provenance)
  for (const delay of retryDelays) {
    if (ownership !== 'missing') break
    await pause(delay)
    ownership = ownershipOf(await ask({ method: 'GET', path }), provenance)
  }
  return ownership
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
