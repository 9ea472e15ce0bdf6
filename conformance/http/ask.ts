import type { QueryOptions } from '../../runtime/query/index.js'
import type { Json } from '../json.js'

/** One request as the judge means it: plain data, before it becomes HTTP. */
export interface Ask {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'OPTIONS'
  /** Below the service's root and percent-encoded, `/users/a%20b`; or, in a next link, the whole address. */
  readonly path: string
  readonly options?: QueryOptions
  /** Query text as it stands, without `?`: what no tree can say. Follows `options` when both are given. */
  readonly rawQuery?: string
  /** Beside those that every request carries. */
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: Json
  /** Sent as it stands. */
  readonly rawBody?: string
  /** Default: `own`, the credential that the judge was given. */
  readonly credential?: 'own' | 'none' | 'broken'
}
