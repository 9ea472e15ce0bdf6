import type { AnyFilterBuilder } from './filter.js'
import type { Filter } from './filter-builder.js'
import type { RequestOptions } from './request-options.js'
import type { SearchTerms, SearchWords } from './search.js'

/** The query options as the runtime reads them. */
export interface Query {
  readonly select?: readonly string[] | undefined
  readonly filter?: ((f: AnyFilterBuilder) => Filter | undefined) | undefined
  readonly orderby?: readonly string[] | undefined
  readonly expand?: Readonly<Record<string, true | Query | undefined>> | undefined
  readonly top?: number | undefined
  readonly skip?: number | undefined
  readonly count?: boolean | undefined
  readonly search?: SearchWords | SearchTerms<string> | undefined
}

/** Every option of every operation, as the runtime reads them; the operation's own types say which of them it has. */
export interface CallOptions extends Query, RequestOptions {
  readonly prefer?: Readonly<Record<string, string>> | undefined
  readonly ifMatch?: string | undefined
  readonly ifNoneMatch?: string | undefined
}
