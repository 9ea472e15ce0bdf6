import type { ServiceTable } from '../runtime/server/index.js'
import type { Dialect, Sql, Statement } from './dialects/dialect.js'
import type { StoreSchema } from './schema/schema.js'
import type { decoderFor } from './values/codec.js'

/** What queries are compiled for: the tables of a service, and the database that has them. */
export interface QueryTarget {
  readonly schema: StoreSchema
  readonly engine: QueryEngine
  readonly table: Pick<ServiceTable, 'container' | 'limits' | 'functions'>
  /** Decodes stored values. Default: for a response of this process, with stored JSON as text. */
  readonly decoder?: typeof decoderFor
}

export interface QueryEngine {
  readonly dialect: Dialect
  /** Compiles SQL. The statement can be cached and run many times. */
  readonly compile: (fragment: Sql) => Statement
}
