import type { Capabilities, Condition as PlainCondition } from '../../../runtime/query/capabilities/capabilities.js'
import type { Annotations } from './place.js'
import type { ErrorDefinition, OpenChoice } from './service.js'

export type {
  ExpandCapabilities,
  FilterCapabilities,
  OrderbyCapabilities,
  PropertyFilterCapabilities,
  SearchCapabilities,
  Support,
  TopCapabilities,
} from '../../../runtime/query/capabilities/capabilities.js'

/** What one endpoint allows of the query language, every default filled in. */
export interface QueryCapabilities extends Annotations, Omit<Capabilities, 'requires'> {
  /** Key in `queryOptions`; for options written at an endpoint, the endpoint's name. */
  readonly name: string
  readonly requires: readonly Condition[]
}

/** Construct X needs header H, else error E. */
export interface Condition extends Annotations, Omit<PlainCondition, 'otherwise'> {
  readonly otherwise: ErrorDefinition
  /** Whether a service demands the header here is this choice; our own does when `reference` is `rejected`. */
  readonly open?: OpenChoice
}
