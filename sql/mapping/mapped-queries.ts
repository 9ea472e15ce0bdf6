import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { DummyDriver, Kysely, PostgresAdapter, type QueryCompiler, sql } from 'kysely'
import type { QueryOptions } from '../../runtime/query/index.js'
import { type ListResult, RequestFault, type Route, type ServiceTable } from '../../runtime/server/index.js'
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
import { malformedQuery, unsupportedQuery } from '../query-faults.js'
import type { QueryTarget } from '../query-target.js'
import { type CollectionPlan, collectionPlan } from '../read/collection-plan.js'
import { queryContext } from '../read/query-frame.js'
import { keyPlaceholder, type principalPlaceholder, type Scope, scopeOf } from '../read/scope.js'
import { idColumn, rowsOf } from '../schema/schema.js'
import { isObject, plainDecoderFor } from '../values/codec.js'
import { type MappedSchema, mappedSchema } from './mapped-schema.js'
import type { CallOf, MappedItem, TableMapping } from './mapping.js'

/** The call of a handler that reads. The calls of generated handlers have all of it. */
interface ReadCall<Context = unknown> extends CallOf<Context> {
  readonly route: Route
  readonly keys: Readonly<Record<string, unknown>>
  readonly query: QueryOptions
  readonly pageSize: number | undefined
  readonly limit: number | undefined
}

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
    const statement = compile(sql`SELECT 1 AS "found" FROM ${rowsOf(table)} AS ${sql.id('t')} WHERE ${where('t')}`)
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

/** The server core creates calls with all these members; the types of some handlers' calls do not show them. */
function asReadCall<Context>(call: object): ReadCall<Context> {
  if (!isReadCall<Context>(call))
    throw new TypeError('Pass the call of a handler of a generated server, such as call => collection(…, call).')
  return call
}

function isReadCall<Context>(call: object): call is ReadCall<Context> {
  return 'route' in call && isObject(call.route) && 'principal' in call && isObject(call.principal)
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

/** Where a page starts. */
interface PageStart {
  /** The sort keys of the last item of the previous page. */
  readonly after: readonly unknown[]
  /** The number of items that remain on all pages together; undefined: no limit. */
  readonly left: number | undefined
}

/** The query that a token continues. */
interface ContinuedQuery {
  readonly query: QueryOptions
  readonly keys: Readonly<Record<string, unknown>>
  readonly route: { readonly name: string }
  readonly principal: { readonly id: string }
}

const signatureLength = 16

/** The token of the page after an item: the start of the page, and a signature that binds it to the query. */
function pageToken(start: PageStart, call: ContinuedQuery, secret: string): string {
  const after = start.after.map(value =>
    typeof value === 'number' && !Number.isFinite(value) ? { number: String(value) } : value,
  )
  const content = Buffer.from(JSON.stringify({ after, left: start.left })).toString('base64url')
  return `${content}.${signature(content, call, secret).toString('base64url')}`
}

/** @throws {RequestFault} if the token belongs to another query, or was changed */
function pageStart(token: string, call: ContinuedQuery, secret: string): PageStart {
  const [content = '', signed = ''] = token.split('.')
  const expected = signature(content, call, secret)
  const given = Buffer.from(signed, 'base64url')
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw malformedQuery('$skiptoken', 'The $skiptoken belongs to another query. Follow the link unchanged.')
  const start = parsedJson(Buffer.from(content, 'base64url').toString())
  const after = isObject(start) ? start['after'] : undefined
  const left = isObject(start) ? start['left'] : undefined
  if (!Array.isArray(after) || after.some(value => Array.isArray(value)))
    throw malformedQuery('$skiptoken', 'This service did not issue the $skiptoken.')
  return {
    after: after.map((value: unknown) => (isObject(value) ? Number(value['number']) : value)),
    left: typeof left === 'number' ? left : undefined,
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function signature(content: string, { query, keys, route, principal }: ContinuedQuery, secret: string): Buffer {
  const { top, skip, count, skiptoken, deltatoken, format, ...rest } = query
  const of = createHash('sha256')
    .update(JSON.stringify([route.name, principal.id, Object.values(keys).map(String), rest]))
    .digest('base64url')
  return createHmac('sha256', secret).update(`${of}.${content}`).digest().subarray(0, signatureLength)
}
