import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type pg from 'pg'
import type { PoolClient } from 'pg'
import {
  asParameters,
  type CaseCorrection,
  type CaseDifference,
  type MaybePromise,
  matchOperator,
  type PlaceholderValues,
  parametersOf,
  postgresDialect,
  type Session,
  type SqlRow,
  type Statement,
  StoreError,
} from '../../../sql/index.js'
import type { Engine, ReplicaStore } from './engine.js'
import {
  codeOf,
  isBroken,
  isConflict,
  type PostgresConnections,
  postgresConnections,
  toStoreError,
} from './postgres-connections.js'
import { createReplicaMonitor, type LogPosition, withReplica } from './replica.js'
import { watchDisk } from './watch-disk.js'

/** Runs a query without parameters. */
type RunQuery = (sql: string) => Promise<readonly SqlRow[]>

const firstOutsideAscii = 0x80
const lastWithCase = 0x1_ff_ff
const firstSurrogate = 0xd800
const lastSurrogate = 0xdfff
/** No block contains both surrogates and other characters. */
const blockSize = 0x80

/** What is known of the versions of ICU that servers have used. */
const corrections = new Map<string, CaseCorrection>()

/**
 * Finds the characters whose letter case differs between the server and JavaScript, because the Unicode version of its ICU
 * may differ. After the correction, both engines fold text alike.
 *
 * @throws if the server was built without ICU, or the database is not in UTF-8
 */
async function findCaseCorrection(run: RunQuery): Promise<CaseCorrection> {
  const [row] = await run(`SELECT pg_collation_actual_version(oid) FROM pg_collation WHERE collname = 'und-x-icu'`)
  const version = row?.[0]
  const known = typeof version === 'string' ? corrections.get(version) : undefined
  if (known !== undefined) return known
  // The server folds a block in one call. The spaces keep characters from changing each other, as a final sigma does.
  const rows = await run(
    `SELECT first, lower(characters COLLATE "und-x-icu"), upper(characters COLLATE "und-x-icu")
     FROM generate_series(${firstOutsideAscii}, ${lastWithCase}, ${blockSize}) AS starts(first),
       LATERAL (SELECT string_agg(chr(code), ' ' ORDER BY code)
                FROM generate_series(first, first + ${blockSize - 1}) AS codes(code)) AS blocks(characters)
     WHERE first NOT BETWEEN ${firstSurrogate} AND ${lastSurrogate}
       AND NOT (characters = ALL (ARRAY[lower(characters COLLATE "und-x-icu"), upper(characters COLLATE "und-x-icu")]))`,
  )
  const correction: CaseCorrection = {
    lower: differences(new Map(rows.map(([first, lower]) => [Number(first), String(lower)])), text =>
      text.toLowerCase(),
    ),
    upper: differences(new Map(rows.map(([first, , upper]) => [Number(first), String(upper)])), text =>
      text.toUpperCase(),
    ),
  }
  if (typeof version === 'string') corrections.set(version, correction)
  return correction
}

/** @param blocks of the server, folded: the characters, with spaces between, by the first one */
function differences(
  blocks: ReadonlyMap<number, string>,
  fold: (character: string) => string,
): readonly CaseDifference[] {
  const found: CaseDifference[] = []
  for (let first = firstOutsideAscii; first <= lastWithCase; first += blockSize) {
    if (first >= firstSurrogate && first <= lastSurrogate) continue
    const block = blocks.get(first)?.split(' ')
    for (let index = 0; index < blockSize; index++) {
      const character = String.fromCodePoint(first + index)
      const from = block?.[index] ?? character
      const to = fold(character)
      if (from !== to) found.push({ from, to })
    }
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
  /** A replica for reads. */
  readonly replica?: ReplicaStore
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

/** Milliseconds that the health check may take. */
const healthTimeout = 2_000

/** Milliseconds after its time limit in which the server cancels a statement. After that, its connection is given up. */
const answerGrace = 5_000

/**
 * Opens a PostgreSQL database by its connection string.
 *
 * @param options `statementTimeout`: the time limit of a statement in milliseconds, waiting included; 0: the limit of the server
 * @throws if the server is unreachable or too old
 */
export async function openPostgres(
  address: string,
  { statementTimeout, patternSteps, connections = maxConnections, correction: known, replica }: PostgresOptions,
): Promise<Engine> {
  const main = postgresConnections(address, { role: 'primary', max: connections, applicationName: 'specwright' })
  // The health check has a connection of its own. Requests can take all others.
  const health = postgresConnections(address, {
    role: 'primary',
    max: 1,
    applicationName: 'specwright health',
    timeout: healthTimeout,
  })
  let correction = known
  try {
    correction ??= await examined(main)
    main.limitStatements(statementTimeout)
  } catch (error) {
    await main.close()
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
  const limits: StatementLimits = {
    statementTimeout,
    patternTimeout: patternTimeout(patternSteps, statementTimeout),
    answerTimeout: statementTimeout > 0 ? Math.ceil(statementTimeout) + answerGrace : undefined,
  }
  const { answerTimeout } = limits
  const reading = readingSession(main, limits)
  const server: Engine = {
    shared: { address, correction, ...(replica === undefined ? {} : { replica }) },
    dialect: postgresDialect(correction),
    compile: fragment => {
      const { sql, parameters } = fragment.compile(compiler)
      return { sql, parameters: asParameters(parameters) }
    },
    read: work => work(reading),
    write: work => runTransaction(main, work, { begin: beginOf(main, limits), answerTimeout }),
    maintain: work => runTransaction(main, work, { begin: 'BEGIN; SET LOCAL statement_timeout = 0' }),
    check: async () => {
      await queryOnce(health, 'SELECT 1')
    },
    close: async () => {
      await Promise.all([main.close(), health.close()])
    },
  }
  const engine = watchDisk(server, { failures: ['full'], writeProbe: () => extendFile(health) })
  if (replica === undefined) return engine
  const copies = postgresConnections(replica.address, {
    role: 'replica',
    max: connections,
    applicationName: 'specwright reads',
  })
  copies.limitStatements(statementTimeout)
  const watch = postgresConnections(replica.address, {
    role: 'replica',
    max: 1,
    applicationName: 'specwright replica health',
    timeout: healthTimeout,
  })
  const monitor = createReplicaMonitor({
    position: () => primaryPosition(health),
    replayed: () => replicaPosition(watch),
    milliseconds: replica.milliseconds,
    disconnect: copies.disconnect,
  })
  return {
    ...withReplica(engine, readingSession(copies, limits), monitor),
    close: async () => {
      monitor.close()
      await Promise.all([engine.close(), copies.close(), watch.close()])
    },
  }
}

/** The time limits of the statements of requests, in milliseconds. */
interface StatementLimits {
  /** 0: the limit of the server. */
  readonly statementTimeout: number
  readonly patternTimeout: number
  /** After which a server that does not answer counts as lost. Undefined: never. */
  readonly answerTimeout: number | undefined
}

/** Begins a transaction of a request. Its connection has the time limit already, unless a pooler shares it with others. */
function beginOf(connections: PostgresConnections, { statementTimeout }: StatementLimits): string {
  const isNeeded = connections.isPooled() && statementTimeout > 0
  return isNeeded ? `BEGIN; SET LOCAL statement_timeout = ${Math.ceil(statementTimeout)}` : 'BEGIN'
}

/** Examines the server, without a time limit. The connection is closed afterwards. */
async function examined(connections: PostgresConnections): Promise<CaseCorrection> {
  const first = await connections.connect()
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

/** How to run a transaction. */
interface TransactionOptions {
  readonly begin: string
  readonly answerTimeout?: number | undefined
}

async function runTransaction<Value>(
  connections: PostgresConnections,
  work: (session: Session) => Promise<Value>,
  options: TransactionOptions,
): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    const client = await connections.connect()
    try {
      return await attemptTransaction(client, work, options)
    } catch (error) {
      if (attempt === maxAttempts || !isConflict(error)) throw toStoreError(error)
    }
  }
}

async function attemptTransaction<Value>(
  client: PoolClient,
  work: (session: Session) => Promise<Value>,
  { begin, answerTimeout }: TransactionOptions,
): Promise<Value> {
  const run = (text: string): Promise<unknown> => {
    const query = { text, query_timeout: answerTimeout }
    return client.query(query)
  }
  try {
    await run(begin)
    const value = await work(sessionOf(client, answerTimeout))
    await commit(client, () => run('COMMIT'))
    client.release()
    return value
  } catch (error) {
    if (isBroken(error)) {
      client.release(true)
      throw error
    }
    // A connection whose transaction cannot be rolled back is unusable.
    await run('ROLLBACK').then(
      () => client.release(),
      () => client.release(true),
    )
    throw error
  }
}

/**
 * Commits. If the statement is cancelled while the server waits for a synchronous replica, it reports a commit with a warning: the
 * write would be lost with the server, so that it must not be acknowledged. It may be there later, as any write that fails with 503.
 *
 * @see PostgreSQL documentation, 26.2.8 (synchronous replication)
 */
async function commit(client: PoolClient, run: () => Promise<unknown>): Promise<void> {
  let isLocal = false
  const note = ({ routine }: { readonly routine?: string | undefined }): void => {
    if (routine === 'SyncRepWaitForLSN') isLocal = true
  }
  client.on('notice', note)
  try {
    await run()
  } finally {
    client.off('notice', note)
  }
  if (isLocal) throw new StoreError('unavailable', new Error('No synchronous replica has confirmed the write.'))
}

type Connection = Pick<PoolClient, 'query'>

function sessionOf(connection: Connection, answerTimeout?: number): Session {
  const query = async (statement: Statement, values: PlaceholderValues): Promise<pg.QueryArrayResult<unknown[]>> => {
    const config = {
      text: statement.sql,
      values: parametersOf(statement, values),
      rowMode: 'array' as const,
      query_timeout: answerTimeout,
    }
    try {
      return await connection.query<unknown[]>(config)
    } catch (error) {
      throw toStoreError(error)
    }
  }
  return {
    all: async (statement, values = {}): Promise<readonly SqlRow[]> => (await query(statement, values)).rows,
    run: async (statement, values = {}) => (await query(statement, values)).rowCount ?? 0,
  }
}

/** Runs one statement on any of the connections. */
async function onAny<Value>(
  connections: PostgresConnections,
  run: (client: PoolClient) => MaybePromise<Value>,
): Promise<Value> {
  const client = await connections.connect()
  try {
    const value = await run(client)
    client.release()
    return value
  } catch (error) {
    client.release(isBroken(error))
    throw error
  }
}

async function queryOnce(connections: PostgresConnections, text: string): Promise<SqlRow> {
  const { rows } = await onAny(connections, client => client.query<unknown[]>({ text, rowMode: 'array' })).catch(
    (error: unknown) => {
      throw toStoreError(error)
    },
  )
  return rows[0] ?? []
}

/** PostgreSQL: the role lacks a privilege. */
const insufficientPrivilege = '42501'

/**
 * Lets a file of the database grow, without a change of the data. It fails while the disk is full. A role that may not create
 * temporary tables finds out with its next write.
 */
async function extendFile(connections: PostgresConnections): Promise<void> {
  const text = `CREATE TEMPORARY TABLE "_specwright_probe" ON COMMIT DROP AS
    SELECT md5(number::text) FROM generate_series(1, 2000) AS numbers(number)`
  await queryOnce(connections, text).catch((error: unknown) => {
    if (codeOf(error) !== insufficientPrivilege) throw error
  })
}

/** A session for reads. A statement that matches patterns has a time limit of its own. */
function readingSession(connections: PostgresConnections, limits: StatementLimits): Session {
  const { answerTimeout } = limits
  const begin = `BEGIN; SET LOCAL statement_timeout = ${limits.patternTimeout}`
  const inTransaction = (start: string, statement: Statement, values: PlaceholderValues | undefined) =>
    runTransaction(connections, async session => session.all(statement, values), { begin: start, answerTimeout })
  const all: Session['all'] = (statement, values) => {
    if (statement.sql.includes(matchOperator)) {
      return inTransaction(begin, statement, values).catch((error: unknown) => {
        throw error instanceof StoreError && error.kind === 'tooSlow'
          ? new StoreError('patternTooSlow', error.cause)
          : error
      })
    }
    if (connections.isPooled() && limits.statementTimeout > 0)
      return inTransaction(beginOf(connections, limits), statement, values)
    return onAny(connections, client => sessionOf(client, answerTimeout).all(statement, values))
  }
  return {
    all,
    run: (statement, values) => onAny(connections, client => sessionOf(client, answerTimeout).run(statement, values)),
  }
}

/**
 * Where the log of the primary ends, as far as writes are acknowledged.
 *
 * Each promotion of a replica begins a new timeline. A replica that did not follow it can have a later position, with other writes.
 * So the store contains its timeline, and a replica counts only with the same one.
 */
async function primaryPosition(connections: PostgresConnections): Promise<LogPosition> {
  const [position, timeline, mark] = await queryOnce(connections, primaryPositionSql)
  if (String(mark).endsWith(` ${timeline}`)) return { position: BigInt(String(position)), mark: String(mark) }
  await queryOnce(
    connections,
    `INSERT INTO "_specwright" (name, value) VALUES ('timeline', '${timeline}') ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  )
  return primaryPosition(connections)
}

async function replicaPosition(connections: PostgresConnections): Promise<LogPosition> {
  const [position, mark] = await queryOnce(
    connections,
    `SELECT pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text, ${markSql}`,
  )
  return { position: BigInt(String(position ?? 0)), mark: String(mark) }
}

/** Identifies the store and its timeline. */
const markSql = `(SELECT string_agg(value, ' ' ORDER BY name) FROM "_specwright" WHERE name IN ('id', 'timeline'))`

/** With `synchronous_commit = off`, writes are acknowledged before they are on the disk. */
const primaryPositionSql = `SELECT
  pg_wal_lsn_diff(CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
    ELSE pg_current_wal_flush_lsn() END, '0/0')::text,
  left(pg_walfile_name(pg_current_wal_flush_lsn()), 8), ${markSql}`
