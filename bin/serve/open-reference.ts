import {
  createReferenceService,
  DriverError,
  MigrationError,
  type ReferenceOptions,
  type ReferenceService,
} from '../../reference/index.js'
import { StoreError } from '../../reference/store/engine/store-error.js'
import { UsageError } from '../usage-error.js'

/**
 * Opens the store and runs the service over it.
 *
 * @throws UsageError when the store cannot be opened
 */
export async function openReference(options: ReferenceOptions): Promise<ReferenceService> {
  const { store } = options
  if (!/^(?:sqlite:.|postgres(?:ql)?:\/\/)/.test(store)) {
    throw new UsageError(
      `"${shown(store)}" is no store; expected sqlite:FILE, sqlite::memory: or postgres://HOST/DATABASE.`,
    )
  }
  try {
    return await createReferenceService(options)
  } catch (error) {
    if (error instanceof MigrationError) throw new UsageError(error.message)
    const why = reasonOf(error)
    if (why === undefined) throw error
    throw new UsageError(`The store ${shown(store)} cannot be opened: ${why}`)
  }
}

/** The address without what is secret in it. */
function shown(store: string): string {
  if (!URL.canParse(store) || !store.includes('://')) return store
  const { protocol, host, pathname } = new URL(store)
  return `${protocol}//${host}${pathname}`
}

const refusals: Readonly<Record<string, string>> = {
  busy: 'another process has held it for too long; one process at a time may change its tables.',
  unique: 'the spec demands that values are unique, and two items in it have the same.',
}

/** A table that no engine can make. */
function tooLarge({ cause }: StoreError): string {
  const found = cause instanceof Error ? cause.message : 'too many columns'
  return (
    `${found}. A type and all that derive from it are one table, with a column for each property: at most 2,000 in SQLite ` +
    'and 1,600 in PostgreSQL. Serve a spec with fewer types.'
  )
}

/** What a database or the system says; undefined for anything else, which is a bug. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof DriverError) return error.message
  if (error instanceof StoreError) return error.problem === 'tooComplex' ? tooLarge(error) : refusals[error.problem]
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  switch (code) {
    case 'ECONNREFUSED':
      return 'nothing listens there; is the server running?'
    case 'ENOTFOUND':
      return 'there is no such host.'
    case 'SQLITE_CANTOPEN':
    case 'SQLITE_READONLY':
      return `this user may not write the file, or make files in its folder (${code}).`
    case undefined:
      if (/directory does not exist$/.test(error.message)) return 'its folder does not exist. Create it first.'
      return /^(?:Cannot open database|PostgreSQL 15)/.test(error.message) ? error.message : undefined
    default:
      return `${error.message} (${code})`
  }
}
