import type { TypeTable } from '../../runtime/query/index.js'
import type { EntityType, Service } from '../../spec/language/index.js'
import type { Choices } from '../choice/choices.js'
import type { Answer } from '../http/answer.js'
import type { Ask } from '../http/ask.js'
import type { Site } from '../site/site.js'
import type { Snapshot } from '../site/snapshot.js'
import type { Ledger } from './ledger.js'
import type { Listing } from './listing.js'
import type { Support } from './support.js'

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
   * @throws {BudgetSpent} when no request is left; rules let it pass
   */
  readonly ask: (ask: Ask) => Promise<Answer>
  /** Ids of misreadings that filters are planned without. */
  readonly planWithout: ReadonlySet<string>
  /** Sends a request for a list and follows its next links, with the same headers. */
  readonly list: (ask: Ask, limit?: ListLimit) => Promise<Listing>
  /**
   * Stands for the items of these types, of all where none is given, as they were read last: another object after each
   * write of one of them, and whenever a suspicion is looked into. What rules read as facts to start from is kept under
   * it, and not asked for each time.
   */
  readonly reading: (...types: readonly (EntityType | undefined)[]) => object
  /** How many requests are left. */
  readonly requestsLeft: () => number
  /** Longest time, in milliseconds, that a write took to show in reads; 0 until learned. */
  readonly settleTime: () => number
}

export interface ListLimit {
  readonly pages?: number
  readonly rows?: number
}
