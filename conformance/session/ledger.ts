import type { Answer } from '../http/answer.js'
import type { Json } from '../json.js'
import type { Site } from '../site/site.js'

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
  readonly create: (site: Site, body: Json) => Promise<{ readonly answer: Answer; readonly path?: string }>
  /** Says that an item is gone. */
  readonly gone: (path: string) => void
  /** Whether this run made what is at an address: only that may be changed. */
  readonly isOurs: (path: string) => boolean
  /** Whether any more may be created. */
  readonly mayCreate: () => boolean
}
