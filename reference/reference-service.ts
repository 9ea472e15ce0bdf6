import type { Service as HttpService, ServiceTable } from '../runtime/server/index.js'
import type { Service } from '../spec/language/index.js'
import type { EntityRecord } from './entity-record.js'

/** How items are stored. */
export interface LoadOptions {
  /** Stores nothing when there are items already: of several processes that begin at once, one loads. */
  readonly onlyIfEmpty?: boolean
}

/** A described service, running over its store. */
export interface ReferenceService {
  /** Answers a request; never throws. `toNodeListener(reference.fetch)` serves it from `node:http`. */
  readonly fetch: HttpService
  readonly service: Service
  /** The table that the server core runs from. */
  readonly table: ServiceTable
  /** Whether no item of any type has been stored. */
  readonly isEmpty: () => Promise<boolean>
  /**
   * Stores items in one transaction: all of them, or none when a record does not fit or the iteration throws. Links may
   * lead to items that come later.
   *
   * @returns how many items were stored, contained ones included
   * @throws {TypeError} for a record that does not fit the model, naming it
   */
  readonly load: (
    records: Iterable<EntityRecord> | AsyncIterable<EntityRecord>,
    options?: LoadOptions,
  ) => Promise<number>
  /** Waits for what runs and lets go of the store. Requests after that fail. */
  readonly close: () => Promise<void>
}
