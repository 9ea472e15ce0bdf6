import type { Endpoint, EntityType } from '../../spec/language/index.js'

/** An endpoint at one address: a path template with all its variables filled in. */
export interface Site {
  /** Unique and the same in each run over the same data: the endpoint's name, and its keys if there are any. */
  readonly id: string
  readonly endpoint: Endpoint
  /** Values of the template's variables, not encoded. */
  readonly keys: Readonly<Record<string, string>>
  /** Below the service's root, percent-encoded. */
  readonly path: string
  /** Type of the items read or written; absent for calls that give no items. */
  readonly type?: EntityType
}
