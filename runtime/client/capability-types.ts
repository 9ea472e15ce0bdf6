/** The query options that an endpoint may offer. */
export type QueryOptionName = 'select' | 'filter' | 'orderby' | 'expand' | 'top' | 'skip' | 'count' | 'search'

/**
 * What one endpoint allows of the query language, in types: generated code declares one for each set of query options
 * of the spec. What is not named here does not exist in the types of the endpoint's queries.
 *
 * @see OData Capabilities vocabulary V1
 */
export interface CapabilityTypes {
  /** Options that exist. */
  readonly options: QueryOptionName
  /** Members of the filter builder that exist. */
  readonly filter: string
  /** Property paths that cannot be filtered; `never`: all can. */
  readonly unfilterable: string
  /** Relations that a filter may pass through or hold a lambda over; `never`: structural properties only. */
  readonly through: string
  /** Property paths that can be sorted by; `string`: all. */
  readonly orderby: string
  /** Relations that can be expanded. */
  readonly expand: string
  /** What `search` takes: `SearchTerms<…>` or `SearchWords`. */
  readonly search: unknown
  /** What an expanded relation may ask in turn. */
  readonly nested: CapabilityTypes
  /** Preferences of the endpoint, name -> values. */
  readonly prefer: object
}
