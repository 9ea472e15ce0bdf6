import { sql as fragment, MysqlQueryCompiler, PostgresQueryCompiler, SqliteQueryCompiler } from 'kysely'
import type { ListResult, ServiceTable } from '../../runtime/server/index.js'
import { Placeholder, type Session } from '../dialects/dialect.js'
import { isObject } from '../values/codec.js'
import { type DrizzleMapping, drizzleMapping } from './drizzle-mapping.js'
import {
  type MappedDialect,
  mappedDialects,
  mappedQueries,
  type QuerySource,
  withQueryErrors,
} from './mapped-queries.js'
import type { MappedItem } from './mapping.js'

/** A database of Drizzle, or a transaction. */
export type DrizzleDatabase =
  | { execute(query: unknown): PromiseLike<unknown> }
  /** SQLite. */
  | { values(query: unknown): unknown }

/** Which rows a query may read. */
export interface DrizzleRows {
  /** A query that selects the ids of these rows: `db.select({ id: users.id }).from(users).where(…)`. */
  readonly among?: object
}

/** Reads that answer the calls of a generated server with Drizzle. */
export interface DrizzleQueries {
  /**
   * A page of the collection of the path: `collection(db, call)`. The statements run where queries of `db` would run, also in
   * a transaction.
   */
  readonly collection: (db: DrizzleDatabase, call: object, rows?: DrizzleRows) => Promise<ListResult<MappedItem>>
  /** The item of the path; null if there is none. */
  readonly item: (db: DrizzleDatabase, call: object, rows?: DrizzleRows) => Promise<MappedItem | null>
  /** The number of items in the collection of the path. */
  readonly count: (db: DrizzleDatabase, call: object, rows?: DrizzleRows) => Promise<number>
}

interface DrizzleOptions {
  readonly dialect: keyof typeof mappedDialects
  /** The function `sql` of `drizzle-orm`. */
  readonly sql: (texts: TemplateStringsArray, ...values: unknown[]) => unknown
}

/**
 * Queries with Drizzle. On SQLite, call `addSqliteFunctions(database)` first.
 *
 * @throws {TypeError} if the mapping does not fit the service
 */
export function drizzleQueries<Context = unknown>(
  service: ServiceTable,
  mapping: DrizzleMapping<Context>,
  options: DrizzleOptions,
): DrizzleQueries {
  const { dialect } = options
  const queries = mappedQueries(service, drizzleMapping(service, mapping), markedDialects[dialect])
  const source = (db: DrizzleDatabase, { among }: DrizzleRows = {}): QuerySource => ({
    session: drizzleSession(db, among, options),
    ...(among === undefined ? {} : { ids: () => fragment`${new Placeholder(amongPlaceholder)}` }),
  })
  return {
    collection: (db, call, rows) => queries.collection(source(db, rows), call),
    item: (db, call, rows) => queries.item(source(db, rows), call),
    count: (db, call, rows) => queries.count(source(db, rows), call),
  }
}

/** Stands for the user's query, which Drizzle prints. */
const amongPlaceholder = 'among'

/** Stands for a value in a compiled statement, where Drizzle prints its own. No SQL contains this character. */
const mark = '\0'

class MarkedPostgres extends PostgresQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return mark
  }
}

class MarkedMysql extends MysqlQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return mark
  }
}

class MarkedSqlite extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return mark
  }
}

const markedDialects: Readonly<Record<DrizzleOptions['dialect'], MappedDialect>> = {
  postgres: { ...mappedDialects.postgres, compiler: () => new MarkedPostgres() },
  sqlite: { ...mappedDialects.sqlite, compiler: () => new MarkedSqlite() },
  mysql: { ...mappedDialects.mysql, compiler: () => new MarkedMysql() },
  mariadb: { ...mappedDialects.mariadb, compiler: () => new MarkedMysql() },
}

function drizzleSession(db: DrizzleDatabase, among: object | undefined, { sql, dialect }: DrizzleOptions): Session {
  const all: Session['all'] = async (statement, values = {}) => {
    const texts = statement.sql.split(mark)
    const bound = statement.parameters.map(parameter => {
      if (!(parameter instanceof Placeholder)) return parameter
      return parameter.name === amongPlaceholder ? among : parameter.encode(values[parameter.name])
    })
    const query = sql(Object.assign(texts, { raw: texts }), ...bound)
    const result = await withQueryErrors(async () => ('execute' in db ? db.execute(query) : db.values(query)))
    const isMysql = dialect === 'mysql' || dialect === 'mariadb'
    return rowsOf(result, isMysql).map(row => {
      if (Array.isArray(row)) return row
      // Every column of a statement has a name of its own, so that the members are in the order of the columns.
      return isObject(row) ? Object.values(row) : []
    })
  }
  return { all, run: async (statement, values) => (await all(statement, values)).length }
}

/** The rows of a result. Some drivers add metadata; that of MySQL returns a pair. */
function rowsOf(result: unknown, isMysql: boolean): readonly unknown[] {
  if (Array.isArray(result)) return Array.isArray(result[0]) && isMysql ? result[0] : result
  if (isObject(result) && Array.isArray(result['rows'])) return result['rows']
  throw new TypeError('The driver of Drizzle returned no rows.')
}
