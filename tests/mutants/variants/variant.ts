import type { Service } from '../../../spec/language/index.js'
import type { DataOptions } from '../data/generate-data.js'
import type { Behaviour } from '../service/behaviour.js'
import type { Store } from '../service/store.js'

export type Handler = (request: Request) => Promise<Response>

/** A service that is correct, and does something otherwise than the spec's own. */
export interface Variant {
  readonly name: string
  readonly statement: string
  /** The open choices that it makes otherwise; it is correct where a spec leaves all of them open. */
  readonly choices: readonly string[]
  /** Variants of one group exclude each other. Default: its name. */
  readonly group?: string
  /** Overrides decisions of a behaviour. */
  readonly change?: (behaviour: Behaviour, service: Service, random: () => number) => Partial<Behaviour>
  readonly data?: DataOptions
  /** What others do to the data between requests. */
  readonly beforeRequest?: (service: Service, random: () => number) => (world: Store, number: number) => void
  /** Which state of the data a request sees. */
  readonly storeFor?: (service: Service) => (world: Store, request: Request) => Store
  /** What stands between the service and its clients. */
  readonly wrap?: (answer: Handler, random: () => number) => Handler
}
