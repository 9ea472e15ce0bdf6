import type { TypeTable } from '../../runtime/query/index.js'
import type { EntityType, Service } from '../../spec/language/index.js'
import type { Choices } from '../choices/choices.js'
import type { Site, Snapshot } from '../discover/site.js'
import type { Credential } from '../http/credentials.js'
import type { TestRequest, TestResponse } from '../http/message.js'
import type { Json, Row } from '../json.js'

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
export interface StreamText {
  readonly mediaType: string
  readonly text: string
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
  /** Records that a collection may contain items of this run that are not recorded: clean-up searches it for the mark. */
  readonly recordUncertain: (site: Site) => void
  /** Records that an item no longer exists. */
  readonly markRemoved: (path: string) => void
  /**
   * Whether this run created the item at a path. A read must have shown its mark, or its key. Only such items may be
   * changed or deleted.
   */
  readonly isOwned: (path: string) => Promise<boolean>
  /** Takes note of a response: a read of a created item shows that it is the created one. */
  readonly observe: (response: TestResponse) => void
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
