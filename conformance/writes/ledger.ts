import { type EntityType, isSamePath, type Property, type Service } from '../../spec/language/index.js'
import type { Discovery } from '../discover/discover.js'
import { keyOf, type Site, siteOf, templatePattern } from '../discover/site.js'
import type { TestRequest, TestResponse } from '../http/message.js'
import { pause } from '../http/sender.js'
import { isRow, type Json } from '../json.js'
import { primitiveOf } from '../lists/properties.js'
import { isAssumed } from '../lists/type-mismatch.js'
import type { Ledger, Session } from '../session/session.js'
import type { ChangedItem, Journal } from './journal.js'

/** Maximum number of items per run: this many, or more if the service has many endpoints that create. */
const usualMaxItems = 250
const itemsPerEndpoint = 6
/** Maximum number of refused creates per run. */
const maxRefused = 250
/** Maximum number of items that remain, per create endpoint. */
const maxLeft = 8

/** A created item that may still exist. */
interface RemainingItem {
  readonly number: number
  readonly path: string
  readonly provenance: Provenance
}

/** A ledger, with what only the engine may know. */
export interface RunLedger extends Ledger {
  /** The remaining items, the newest first. */
  readonly remaining: () => readonly RemainingItem[]
  /** Existing items that the run has changed, and that do not have their old values yet. */
  readonly changed: () => readonly ChangedItem[]
  /** Collections with a create request whose outcome is unknown. */
  readonly uncertainCollections: () => readonly string[]
}

interface LedgerOptions {
  readonly journal: Journal
  /** The text in the items of the run. */
  readonly mark: string
  /** The address of the service, without a trailing slash. */
  readonly root: string
  /** Whether an item existed before the run; if a create returns such an item, it created nothing. */
  readonly wasThere: (path: string) => boolean
  /** Whether items that cannot be deleted may be created. */
  readonly mayLeave?: boolean
  /** Whether existing items that no endpoint creates may be changed. */
  readonly mayChange?: boolean
}

interface LedgerEntry extends RemainingItem {
  /** A read has shown that the item is the one that the run created. */
  isVerified: boolean
}

/** Creates items through `ask`, and records each one in the journal before and after. */
export function createLedger(
  { service }: Pick<Session, 'service'>,
  ask: (request: TestRequest) => Promise<TestResponse>,
  { journal, mark, root, wasThere, mayLeave = false, mayChange = false }: LedgerOptions,
): RunLedger {
  const items = new Map<string, LedgerEntry>()
  const gone = new Set<string>()
  const unsure = new Set<string>()
  const unanswered = new Set<string>()
  const changed = new Map<string, ChangedItem>()
  const left = new Map<string, number>()
  const creating = service.endpoints.filter(({ kind }) => kind === 'create' || kind === 'createMedia').length
  const maxItems = Math.max(usualMaxItems, creating * itemsPerEndpoint)
  let count = 0
  let refused = 0
  const leftAt = ({ endpoint }: Site): number => left.get(endpoint.name) ?? 0
  const send = async (
    site: Site,
    request: TestRequest,
    pathOf: (response: TestResponse) => string | undefined,
  ): Promise<{ readonly response: TestResponse; readonly path?: string }> => {
    const number = ++count
    journal.creating({ number, path: site.path, mark })
    const response = await ask(request)
    const path = pathOf(response)
    const { endpoint } = site
    const type = endpoint.kind === 'create' || endpoint.kind === 'createMedia' ? endpoint.type : undefined
    if (path === undefined || type === undefined || wasThere(path)) {
      if (response.transportError === undefined && response.status >= 400 && response.status < 500) {
        refused++
        journal.gone({ number })
      } else {
        unsure.add(site.path)
        unanswered.add(site.path)
      }
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
  }
  const isOwned = async (path: string): Promise<boolean> => {
    const item = items.get(path)
    if (item === undefined || gone.has(path)) return false
    item.isVerified ||= (await readOwnership(item, ask)) === 'ours'
    return item.isVerified
  }
  return {
    mark,
    mayLeave,
    mayChange,
    create: (site, body, stream) => {
      const content =
        stream === undefined ? { body } : { rawBody: stream.text, headers: { 'content-type': stream.mediaType } }
      const chunks = stream?.chunks === undefined ? {} : { chunks: stream.chunks }
      return send(site, { method: 'POST', path: site.path, ...content, ...chunks }, response =>
        createdPath(response, site, service, root),
      )
    },
    upsert: (site, request) => {
      const isCreated = ({ status }: TestResponse): boolean => status >= 200 && status < 300
      return send(site, request, response => {
        if (!isCreated(response)) return undefined
        if (canDelete(request.path, service)) return request.path
        return createdPath(response, site, service, root) ?? request.path
      })
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
    isOwned,
    mayUpdate: async path => changed.has(path) || (await isOwned(path)),
    change: async (path, before) => {
      // The values before the first change count, if the item could not be restored since.
      const item = changed.get(path) ?? { number: ++count, path, before }
      if (!changed.has(path)) journal.changing(item)
      changed.set(path, item)
    },
    restore: async path => {
      const item = changed.get(path)
      if (item === undefined || (await restoreItem(item, ask)).length > 0) return
      changed.delete(path)
      journal.gone({ number: item.number })
    },
    hasCreated: path => [...items.keys()].some(own => path === own || path.startsWith(`${own}/`)),
    pending: () => items.size - gone.size + changed.size + unsure.size,
    changed: () => [...changed.values()],
    recordUncertain: ({ path }) => void unsure.add(path),
    isUncertain: ({ path }) => unanswered.has(path),
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

/**
 * The path of a created item, relative to the root: from the key in the response, or else from `Location`. Absent if
 * neither reveals it, or nothing was created. A path is never more than the collection and one key: the suite deletes
 * what is there.
 *
 * @param root address of the service, without a trailing slash
 */
function createdPath(
  response: TestResponse,
  site: Site,
  service: Pick<Service, 'endpoints'>,
  root: string,
): string | undefined {
  if (response.status < 200 || response.status > 299) return undefined
  const prefix = site.endpoint.resolved
  if (isRow(response.json)) {
    for (const kind of ['delete', 'item', 'update'] as const) {
      const endpoint = service.endpoints.find(
        each =>
          each.kind === kind &&
          each.resolved.length === prefix.length + 1 &&
          isItemTemplate(each.path.template, site.endpoint.path.template),
      )
      const found = endpoint === undefined ? undefined : siteOf(endpoint, { site, row: response.json })
      if (found !== undefined) return found.path
    }
  }
  return pathOfLocation(response.headers['location'], site.path, root)
}

/** Whether a path template is that of a collection plus a key: `/things/{id}` or `/things(id={id})`. */
export function isItemTemplate(template: string, collection: string): boolean {
  return template.startsWith(collection) && /^(?:\/\{[^/}]+\}|\([^/]*\))$/.test(template.slice(collection.length))
}

/**
 * The path that a `Location` names, relative to the root. Absent if it is not an item directly in the collection: on
 * another host, with a query, or with a key that some server may read as several segments.
 *
 * @param collection path of the collection, relative to the root
 */
export function pathOfLocation(location: string | undefined, collection: string, root: string): string | undefined {
  if (location === undefined || !URL.canParse(location, `${root}${collection}`)) return undefined
  const url = new URL(location, `${root}${collection}`)
  if (url.origin !== new URL(root).origin || url.username !== '' || url.password !== '') return undefined
  if (url.search !== '' || url.hash !== '' || !url.href.startsWith(`${root}/`)) return undefined
  const path = url.href.slice(root.length)
  return isItemPath(path, collection) ? path : undefined
}

/** Whether a path is a collection's plus one key, in any reading of its escapes. */
export function isItemPath(path: string, collection: string): boolean {
  if (!path.startsWith(collection)) return false
  const [, segment, predicate] = /^(?:\/([^/()?#\\]+)|\(([^/()?#\\]+)\))$/.exec(path.slice(collection.length)) ?? []
  const key = segment ?? predicate
  if (key === undefined) return false
  const read = decoded(key)
  // Escapes inside escapes: some servers decode twice.
  const again = read === undefined ? undefined : (decoded(read) ?? read)
  return [read, again].every(each => each !== undefined && isPlainKey(each))
}

function isPlainKey(key: string): boolean {
  return !/^\.{0,2}$/.test(key.trim()) && !/[/\\?#\p{Cc}\p{Cs}]/u.test(key) && !key.startsWith('$')
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** By what to recognise an item that a run created. */
export interface Provenance {
  readonly type: EntityType
  /** The text that the run put into its items. */
  readonly mark: string
  /** The key in the response to the create. Absent if the response had none; then only the mark counts. */
  readonly key?: string
}

/**
 * What a read says about an item: `ours`: it carries the mark of the run, or the key that the service gave to what the
 * run created. `missing`: the item does not exist. `other`: somebody else's item. `unknown`: the read does not show it.
 */
type Ownership = 'ours' | 'missing' | 'other' | 'unknown'

export function ownershipOf(response: TestResponse, { type, mark, key }: Provenance): Ownership {
  const { status, json } = response
  if (response.transportError !== undefined) return 'unknown'
  if (status === 404 || status === 410) return 'missing'
  if (status !== 200 || !isRow(json)) return 'unknown'
  if (JSON.stringify(json).includes(mark)) return 'ours'
  const shown = keyOf(json, type)
  if (shown === undefined) return 'unknown'
  return key !== undefined && shown === key ? 'ours' : 'other'
}

/** Maximum length of the mark and the text after it. */
const markLength = 60

/** The string property of a type that carries the mark of a run. Undefined if no text is long enough. */
export function markPropertyOf(type: EntityType): Property | undefined {
  return type.properties.find(canCarryMark)
}

function canCarryMark(property: Property): boolean {
  const { type, collection, computed, pattern, maxLength = markLength, unique } = property
  if (collection || computed || unique || isAssumed(property)) return false
  if (pattern !== undefined || maxLength < markLength) return false
  return type.kind === 'primitive' && primitiveOf(type) === 'String'
}

/**
 * Gives an item its old values back: those that a read shows changed, and those that the read does not show.
 *
 * @returns the properties that have other values still
 */
export async function restoreItem(
  { path, before }: Pick<ChangedItem, 'path' | 'before'>,
  send: (request: TestRequest) => Promise<TestResponse>,
): Promise<readonly string[]> {
  const current = await send({ method: 'GET', path })
  const body = Object.entries(before).filter(([name, value]) => isChanged(name, value, current) !== false)
  if (body.length === 0) return []
  const patch = (entries: typeof body, headers: Readonly<Record<string, string>> = {}): Promise<TestResponse> =>
    send({ method: 'PATCH', path, headers, body: Object.fromEntries(entries) })
  let response = await patch(body)
  if (response.status === 428) response = await patch(body, { 'if-match': current.headers['etag'] ?? '*' })
  // One value that the service shows but does not take must not keep the others from their old values.
  if (response.status >= 400) for (const entry of body) await patch([entry])
  const changedStill = async (): Promise<typeof body> => {
    const after = await send({ method: 'GET', path })
    return Object.entries(before).filter(([name, value]) => isChanged(name, value, after) === true)
  }
  const left = await changedStill()
  if (left.length === 0 || response.status >= 400) return left.map(([name]) => name)
  // Some services take only some values of an update.
  for (const entry of left) await patch([entry])
  return (await changedStill()).map(([name]) => name)
}

/** Undefined if the response does not show the property. */
function isChanged(name: string, before: Json, { json }: TestResponse): boolean | undefined {
  if (!isRow(json) || !Object.hasOwn(json, name)) return undefined
  return JSON.stringify(json[name]) !== JSON.stringify(before)
}
