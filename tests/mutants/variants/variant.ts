import type { Service } from '../../../spec/language/index.js'
import type { DataOptions } from '../data/generate-data.js'
import type { Behaviour } from '../service/behaviour.js'
import type { Store } from '../service/store.js'

export type Handler = (request: Request) => Promise<Response>

/** A conforming service that differs from the reference behaviour. */
export interface Variant {
  readonly name: string
  readonly statement: string
  /** Whether the spec lets it differ in this way. Default: it does. */
  readonly conformsTo?: (service: Service) => boolean
  /** The open choices that it makes differently. It conforms only if a spec leaves all of them open. */
  readonly choices: readonly string[]
  /** Variants of the same group exclude each other. Default: its name. */
  readonly group?: string
  /** Overrides decisions of a behaviour. */
  readonly change?: (behaviour: Behaviour, service: Service, random: () => number) => Partial<Behaviour>
  /** Whether a collection is of this variant, by its path without keys. Default: all are. */
  readonly appliesTo?: (collection: string) => boolean
  readonly data?: DataOptions
  /** Writes by other clients between requests. */
  readonly beforeRequest?: (service: Service, random: () => number) => (store: Store, number: number) => void
  /** Selects the store that a request reads. */
  readonly storeFor?: (service: Service) => (store: Store, request: Request) => Store
  /** Wraps the request handler. */
  readonly wrap?: (handler: Handler, random: () => number) => Handler
}
