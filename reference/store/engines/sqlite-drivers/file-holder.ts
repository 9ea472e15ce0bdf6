import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { kill, pid } from 'node:process'
import { threadId } from 'node:worker_threads'
import { DriverError } from '../engine.js'

/**
 * A process without file locks, as WebAssembly is, holds a database alone. In place of the shared memory `FILE-shm` of native
 * connections, it creates a folder with that name: a native connection that opens the file meanwhile can read a snapshot, but
 * can neither write nor remove the log. A file in the folder names the process.
 *
 * @see https://www.sqlite.org/walformat.html#the_wal_index_or_shm_file
 */
interface FileHolder {
  readonly release: () => void
}

/** The attempts of two processes that start at the same moment, and the longest pause between them in milliseconds. */
const attempts = 5
const maxPause = 40

/**
 * Holds a database for this connection. A holder whose process is gone is removed.
 *
 * Each process creates its own name first and looks at the others then, so that two can never both go on.
 *
 * @throws {DriverError} if another connection has the file open
 */
export function holdFile(file: string): FileHolder {
  const folder = folderOf(file)
  for (let attempt = 1; ; attempt++) {
    makeFolder(file, folder)
    const own = join(folder, ownName())
    if (!create(own)) continue
    const release = (): void => {
      rmSync(own, { force: true })
      removeIfEmpty(folder)
    }
    const [other] = holdersIn(folder).filter(name => name !== basename(own))
    if (other === undefined) return { release }
    release()
    if (attempt === attempts) throw new DriverError(inUse(file, folder, other))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.random() * maxPause)
  }
}

/**
 * Removes what a process that is gone left, so that a native connection can open the file.
 *
 * @throws {DriverError} if a process holds the file
 */
export function requireUnheldFile(file: string): void {
  const folder = folderOf(file)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return
  const [holder] = holdersIn(folder)
  if (holder !== undefined) throw new DriverError(inUse(file, folder, holder))
  removeIfEmpty(folder)
}

/** `FILE-shm` beside the file that a symbolic link leads to. */
function folderOf(file: string): string {
  return `${statSync(file, { throwIfNoEntry: false }) === undefined ? resolve(file) : realpathSync(file)}-shm`
}

function makeFolder(file: string, folder: string): void {
  try {
    mkdirSync(folder)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    if (statSync(folder, { throwIfNoEntry: false })?.isFile() !== true) return
    throw new DriverError(
      `${folder} exists: another program has ${file} open, or was killed while it had. ` +
        `Stop it. If no program uses the file, remove ${folder} and start again`,
    )
  }
}

/** @returns false if another process has removed the folder meanwhile */
function create(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx'))
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}

/** The names of those that hold the file now. Names of processes that are gone are removed. */
function holdersIn(folder: string): readonly string[] {
  return readdirSync(folder).filter(name => {
    if (mayRun(name)) return true
    rmSync(join(folder, name), { force: true })
    return false
  })
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(codeOf(error))) throw error
  }
}

/** The number of names that this thread has used. */
let used = 0

/** `PID.START.HOST.THREAD.NUMBER`. The start distinguishes the process from a later one with the same number. */
function ownName(): string {
  return [pid, startOf(pid), encodeURIComponent(hostname()).replaceAll('.', '%2E'), threadId, ++used].join('.')
}

/** Whether the process of a name may be running. For another host, nobody knows. */
function mayRun(name: string): boolean {
  const [number, start, host] = name.split('.')
  if (host !== ownName().split('.')[2]) return true
  const process = Number(number)
  if (!Number.isInteger(process) || process <= 0) return true
  try {
    kill(process, 0)
  } catch (error) {
    return codeOf(error) !== 'ESRCH'
  }
  return startOf(process) === start
}

/** The time when a process started, in ticks since the start of the machine, and that start; `unknown` on other systems than Linux. */
function startOf(process: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8)
    const fields = readFileSync(`/proc/${process}/stat`, 'latin1')
    // The name of the program is in parentheses and can have spaces. The start is field 22, and the state after it field 3.
    const [, , , , , , , , , , , , , , , , , , , ticks = ''] = fields.slice(fields.lastIndexOf(')') + 2).split(' ')
    return `${boot}-${ticks}`
  } catch {
    return 'unknown'
  }
}

function inUse(file: string, folder: string, holder: string): string {
  const [process = '', , host = ''] = holder.split('.')
  const where = host === ownName().split('.')[2] ? '' : ` on the host ${decodeURIComponent(host)}`
  return (
    `The process ${process}${where} has ${file} open, and SQLite as WebAssembly does not share files. ` +
    `Stop that process, or, if it no longer runs, remove the folder ${folder}`
  )
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
