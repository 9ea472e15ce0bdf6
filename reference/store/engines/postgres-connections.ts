import type { PoolClient } from 'pg'
import pg from 'pg'
import { exactNumber } from '../../../runtime/query/index.js'
import { StoreError } from '../../../sql/index.js'

/** What the server at an address has to be: one that accepts writes, or one that repeats the writes of another. */
type ServerRole = 'primary' | 'replica'

interface ConnectionOptions {
  readonly role: ServerRole
  /** The maximum number of connections. */
  readonly max: number
  readonly applicationName: string
  /** The milliseconds that a statement, and the wait for a connection, may take. Default: those of requests. */
  readonly timeout?: number
}

/** Connections to the server of an address that has a role. Of several hosts, this is the first one found with the role. */
export interface PostgresConnections {
  /** @throws {StoreError} `unavailable` if no host answers with the role */
  readonly connect: () => Promise<PoolClient>
  /** The time limit of a statement in milliseconds, for the connections that open from now on. 0: the limit of the server. */
  readonly limitStatements: (milliseconds: number) => void
  /**
   * Whether a connection pooler is between. Its clients share the connections of the server, so that a setting must end with its
   * transaction.
   */
  readonly isPooled: () => boolean
  /** Ends all connections, also those in use, as a server that no longer answers would keep them busy. */
  readonly disconnect: () => void
  /** Waits for the connections in use, up to three seconds. */
  readonly close: () => Promise<void>
}

/** Milliseconds that a request waits for a connection before it fails with 503. */
const connectionTimeout = 10_000

/** Milliseconds that one of several hosts gets to answer. */
const hostTimeout = 3_000

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
 * Opens connections when they are needed.
 *
 * @param address a connection string. It can have several hosts, `postgres://one,two:5433/database`.
 */
export function postgresConnections(
  address: string,
  { role, max, applicationName, timeout }: ConnectionOptions,
): PostgresConnections {
  const hosts = hostAddresses(address)
  const [first = address] = hosts
  let current = first
  let limit = 0
  let isPooled = false
  /** A connection to the host where the last one was, or to the one after it. */
  class HostClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      const wait = hosts.length > 1 ? { connectionTimeoutMillis: hostTimeout } : {}
      super({ ...config, ...wait, connectionString: current })
    }
  }
  const pool = new pg.Pool({
    Client: HostClient,
    max,
    connectionTimeoutMillis: timeout ?? connectionTimeout,
    // A connection that no longer answers is closed, so that the next statement opens another.
    ...(timeout === undefined ? {} : { query_timeout: timeout }),
    keepAlive: true,
    types,
    application_name: applicationName,
    onConnect: async client => {
      const found = await examine(client, limit)
      if (found.isReplica !== (role === 'replica')) throw new WrongRole(role)
      isPooled = found.isPooled
    },
  })
  const open = new Set<PoolClient>()
  // The pool replaces an idle connection that breaks. If a connection breaks while it is in use, its current or next
  // statement fails. Without a listener, either would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', client => {
    open.add(client)
    client.on('error', () => undefined)
  })
  pool.on('remove', client => open.delete(client))
  const disconnect = (): void => {
    for (const { connection } of open) connection.stream.destroy()
  }
  return {
    connect: async () => {
      for (let attempt = 1; ; attempt++) {
        const host = current
        try {
          return await pool.connect()
        } catch (error) {
          const isLast = attempt >= hosts.length || isWaitForPool(error)
          // A pooler refuses with a protocol violation.
          if (isLast || !isUnavailable(error)) throw isUnavailable(error) ? new StoreError('unavailable', error) : error
          // Another request may have moved on already.
          if (current === host) current = hosts[(hosts.indexOf(host) + 1) % hosts.length] ?? first
        }
      }
    },
    limitStatements: milliseconds => {
      limit = milliseconds
    },
    isPooled: () => isPooled,
    disconnect,
    close: () => {
      // A server that no longer answers would keep the process alive.
      setTimeout(disconnect, closeTimeout).unref()
      return pool.end()
    },
  }
}

/**
 * Finds out about a new connection, and sets its time limit. A pooler gives its clients process numbers of its own. Its connections
 * to the server get no setting, because other clients have them later.
 */
async function examine(
  client: pg.ClientBase,
  limit: number,
): Promise<{ readonly isReplica: boolean; readonly isPooled: boolean }> {
  const own = 'processID' in client && typeof client.processID === 'number' ? client.processID : 0
  const set = limit > 0 ? `set_config('statement_timeout', '${Math.ceil(limit)}', false)` : 'NULL'
  const { rows } = await client.query<unknown[]>({
    text: `SELECT pg_is_in_recovery(), pg_backend_pid(), CASE WHEN pg_backend_pid() = ${own} THEN ${set} END`,
    rowMode: 'array',
  })
  const [isReplica, pid] = rows[0] ?? []
  return { isReplica: isReplica === true, isPooled: pid !== own }
}

/**
 * The address of each host. Those of `target_session_attrs` are known: the store needs a primary, the store for reads a replica.
 *
 * @see PostgreSQL documentation, 34.1.1.3 (specifying multiple hosts)
 */
export function hostAddresses(address: string): readonly string[] {
  const parts = /^(postgres(?:ql)?:\/\/)((?:[^@/?#]*@)?)([^/?#]*)([^?#]*)\??([^#]*)$/.exec(address)
  if (parts === null) return [address]
  const [, scheme, user, hosts = '', path, query] = parts
  const kept = (query ?? '').split('&').filter(each => each !== '' && !each.startsWith('target_session_attrs='))
  const end = kept.length === 0 ? path : `${path}?${kept.join('&')}`
  return hosts.split(',').map(host => `${scheme}${user}${host}${end}`)
}

/** The server at an address does not have the role that is needed. */
class WrongRole extends Error {
  override readonly name = 'WrongRole'

  constructor(role: ServerRole) {
    super(role === 'primary' ? 'The server accepts no writes: it is a replica.' : 'The server is not a replica.')
  }
}

/** @see PostgreSQL documentation, appendix A (error codes) */
export function toStoreError(error: unknown): unknown {
  if (error instanceof StoreError) return error
  const code = codeOf(error)
  switch (code) {
    case '23505':
      return new StoreError('unique', error, columnsIn(error))
    case '23503':
      return new StoreError('reference', error)
    case '08P01':
      // A pooler reports with it that it has no connection to the server.
      return new StoreError(isFatal(error) ? 'unavailable' : 'tooComplex', error)
    case '2201B':
    case '54001':
    case '54000':
    case '54011':
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
      return isUnavailable(error) ? new StoreError('unavailable', error) : error
  }
}

/** A serialization failure, a deadlock, or a conflict of a replica with the writes that it repeats. */
export function isConflict(error: unknown): boolean {
  const code = codeOf(error instanceof StoreError ? error.cause : error)
  return code === '40001' || code === '40P01'
}

/**
 * Connection errors, an operator's shutdown, network errors, and a server that is not, or no longer, the primary: it is read-only, or
 * in recovery.
 */
function isUnavailable(error: unknown): boolean {
  const code = codeOf(error)
  if (/^(?:08|53|57P)/.test(code) || /^E[A-Z]+$/.test(code) || code === '25006') return true
  if (error instanceof WrongRole) return true
  return (
    error instanceof Error &&
    /^(?:Connection terminated|timeout e|Query read timeout|Client (?:was closed|has encountered a connection error))/.test(
      error.message,
    )
  )
}

/** Whether a statement failed because of its connection, which cannot be used again. */
export function isBroken(error: unknown): boolean {
  return isUnavailable(error instanceof StoreError ? error.cause : error)
}

/** All connections of the pool are in use. */
function isWaitForPool(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect'
}

function isFatal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'FATAL'
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** `Key ("mailNickname")=(x) already exists.` */
function columnsIn(error: unknown): readonly string[] {
  const detail = error instanceof pg.DatabaseError ? (error.detail ?? '') : ''
  const [, list = ''] = /^Key \(([^)]*)\)/.exec(detail) ?? []
  return list.split(', ').map(name => name.replaceAll('"', ''))
}
