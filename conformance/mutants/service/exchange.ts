import type { QueryOptions, TypeTable } from '../../../runtime/query/index.js'
import type { Endpoint, Service } from '../../../spec/language/index.js'
import type { Behaviour } from './behaviour.js'
import type { Target } from './route/target.js'
import type { World } from './world/world.js'

/** A request that has come in. */
export interface Arrival {
  readonly service: Service
  readonly types: TypeTable
  readonly behaviour: Behaviour
  readonly world: World
  readonly request: RequestFacts
  /** Absent: its path leads nowhere, or has no such method. */
  readonly endpoint?: Endpoint
  /** Counts the requests that the service got, from 1. */
  readonly number: number
}

/** One request on its way through the service. */
export interface Exchange extends Arrival {
  readonly endpoint: Endpoint
  /** Values of the path's variables, decoded. */
  readonly variables: ReadonlyMap<string, string>
  /** What the path leads to. */
  readonly target: Target
  /** What is understood of the query. */
  readonly options: QueryOptions
  /** Query options that are none of the query language, by name. */
  readonly custom: ReadonlyMap<string, string>
}

/** A request as it came. */
export interface RequestFacts {
  readonly method: string
  /** `http://host/v1.0` */
  readonly root: string
  /** Below the root, encoded: `/users/a%20b`. */
  readonly path: string
  /** Without `?`. */
  readonly query: string
  readonly headers: Headers
  readonly body: string
}
