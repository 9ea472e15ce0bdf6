import type { TypeTable } from '../../runtime/query/index.js'
import type { EntityType, Service } from '../../spec/language/index.js'
import type { Choices } from '../choices/choices.js'
import type { Site, Snapshot } from '../discover/site.js'
import type { TestRequest, TestResponse } from '../http/message.js'
import type { Json, Row } from '../json.js'

/** What rules and calibrators work with: the service under test as far as it is known. */
export interface Session {
  readonly service: Service
  readonly types: TypeTable
  /** Every endpoint at the addresses that were found, in the order of the spec. */
  readonly sites: readonly Site[]
  /** What was learned of the choices that the spec leaves open. */
  readonly choices: Choices
  /** Which constructs were answered where, and which were refused. */
  readonly support: Support
  /** Writes are allowed, and this keeps track of what was made. Absent: read only. */
  readonly ledger?: Ledger
  /** The harvested rows of a collection; absent when it could not be read. */
  readonly snapshot: (site: Site) => Snapshot | undefined
  /**
   * Sends one request; waits for pace and for `Retry-After`.
   *
   * @throws {BudgetExhausted} when no request is left; rules let it pass
   */
  readonly send: (ask: TestRequest) => Promise<TestResponse>
  /** Ids of misreadings that filters are planned without. */
  readonly excludedBugModels: ReadonlySet<string>
  /** Sends a request for a list and follows its next links, with the same headers. */
  readonly list: (ask: TestRequest, limit?: ListLimit) => Promise<Listing>
  /**
   * Stands for the items of these types, of all where none is given, as they were read last: another object after each
   * write of one of them, and whenever a suspicion is looked into. What rules read as facts to start from is kept under
   * it, and not asked for each time.
   */
  readonly dataVersion: (...types: readonly (EntityType | undefined)[]) => object
  /** How many requests are left. */
  readonly requestsLeft: () => number
  /** Longest time, in milliseconds, that a write took to show in reads; 0 until learned. */
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
   * `whole`: the last page had no next link. `cut`: the limit was reached. `refused`: the first page was an error answer.
   * `broken`: a later page failed, or a page was no list; the last of `pages` shows it. `endless`: a link came again, or
   * more rows and pages came than there can be. `elsewhere`: a link leads to another host, or is none, and was not followed.
   */
  readonly end: 'whole' | 'cut' | 'refused' | 'broken' | 'endless' | 'elsewhere'
}

/** Creates, and remembers what was created until it is gone. Nothing else is ever changed or deleted. */
export interface Ledger {
  /** Marks the rows of this run: a short text that goes into a string property of each. */
  readonly mark: string
  /**
   * Creates an item; it is in the journal before the request goes out.
   *
   * @param site a create endpoint
   * @returns the answer, and the address of the new item below the root when the answer tells it
   */
  readonly create: (site: Site, body: Json) => Promise<{ readonly answer: TestResponse; readonly path?: string }>
  /** Says that an item is gone. */
  readonly markRemoved: (path: string) => void
  /** Whether this run made what is at an address: only that may be changed. */
  readonly isOwned: (path: string) => boolean
  /** Whether any more may be created. */
  readonly mayCreate: () => boolean
}

/**
 * Which constructs a service was seen to answer, per site: not every endpoint supports every parameter, and what the spec
 * calls optional may be refused.
 */
export interface Support {
  /** A query with these constructs was answered. */
  readonly recordAccepted: (site: Site, constructs: readonly string[]) => void
  /** A query with these constructs was refused, with an error in the declared shape. */
  readonly recordRejected: (site: Site, constructs: readonly string[]) => void
  /** False when a query with no more than these constructs was refused. */
  readonly maySend: (site: Site, constructs: readonly string[]) => boolean
  /** Whether a query with this construct was answered before. */
  readonly isSupported: (site: Site, construct: string) => boolean
}
