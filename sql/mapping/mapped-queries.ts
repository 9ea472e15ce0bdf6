import {
  DummyDriver,
  Kysely,
  MysqlQueryCompiler,
  PostgresAdapter,
  PostgresQueryCompiler,
  type QueryCompiler,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import { type ListResult, RequestFault, type ServiceTable } from '../../runtime/server/index.js'
import { allOf } from '../conditions.js'
import {
  asParameters,
  type Dialect,
  type PlaceholderValues,
  type Session,
  type Sql,
  type Statement,
  StoreError,
} from '../dialects/dialect.js'
import { mysqlDialect, requireMysql } from '../dialects/mysql-dialect.js'
import { postgresDialect } from '../dialects/postgres-dialect.js'
import { sqliteDialect } from '../dialects/sqlite-dialect.js'
import { unsupportedQuery } from '../query-faults.js'
import type { QueryTarget } from '../query-target.js'
import { type CollectionPlan, collectionPlan } from '../read/collection-plan.js'
import { queryContext } from '../read/query-frame.js'
import { keyPlaceholder, type principalPlaceholder, type Scope, scopeOf } from '../read/scope.js'
import { idColumn, rowsOf } from '../schema/schema.js'
import { plainDecoderFor } from '../values/codec.js'
import { type MappedSchema, mappedSchema } from './mapped-schema.js'
import type { MappedItem, TableMapping } from './mapping.js'
import { asReadCall, pageStart, pageToken, type ReadCall } from './read-call.js'

/** Where a query runs, and which rows it may read. */
export interface QuerySource {
  readonly session: Session
  /** The user's name of the table; undefined: that of the route. */
  readonly table?: string | undefined
  /** More conditions on the rows: a subquery in parentheses that returns their ids, given the name of their column. */
  readonly ids?: ((idColumn: string) => Sql) | undefined
}

/** Queries over the tables of a user. */
export interface MappedQueries {
  readonly schema: Pick<MappedSchema<never>, 'idColumn' | 'tableName' | 'typeOf'>
  /** What a statement was compiled from. */
  readonly fragmentOf: (statement: Statement) => Sql
  /** A page of the collection of the path. */
  readonly collection: (source: QuerySource, call: object) => Promise<ListResult<MappedItem>>
  /** The item of the path; null if there is none. */
  readonly item: (source: QuerySource, call: object) => Promise<MappedItem | null>
  /** The number of items in the collection of the path. */
  readonly count: (source: QuerySource, call: object) => Promise<number>
}

/** A dialect and the compiler of its statements. */
export interface MappedDialect {
  readonly dialect: Dialect
  readonly compiler: () => QueryCompiler
}

/**
 * Prepares queries over the tables of a user.
 *
 * @throws {TypeError} if the mapping does not fit the service
 */
export function mappedQueries<Context>(
  service: ServiceTable,
  mapping: TableMapping<Context>,
  { dialect, compiler }: MappedDialect,
): MappedQueries {
  const schema = mappedSchema(service, mapping, dialect)
  const { secret = '' } = mapping
  const kysely = new Kysely<object>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: () => {
        throw new TypeError('Queries do not inspect the database.')
      },
      createQueryCompiler: compiler,
    },
  })
  const fragments = new WeakMap<Statement, Sql>()
  const compile = (fragment: Sql): Statement => {
    const { sql: text, parameters } = fragment.compile(kysely)
    if (dialect.name === 'mysql') requireMysql(text)
    const statement = { sql: text, parameters: asParameters(parameters) }
    fragments.set(statement, fragment)
    return statement
  }
  const target: QueryTarget = { schema, engine: { dialect, compile }, table: service, decoder: plainDecoderFor }

  const prepared = (source: QuerySource, given: object) => {
    const call = asReadCall<Context>(given)
    const scope = sourceScope(call, source, schema, target)
    const context = queryContext(call.query.aliases, undefined, call.route.query?.expand.maxDepth)
    const searchedProperties = call.route.query?.search.properties ?? []
    const plan = collectionPlan(scope, { options: call.query, context, searchedProperties }, target)
    return { call, scope, plan, values: placeholderValues(call, schema) }
  }
  const requireParent = async ({ parent }: Scope, session: Session, values: PlaceholderValues): Promise<void> => {
    if (parent === undefined) return
    const { table, where } = parent.scope
    const statement = compile(
      sql`SELECT 1 AS ${sql.id('found')} FROM ${rowsOf(table)} AS ${sql.id('t')} WHERE ${where('t')}`,
    )
    if ((await session.all(statement, values)).length === 0) throw new RequestFault('itemNotFound')
  }
  const run = async <Value>(
    source: QuerySource,
    given: object,
    read: (plan: CollectionPlan, call: ReadCall<Context>, values: PlaceholderValues) => Promise<Value>,
    isEmpty: (value: Value) => boolean,
  ): Promise<Value> => {
    try {
      const { call, scope, plan, values } = prepared(source, given)
      const value = await read(plan, call, values)
      if (isEmpty(value)) await requireParent(scope, source.session, values)
      return value
    } catch (error) {
      throw readFault(error)
    }
  }
  return {
    schema,
    fragmentOf: statement => {
      const fragment = fragments.get(statement)
      if (fragment === undefined) throw new TypeError('The statement was compiled by others.')
      return fragment
    },
    collection: (source, given) =>
      run(
        source,
        given,
        (plan, call, values) => readPage(plan, call, source.session, values, secret),
        ({ value }) => value.length === 0,
      ),
    item: (source, given) =>
      run(
        source,
        given,
        async (plan, _call, values) => {
          const { items } = await plan.page(source.session, values, whole)
          return items[0]?.entity ?? null
        },
        value => value === null,
      ),
    count: (source, given) =>
      run(
        source,
        given,
        (plan, _call, values) => plan.count(source.session, values),
        value => value === 0,
      ),
  }
}

const whole = { after: undefined, skip: 0, limit: undefined, bytes: undefined }

async function readPage<Context>(
  plan: CollectionPlan,
  call: ReadCall<Context>,
  session: Session,
  values: PlaceholderValues,
  secret: string,
): Promise<ListResult<MappedItem>> {
  const { query, pageSize, limit } = call
  const start = query.skiptoken === undefined ? undefined : pageStart(query.skiptoken, call, secret)
  const left = start === undefined ? limit : start.left
  const size = Math.min(pageSize ?? Number.POSITIVE_INFINITY, left ?? Number.POSITIVE_INFINITY)
  const { items, last } = await plan.page(session, values, {
    after: start?.after,
    skip: start === undefined ? (query.skip ?? 0) : 0,
    limit: Number.isFinite(size) ? size : undefined,
    bytes: undefined,
  })
  const remaining = left === undefined ? undefined : left - items.length
  const hasNext = last !== undefined && (remaining === undefined || remaining > 0)
  return {
    value: items.map(({ entity }) => entity),
    ...(query.count === true ? { count: await plan.count(session, values) } : {}),
    ...(hasNext ? { skipToken: pageToken({ after: last, left: remaining }, call, secret) } : {}),
  }
}

/** The rows that the path of a call addresses, among those of the source. */
function sourceScope<Context>(
  { route }: ReadCall<Context>,
  { table, ids }: QuerySource,
  schema: MappedSchema<Context>,
  target: QueryTarget,
): Scope {
  if (route.operation !== undefined)
    throw new TypeError(
      `'${route.name}' calls the operation '${route.operation.name}'. Answer it with a query of your own: these functions read the items of a path.`,
    )
  const scope = scopeOf(route, target)
  if (scope === undefined) throw unsupportedQuery('query', `'${route.path}' is not a path of items.`)
  const expected = schema.tableName(scope.type)
  if (table !== undefined && table !== expected)
    throw new TypeError(`'${route.name}' reads the table '${expected}', and the query given reads '${table}'.`)
  if (ids === undefined) return scope
  const allowed = ids(schema.idColumn(scope.type))
  return { ...scope, where: alias => allOf([sql`${sql.id(alias, idColumn)} IN ${allowed}`, scope.where(alias)]) }
}

function placeholderValues<Context>(call: ReadCall<Context>, { conditions }: MappedSchema<Context>): PlaceholderValues {
  const values: Record<string, unknown> & Record<typeof principalPlaceholder, unknown> & { now: Date } = {
    principal: call.principal.id,
    now: new Date(),
  }
  for (const [variable, value] of Object.entries(call.keys)) values[keyPlaceholder(variable)] = value
  for (const [name, conditionOf] of conditions) values[name] = conditionOf(call)
  return values
}

/** An error of the database that the caller can act on. All others stay as they are. */
function readFault(error: unknown): unknown {
  if (!(error instanceof StoreError)) return error
  if (error.kind === 'outOfRange') {
    const reason = 'A number or time in it is out of the range that the database can compute.'
    return new RequestFault('malformedQueryOption', { values: { option: 'query', reason } })
  }
  if (error.kind === 'tooComplex')
    return unsupportedQuery('query', 'It is too long or too deeply nested for the database.')
  return error
}

/** The databases whose tables can be mapped. */
export const mappedDialects = {
  /** Without corrections of letter case. */
  postgres: {
    dialect: postgresDialect({ lower: [], upper: [] }),
    compiler: () => new PostgresQueryCompiler(),
  },
  /** With the functions of this package. */
  sqlite: { dialect: sqliteDialect, compiler: () => new SqliteQueryCompiler() },
  mysql: { dialect: mysqlDialect('mysql'), compiler: () => new MysqlQueryCompiler() },
  mariadb: { dialect: mysqlDialect('mariadb'), compiler: () => new MysqlQueryCompiler() },
} satisfies Readonly<Record<string, MappedDialect>>

/** Runs a statement of a query, and classifies the errors of the database that the caller of the service can act on. */
export async function withQueryErrors<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw classified(error)
  }
}

function classified(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // Class 22 of SQLSTATE: data exceptions.
  if (/^22...$/.test(code)) return new StoreError('outOfRange', error)
  if (/^(?:2201B|54001|54000|54011)$/.test(code)) return new StoreError('tooComplex', error)
  if (/^ER_(?:DATA_OUT_OF_RANGE|WARN_DATA_OUT_OF_RANGE|TRUNCATED_WRONG_VALUE|WRONG_VALUE)$/.test(code))
    return new StoreError('outOfRange', error)
  if (/^ER_(?:TOO_MANY_TABLES|STACK_OVERRUN_NEED_MORE|TOO_HIGH_LEVEL_OF_NESTING_FOR_SELECT)$/.test(code))
    return new StoreError('tooComplex', error)
  const missing = /^no such function: (\w+)/.exec(error.message)
  if (missing !== null)
    return unsupportedQuery(
      'query',
      `The connection lacks the function ${missing[1]}. Call addSqliteFunctions(database).`,
    )
  // Drizzle wraps the errors of its driver.
  const cause = classified(error.cause)
  return cause === error.cause ? error : cause
}
