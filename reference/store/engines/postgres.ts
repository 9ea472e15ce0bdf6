import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { PoolClient } from 'pg'
import pg from 'pg'
import { exactNumber } from '../../../runtime/query/index.js'
import {
  asParameters,
  type CaseCorrection,
  type CaseDifference,
  matchOperator,
  type PlaceholderValues,
  parametersOf,
  postgresDialect,
  type Session,
  type SqlRow,
  type Statement,
  StoreError,
} from '../../../sql/index.js'
import type { Engine } from './engine.js'

/** Runs a query without parameters. */
type RunQuery = (sql: string) => Promise<readonly SqlRow[]>

const firstOutsideAscii = 0x80
const lastWithCase = 0x1_ff_ff

/**
 * Finds the characters whose letter case differs between the server and JavaScript, because the Unicode version of its ICU
 * may differ. After the correction, both engines fold text alike.
 *
 * @throws if the server was built without ICU, or the database is not in UTF-8
 */
async function findCaseCorrection(run: RunQuery): Promise<CaseCorrection> {
  return {
    lower: await differences(run, 'lower', character => character.toLowerCase()),
    upper: await differences(run, 'upper', character => character.toUpperCase()),
  }
}

async function differences(
  run: RunQuery,
  name: 'lower' | 'upper',
  fold: (character: string) => string,
): Promise<readonly CaseDifference[]> {
  const rows = await run(
    `SELECT code, ${name}(chr(code) COLLATE "und-x-icu") FROM generate_series(${firstOutsideAscii}, ${lastWithCase}) AS t(code)
     WHERE code NOT BETWEEN 55296 AND 57343 AND ${name}(chr(code) COLLATE "und-x-icu") <> chr(code)`,
  )
  const folded = new Map(rows.map(([code, text]) => [Number(code), String(text)]))
  const found: CaseDifference[] = []
  for (let code = firstOutsideAscii; code <= lastWithCase; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const character = String.fromCodePoint(code)
    const to = fold(character)
    const from = folded.get(code) ?? character
    if (from !== to) found.push({ from, to })
  }
  return found
}

/** The oldest supported server version. */
const oldestVersion = 150_000

interface PostgresOptions {
  readonly statementTimeout: number
  readonly patternSteps: number
  /** The connections for requests. */
  readonly connections?: number
  /** What another engine has found out about the server. */
  readonly correction?: CaseCorrection
}

/** The default number of connections for requests. */
const maxConnections = 10

/** The steps of the slowest patterns that the server takes in a millisecond, measured on texts of 900,000 characters. */
const stepsPerMillisecond = 2_000

/**
 * The time limit in milliseconds of a statement that matches patterns. The matcher of the server does not count steps, but it
 * can be cancelled.
 */
function patternTimeout(steps: number, statementTimeout: number): number {
  const time = Math.max(1, Math.ceil(steps / stepsPerMillisecond))
  return statementTimeout > 0 ? Math.min(time, Math.ceil(statementTimeout)) : time
}

/** How often a transaction is attempted if others conflict with it. */
const maxAttempts = 10

/** Milliseconds that a request waits for a connection before it fails with 503. */
const connectionTimeout = 10_000

/** Milliseconds that the check of health may take. */
const healthTimeout = 2_000

/** Milliseconds that connections get to finish when the engine closes. */
const closeTimeout = 3_000

const { builtins } = pg.types

/** The types that are returned as numbers. INT8 and NUMERIC are numbers if that loses no digit. All others are text. */
const numeric: ReadonlySet<number> = new Set([builtins.INT2, builtins.INT4, builtins.FLOAT4, builtins.FLOAT8])

const types = {
  getTypeParser: (id: number) => (text: string) =>
    id === builtins.INT8 || id === builtins.NUMERIC
      ? (exactNumber(text) ?? Number(text))
      : numeric.has(id)
        ? Number(text)
        : id === builtins.BOOL
          ? text === 't'
          : text,
}

/**
 * Opens a PostgreSQL database by its connection string.
 *
 * @param options `statementTimeout`: the time limit of a statement in milliseconds, waiting included; 0: the limit of the server
 * @throws if the server is unreachable or too old
 */
export async function openPostgres(
  address: string,
  { statementTimeout, patternSteps, connections = maxConnections, correction: known }: PostgresOptions,
): Promise<Engine> {
  let limit = 0
  const pool = new pg.Pool({
    connectionString: address,
    max: connections,
    connectionTimeoutMillis: connectionTimeout,
    keepAlive: true,
    types,
    application_name: 'specwright',
    // Set with a statement, because connection poolers reject it as a connection parameter.
    onConnect: async client => {
      if (limit > 0) await client.query(`SET statement_timeout = ${Math.ceil(limit)}`)
    },
  })
  // The check of health has a connection of its own. Requests can take all others.
  const healthPool = new pg.Pool({
    connectionString: address,
    max: 1,
    connectionTimeoutMillis: healthTimeout,
    // A connection that no longer answers is closed, so that the next check opens another.
    query_timeout: healthTimeout,
    keepAlive: true,
    application_name: 'specwright health',
  })
  const open = new Set<PoolClient>()
  for (const each of [pool, healthPool]) {
    // The pool replaces an idle connection that breaks. If a connection breaks while it is in use, its current or next
    // statement fails. Without a listener, either would end the process.
    each.on('error', () => undefined)
    each.on('connect', client => {
      open.add(client)
      client.on('error', () => undefined)
    })
    each.on('remove', client => open.delete(client))
  }
  let correction = known
  try {
    correction ??= await examined(pool)
    limit = statementTimeout
  } catch (error) {
    await pool.end()
    throw error
  }
  const compiler = new Kysely<object>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: db => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  const reading = readingSession(pool, patternTimeout(patternSteps, statementTimeout))
  return {
    shared: { address, correction },
    dialect: postgresDialect(correction),
    compile: fragment => {
      const { sql, parameters } = fragment.compile(compiler)
      return { sql, parameters: asParameters(parameters) }
    },
    read: work => work(reading),
    write: work => runTransaction(pool, work, 'BEGIN'),
    maintain: work => runTransaction(pool, work, 'BEGIN; SET LOCAL statement_timeout = 0'),
    check: async () => {
      await healthPool.query('SELECT 1')
    },
    close: () => {
      // A server that no longer answers would keep the process alive.
      setTimeout(() => {
        for (const { connection } of open) connection.stream.destroy()
      }, closeTimeout).unref()
      return Promise.all([pool.end(), healthPool.end()]).then(() => undefined)
    },
  }
}

/** Examines the server, without a time limit. The connection is closed afterwards. */
async function examined(pool: pg.Pool): Promise<CaseCorrection> {
  const first = await pool.connect()
  try {
    await requireVersion(first)
    return await findCaseCorrection(async text => (await first.query({ text, rowMode: 'array' })).rows)
  } finally {
    first.release(true)
  }
}

async function requireVersion(client: Connection): Promise<void> {
  const { rows } = await client.query({ text: 'SHOW server_version_num', rowMode: 'array' })
  const version = Number(rows[0]?.[0])
  if (version < oldestVersion) throw new TypeError(`PostgreSQL 15 or later is required, but found ${version / 10_000}.`)
}

async function runTransaction<Value>(
  pool: pg.Pool,
  work: (session: Session) => Promise<Value>,
  begin: string,
): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    const client = await pool.connect().catch((error: unknown) => {
      throw toStoreError(error)
    })
    try {
      return await attemptTransaction(client, work, begin)
    } catch (error) {
      if (attempt === maxAttempts || !isConflict(error)) throw toStoreError(error)
    }
  }
}

async function attemptTransaction<Value>(
  client: PoolClient,
  work: (session: Session) => Promise<Value>,
  begin: string,
): Promise<Value> {
  try {
    await client.query(begin)
    const value = await work(sessionOf(client))
    await client.query('COMMIT')
    client.release()
    return value
  } catch (error) {
    // A connection whose transaction cannot be rolled back is unusable.
    await client.query('ROLLBACK').then(
      () => client.release(),
      () => client.release(true),
    )
    throw error
  }
}

type Connection = Pick<pg.Pool | PoolClient, 'query'>

function sessionOf(connection: Connection): Session {
  const query = async (statement: Statement, values: PlaceholderValues): Promise<pg.QueryArrayResult<unknown[]>> => {
    const parameters = parametersOf(statement, values)
    try {
      return await connection.query<unknown[]>({ text: statement.sql, values: parameters, rowMode: 'array' })
    } catch (error) {
      throw toStoreError(error)
    }
  }
  return {
    all: async (statement, values = {}): Promise<readonly SqlRow[]> => (await query(statement, values)).rows,
    run: async (statement, values = {}) => (await query(statement, values)).rowCount ?? 0,
  }
}

/** A session for reads. A statement that matches patterns has a time limit of its own. */
function readingSession(pool: pg.Pool, patternTimeout: number): Session {
  const plain = sessionOf(pool)
  const begin = `BEGIN; SET LOCAL statement_timeout = ${patternTimeout}`
  return {
    ...plain,
    all: (statement, values) =>
      statement.sql.includes(matchOperator)
        ? runTransaction(pool, async session => session.all(statement, values), begin).catch((error: unknown) => {
            throw error instanceof StoreError && error.kind === 'tooSlow'
              ? new StoreError('patternTooSlow', error.cause)
              : error
          })
        : plain.all(statement, values),
  }
}

/** A serialization failure or a deadlock. The transaction can be retried. */
function isConflict(error: unknown): boolean {
  const code = codeOf(error instanceof StoreError ? error.cause : error)
  return code === '40001' || code === '40P01'
}

/** @see PostgreSQL documentation, appendix A (error codes) */
function toStoreError(error: unknown): unknown {
  if (error instanceof StoreError) return error
  const code = codeOf(error)
  switch (code) {
    case '23505':
      return new StoreError('unique', error, columnsIn(error))
    case '23503':
      return new StoreError('reference', error)
    case '2201B':
    case '54001':
    case '54000':
    case '54011':
    case '08P01':
      return new StoreError('tooComplex', error)
    case '40001':
    case '40P01':
    case '55P03':
      return new StoreError('busy', error)
    case '53100':
      return new StoreError('full', error)
    case '58030':
    case 'XX001':
    case 'XX002':
      return new StoreError('damaged', error)
    case '57014':
      return new StoreError('tooSlow', error)
    default:
      if (code.startsWith('22')) return new StoreError('outOfRange', error)
      return isUnavailable(code, error) ? new StoreError('unavailable', error) : error
  }
}

/** Connection errors, an operator's shutdown, and network errors. */
function isUnavailable(code: string, error: unknown): boolean {
  if (/^(?:08|53|57P)/.test(code) || /^E[A-Z]+$/.test(code)) return true
  return (
    error instanceof Error &&
    /^(?:Connection terminated|timeout exceeded|Client (?:was closed|has encountered a connection error))/.test(
      error.message,
    )
  )
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** `Key ("mailNickname")=(x) already exists.` */
function columnsIn(error: unknown): readonly string[] {
  const detail = error instanceof pg.DatabaseError ? (error.detail ?? '') : ''
  const [, list = ''] = /^Key \(([^)]*)\)/.exec(detail) ?? []
  return list.split(', ').map(name => name.replaceAll('"', ''))
}
