import { createHash } from 'node:crypto'
import type { TypeTable } from '../../runtime/query/index.js'
import type { EntityType, Service } from '../../spec/language/index.js'
import type { Choices } from '../choices/choices.js'
import type { Site, Snapshot } from '../discover/site.js'
import type { Credential } from '../http/credentials.js'
import type { TestRequest, TestResponse } from '../http/message.js'
import { isRow, type Json, type Row } from '../json.js'

/** What rules and calibrators work with: the service under test, as far as it is known. */
export interface Session {
  /** Identifies the run. All sessions of a run have the same object, so that caches can be kept under it. */
  readonly run: object
  readonly service: Service
  readonly types: TypeTable
  /** Every endpoint at the addresses that discovery found, in the order of the spec. */
  readonly sites: readonly Site[]
  readonly choices: Choices
  /** Invalid credentials that resemble the configured one. */
  readonly nearValidCredentials: readonly Credential[]
  /** Which query constructs each endpoint has answered or rejected. */
  readonly support: Support
  /** Present if writes are allowed. It tracks the created items. */
  readonly ledger?: Ledger
  /** The harvested rows of a collection; absent if it could not be read. */
  readonly snapshot: (site: Site) => Snapshot | undefined
  /**
   * Sends one request, within the rate limit and after any `Retry-After` delay.
   *
   * @throws {BudgetExhausted} if no requests are left; rules must not catch it
   */
  readonly send: (request: TestRequest) => Promise<TestResponse>
  /** Ids of bug models that the planner ignores. */
  readonly excludedBugModels: ReadonlySet<string>
  /** Requests a list and follows its next links with the same headers. */
  readonly list: (request: TestRequest, limit?: ListLimit) => Promise<Listing>
  /**
   * Identifies the current data of these types, or of all types. The object changes after each write and whenever the
   * engine confirms a suspected violation. Rules cache what they read under it.
   */
  readonly dataVersion: (...types: readonly (EntityType | undefined)[]) => object
  readonly requestsLeft: () => number
  /** The same session for reads that are cached for all checks. Their requests count for no check. */
  readonly forCache: Session
  /** The longest time, in milliseconds, until a write was visible in reads; 0 until learned. */
  readonly visibilityDelay: () => number
}

export interface ListLimit {
  readonly pages?: number
  readonly rows?: number
}

/** A list with its pages. */
export interface Listing {
  /** The rows of all pages, in order. */
  readonly rows: readonly Row[]
  readonly pages: readonly TestResponse[]
  /**
   * `complete`: the last page had no next link. `truncated`: the limit was reached. `rejected`: the first response was
   * an error. `broken`: a later page failed or was not a page; the last element of `pages` shows it. `endless`: a link
   * was repeated, or the pages stopped bringing new rows. `crossOrigin`: a link leads to another origin or is invalid,
   * and was not followed.
   */
  readonly end: 'complete' | 'truncated' | 'rejected' | 'broken' | 'endless' | 'crossOrigin'
}

/** A stream that a request sends, as text in UTF-8. */
interface StreamText {
  readonly mediaType: string
  readonly text: string
  /** In how many chunks it is sent. Default: as a whole, with its length. */
  readonly chunks?: number
}

/** Creates items and tracks them until they are deleted. The suite never changes or deletes anything else. */
export interface Ledger {
  /** The marker of this run: a short text in a string property of each created item. */
  readonly mark: string
  /**
   * Creates an item. The journal records it before the request goes out.
   *
   * @param site a create endpoint
   * @param stream sent instead of the body, to create a media entity
   * @returns the response, and the path of the new item if the response reveals it
   */
  readonly create: (
    site: Site,
    body: Json,
    stream?: StreamText,
  ) => Promise<{ readonly response: TestResponse; readonly path?: string }>
  /**
   * Sends an update that may create the item at its path, where no item is. The journal records it before the request goes
   * out.
   *
   * @param site the create endpoint of the collection
   * @returns the response, and the path of the new item if there is one: by its key, if the response reveals it
   */
  readonly upsert: (
    site: Site,
    request: TestRequest,
  ) => Promise<{ readonly response: TestResponse; readonly path?: string }>
  /** Records that a collection may contain items of this run that are not recorded: clean-up searches it for the mark. */
  readonly recordUncertain: (site: Site) => void
  /** Whether a create in a collection may have made an item, although its response shows neither the item nor a refusal. */
  readonly isUncertain: (site: Site) => boolean
  /** Records that an item no longer exists. */
  readonly markRemoved: (path: string) => void
  /**
   * Whether this run created the item at a path. A read must have shown its mark, or its key. Only such items may be
   * changed or deleted.
   */
  readonly isOwned: (path: string) => Promise<boolean>
  /** Whether the run may change the item at a path: it has created the item, or announced the change with `change`. */
  readonly mayUpdate: (path: string) => Promise<boolean>
  /** Whether the run may change existing items that no endpoint creates, and restore them. */
  readonly mayChange: boolean
  /**
   * Announces changes of an item that the run did not create. The journal records it first.
   *
   * @param before the values of all properties that may change
   */
  readonly change: (path: string, before: Readonly<Record<string, Json>>) => Promise<void>
  /** Gives a changed item its old values back. If the service does not take them, the report lists the item. */
  readonly restore: (path: string) => Promise<void>
  /** Takes note of a response: a read of a created item shows that it is the created one. */
  readonly observe: (response: TestResponse) => void
  /** Whether this run created the item at a path, or the item above it. */
  readonly hasCreated: (path: string) => boolean
  /** The number of items and collections where a write of this run is not undone, or may not be. */
  readonly pending: () => number
  /** Whether items that cannot be deleted may be created. */
  readonly mayLeave: boolean
  /** Whether the run may create more items at a create endpoint. */
  readonly mayCreate: (site: Site) => boolean
}

/**
 * Which constructs each endpoint has answered. Not every endpoint supports every option, and a service may reject what
 * the spec calls optional.
 */
export interface Support {
  /** Records that a query with these constructs was answered. */
  readonly recordAccepted: (site: Site, constructs: readonly string[]) => void
  /** Records that a query with these constructs was rejected with a well-formed error. */
  readonly recordRejected: (site: Site, constructs: readonly string[]) => void
  /** False if a query with a subset of these constructs was rejected. */
  readonly maySend: (site: Site, constructs: readonly string[]) => boolean
  /** Whether a query with this construct was answered before. */
  readonly isSupported: (site: Site, construct: string) => boolean
}

/** Pages at the start of a list whose bodies are kept. */
const bodiesKept = 3
/** A list counts as endless after this many consecutive pages without new rows, plus one for each distinct row. */
const maxIdlePages = 25

/**
 * Requests a list and follows its next links with the same headers; links carry query options, but no headers.
 *
 * @param origin links to another origin are not followed, because the credential would go with them
 */
export async function listPages(
  request: TestRequest,
  send: (request: TestRequest) => Promise<TestResponse>,
  origin: string,
  limit: ListLimit,
): Promise<Listing> {
  const pages: TestResponse[] = []
  const rows: Row[] = []
  const links = new Set<string>()
  const seen = new Set<string>()
  let idle = 0
  let next = request
  for (;;) {
    const response = await send(next)
    const last = pages.at(-1)
    // The bodies of middle pages would take most of the memory.
    if (last !== undefined && pages.length > bodiesKept) pages[pages.length - 1] = { ...last, text: '' }
    pages.push(response)
    const page = pageOf(response)
    if (page === undefined) return { rows, pages, end: endOf(response, pages.length) }
    for (const row of page.rows) rows.push(row)
    if (page.nextLink === undefined) return { rows, pages, end: 'complete' }
    const before = seen.size
    for (const row of page.rows) seen.add(createHash('md5').update(JSON.stringify(row)).digest('base64'))
    idle = seen.size === before ? idle + 1 : 0
    const path = resolveNextLink(page.nextLink, response.request.url, origin)
    if (path === undefined) return { rows, pages, end: 'crossOrigin' }
    if (links.has(path) || idle >= maxIdlePages + seen.size) return { rows, pages, end: 'endless' }
    links.add(path)
    if (pages.length >= (limit.pages ?? Number.POSITIVE_INFINITY)) return { rows, pages, end: 'truncated' }
    if (rows.length >= (limit.rows ?? Number.POSITIVE_INFINITY)) return { rows, pages, end: 'truncated' }
    next = { method: 'GET', path, ...(request.headers === undefined ? {} : { headers: request.headers }) }
  }
}

function endOf({ status, transportError }: TestResponse, pages: number): Listing['end'] {
  return pages === 1 && transportError === undefined && status >= 400 ? 'rejected' : 'broken'
}

function resolveNextLink(link: string, base: string, origin: string): string | undefined {
  if (!URL.canParse(link, base)) return undefined
  const url = new URL(link, base)
  return url.origin === origin ? url.href : undefined
}

/** One page of a list. */
interface Page {
  readonly rows: readonly Row[]
  /** Unchanged. */
  readonly nextLink?: string
}

/** The page in a response; absent if the response is not a page. */
export function pageOf({ status, json }: TestResponse): Page | undefined {
  if (status !== 200 || !isRow(json)) return undefined
  const { value } = json
  if (!Array.isArray(value) || !value.every(isRow)) return undefined
  const link = json['@odata.nextLink'] ?? json['@nextLink']
  return { rows: value, ...(typeof link === 'string' && link !== '' ? { nextLink: link } : {}) }
}

/** The minimum for any list. */
const minPages = 20

/**
 * The maximum number of pages to read of one list: a share of the remaining requests, because a list may be endless.
 *
 * @param share from 0 to 1
 */
export function pageLimit(requestsLeft: number, share: number): number {
  return Math.max(minPages, Math.ceil(requestsLeft * share))
}

/** The reason for not following a link: the credential would go along. */
export const crossOriginLink =
  'a link leads to another host and was not followed: check the service at the address that its links use'
