import { statSync } from 'node:fs'
import {
  createReferenceService,
  DriverError,
  type EntityRecord,
  MigrationError,
  type ReferenceOptions,
  type ReferenceService,
  readData,
  StoreError,
} from '../../reference/index.js'
import { UsageError } from '../output.js'
import type { ProgressLine } from '../terminal.js'

/**
 * Opens the store and runs the service over it.
 *
 * @throws UsageError when the store cannot be opened
 */
export async function openReference(options: ReferenceOptions): Promise<ReferenceService> {
  const { store, readStore } = options
  if (readStore !== undefined && !(isPostgres(store) && isPostgres(readStore))) {
    throw new UsageError(
      '--read-store needs a replica at postgres://… and a --store at postgres://… whose writes it repeats.',
    )
  }
  if (!/^(?:(?:sqlite|better-sqlite3|node-sqlite|sqlite-wasm):.|postgres(?:ql)?:\/\/)/.test(store)) {
    throw new UsageError(
      `"${shown(store)}" is not a store. Expected sqlite:FILE, sqlite::memory: or postgres://HOST/DATABASE.`,
    )
  }
  try {
    return await createReferenceService(options)
  } catch (error) {
    if (error instanceof MigrationError) throw new UsageError(error.message)
    const why = storeErrorText(error)
    if (why === undefined) throw error
    const file = /^(?:sqlite|better-sqlite3|node-sqlite|sqlite-wasm):(.+)$/.exec(store)?.[1]
    if (file !== undefined && statSync(file, { throwIfNoEntry: false })?.isDirectory())
      throw new UsageError(`The store ${store} cannot be opened: ${file} is a folder. Name a file in it.`)
    throw new UsageError(`The store ${shown(store)} cannot be opened: ${why}`)
  }
}

function isPostgres(address: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(address)
}

/** The address without its secrets. It can have several hosts, so that it is not always a URL. */
function shown(store: string): string {
  const parts = /^([a-z]+:\/\/)(?:[^/?#]*@)?([^?#]*)/.exec(store)
  return parts === null ? store : `${parts[1]}${parts[2]}`
}

const refusals: Readonly<Record<string, string>> = {
  busy: 'another process has held it for too long. One process at a time may change its tables.',
  unique: 'two items in it have the same value of a property that must be unique.',
}

/** The message for a table that no engine can create. */
function tooLarge({ cause }: StoreError): string {
  const found = cause instanceof Error ? cause.message : 'too many columns'
  return (
    `${found}. A type and all that derive from it are one table, with a column for each property: at most 2,000 in SQLite ` +
    'and 1,600 in PostgreSQL. Serve a spec with fewer types.'
  )
}

/** What the database or the system reports. Undefined for anything else, which is a bug. */
function storeErrorText(error: unknown): string | undefined {
  if (error instanceof DriverError) return error.message
  if (error instanceof StoreError) {
    return error.kind === 'tooComplex' ? tooLarge(error) : (refusals[error.kind] ?? storeErrorText(error.cause))
  }
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  switch (code) {
    case 'ECONNREFUSED':
      return 'nothing listens there. Is the server running?'
    case 'ENOTFOUND':
      return 'there is no such host.'
    case 'SQLITE_CANTOPEN':
    case 'SQLITE_READONLY':
      return `this user may not write the file, or make files in its folder (${code}).`
    case undefined:
      if (/does not exist\. Create it first\.$/.test(error.message))
        return 'its folder does not exist. Create it first.'
      return /^(?:Cannot open database|PostgreSQL 15|The server (?:accepts no writes|is not))/.test(error.message)
        ? error.message
        : undefined
    default:
      return `${error.message} (${code})`
  }
}

/** The user stopped the process before all data was loaded. */
export class LoadInterrupted extends Error {
  override readonly name = 'Interrupted'
}

/**
 * Loads a data file into an empty store. Leaves any other store as it is.
 *
 * @param stopped ends the load early, with nothing loaded
 * @param progress shows the number of items so far
 * @returns the number of loaded items; undefined if the store already has data
 * @throws DataError with all errors in the file
 * @throws Interrupted
 */
export async function loadData(
  reference: ReferenceService,
  path: string,
  stopped: Promise<void>,
  progress: ProgressLine,
): Promise<number | undefined> {
  if (!(await reference.isEmpty())) return undefined
  const count = await reference.load(until(stopped, readData(path, reference.service), progress), { onlyIfEmpty: true })
  // Another process loaded its data at the same time.
  return count === 0 && !(await reference.isEmpty()) ? undefined : count
}

async function* until(
  stopped: Promise<void>,
  records: AsyncIterable<EntityRecord>,
  progress: ProgressLine,
): AsyncGenerator<EntityRecord, void, undefined> {
  let isStopped = false
  let count = 0
  void stopped.then(() => {
    isStopped = true
  })
  for await (const record of records) {
    if (isStopped) throw new LoadInterrupted('The load was interrupted.')
    count++
    progress.update(() => `Loading data: ${count.toLocaleString('en')} items`)
    yield record
  }
}
