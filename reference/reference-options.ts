import type { AnyHandler, Authenticate, ExtraRoute, RequestHead } from '../runtime/server/index.js'
import type { Service } from '../spec/language/index.js'

/** What a reference service runs, and on what. */
export interface ReferenceOptions {
  /** A described service, or the path of its spec. */
  readonly spec: Service | string
  /**
   * `sqlite:FILE`, made when it is not there; `sqlite::memory:`, gone with the process; or the connection string of a
   * PostgreSQL database, `postgres://…`. Tables are made, and brought up to the spec, at start.
   */
  readonly store: string
  /**
   * Milliseconds that PostgreSQL may take for one statement of a request, which is then answered 503. Default: 30 seconds;
   * 0: what the server allows. SQLite runs within the process, and its statements cannot be broken off.
   */
  readonly statementTimeout?: number
  /** Finds out who calls. A must where the spec declares authentication. */
  readonly authenticate?: Authenticate
  /** The address under which callers reach the service's root. Default: what each request was sent to. */
  readonly publicUrl?: string
  /** Where the root is on the server. Default: `/` and the service's version. */
  readonly root?: string
  /** What is served beside the spec's paths. */
  readonly extraRoutes?: readonly ExtraRoute[]
  /** Code for routes that the generic handlers cannot answer, or should not, by route name. */
  readonly handlers?: Readonly<Record<string, AnyHandler>>
  /** The service's own answers to choices that the spec leaves open, in place of the spec's `reference`. */
  readonly choices?: Readonly<Record<string, string | number>>
  /** Told of everything unexpected, which callers see as an internal error only. */
  readonly onError?: (error: unknown, request: RequestHead) => void
  /** The clock. Default: the computer's. */
  readonly now?: () => Date
}
