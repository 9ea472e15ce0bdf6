import type { ListResult, ServiceTable } from '../../runtime/server/index.js'
import { parametersOf, type Session } from '../dialects/dialect.js'
import { mappedDialects, mappedQueries, type QuerySource, withQueryErrors } from './mapped-queries.js'
import type { MappedItem, TableMapping } from './mapping.js'

/** A `Pool`, `PoolClient` or `Client` of the package `pg`. */
export interface PgClient {
  query(config: { text: string; values: unknown[]; rowMode: 'array' }): Promise<{ rows: unknown[] }>
}

/** Reads that answer the calls of a generated server from tables in PostgreSQL. */
export interface PgQueries {
  /** A page of the collection of the path. */
  readonly collection: (client: PgClient, call: object) => Promise<ListResult<MappedItem>>
  readonly item: (client: PgClient, call: object) => Promise<MappedItem | null>
  readonly count: (client: PgClient, call: object) => Promise<number>
}

/**
 * Queries with the package `pg`.
 *
 * @throws {TypeError} if the mapping does not fit the service
 */
export function pgQueries<Context = unknown>(service: ServiceTable, mapping: TableMapping<Context>): PgQueries {
  const queries = mappedQueries(service, mapping, mappedDialects.postgres)
  const source = (client: PgClient): QuerySource => ({ session: pgSession(client) })
  return {
    collection: (client, call) => queries.collection(source(client), call),
    item: (client, call) => queries.item(source(client), call),
    count: (client, call) => queries.count(source(client), call),
  }
}

function pgSession(client: PgClient): Session {
  const all: Session['all'] = async (statement, values = {}) => {
    const config = { text: statement.sql, values: parametersOf(statement, values), rowMode: 'array' } as const
    const { rows } = await withQueryErrors(() => client.query(config))
    return rows.filter(row => Array.isArray(row))
  }
  return { all, run: async (statement, values) => (await all(statement, values)).length }
}
