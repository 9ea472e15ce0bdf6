import type { Site } from '../site/site.js'

/**
 * Which constructs a service was seen to answer, per site: not every endpoint supports every parameter, and what the spec
 * calls optional may be refused.
 */
export interface Support {
  /** A query with these constructs was answered. */
  readonly accepted: (site: Site, constructs: readonly string[]) => void
  /** A query with these constructs was refused, with an error in the declared shape. */
  readonly refused: (site: Site, constructs: readonly string[]) => void
  /** False when a query with no more than these constructs was refused. */
  readonly mayAsk: (site: Site, constructs: readonly string[]) => boolean
  /** Whether a query with this construct was answered before. */
  readonly isKnown: (site: Site, construct: string) => boolean
}
