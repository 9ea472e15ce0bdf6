import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { holdFile } from './file-holder.js'
import type { SqliteFiles } from './sqlite-wasm.js'

/** The name of the virtual file system. */
const name = 'node'

/** The longest path in bytes. */
const maxPath = 1024

/** Result codes. @see https://www.sqlite.org/rescode.html */
const code = {
  ok: 0,
  notFound: 12,
  full: 13,
  cannotOpen: 14,
  read: 266,
  shortRead: 522,
  write: 778,
  fsync: 1034,
  directoryFsync: 1290,
  truncate: 1546,
  fstat: 1802,
  delete: 2570,
  access: 3338,
  deleteNoEntry: 5898,
} as const

/** Flags of `xOpen`. @see https://www.sqlite.org/c3ref/c_open_autoproxy.html */
const open = { readOnly: 1, readWrite: 2, create: 4, deleteOnClose: 8, exclusive: 0x10, mainDb: 0x100, wal: 0x80000 }

/** What `xAccess` asks. */
const access = { exists: 0, readWrite: 1 }

/** A disk keeps the bytes beside those that were being written when the power fails, as SQLite assumes on Linux. */
const powersafeOverwrite = 0x1000

interface OpenFile {
  readonly descriptor: number
  readonly path: string
  readonly flags: number
  /** Whether its folder has yet to be synchronised, because the file is new. */
  isNew: boolean
}

/**
 * Files of Node.js for SQLite as WebAssembly. A connection holds its file alone: there are no locks in here, and no shared
 * memory.
 *
 * @see https://www.sqlite.org/vfs.html
 */
export function installNodeVfs(sqlite3: Sqlite3Static): SqliteFiles {
  const { capi, wasm } = sqlite3
  const files = new Map<number, OpenFile>()
  const io = new capi.sqlite3_io_methods()
  // Version 1: no shared memory.
  Object.assign(io, { $iVersion: 1 })
  const textAt = (address: number): string => wasm.cstrToJs(address) ?? ''
  const attempt = (failure: number, work: () => number): number => {
    try {
      return work()
    } catch (error) {
      return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(codeOf(error)) ? code.full : failure
    }
  }
  const within = (file: number, failure: number, work: (opened: OpenFile) => number): number =>
    attempt(failure, () => {
      const opened = files.get(file)
      return opened === undefined ? failure : work(opened)
    })
  sqlite3.vfs.installVfs({
    io: {
      struct: io,
      methods: {
        xClose: file =>
          within(file, code.ok, opened => {
            files.delete(file)
            closeSync(opened.descriptor)
            if ((opened.flags & open.deleteOnClose) !== 0) unlinkSync(opened.path)
            return code.ok
          }),
        xRead: (file, buffer, length, offset) =>
          within(file, code.read, ({ descriptor }) => {
            const found = readFully(descriptor, wasm.heap8u(), buffer, length, Number(offset))
            if (found === length) return code.ok
            wasm.heap8u().fill(0, buffer + found, buffer + length)
            return code.shortRead
          }),
        xWrite: (file, buffer, length, offset) =>
          within(file, code.write, ({ descriptor }) => {
            writeFully(descriptor, wasm.heap8u(), buffer, length, Number(offset))
            return code.ok
          }),
        xTruncate: (file, size) =>
          within(file, code.truncate, ({ descriptor }) => {
            ftruncateSync(descriptor, Number(size))
            return code.ok
          }),
        xSync: file => within(file, code.fsync, synchronise),
        xFileSize: (file, size) =>
          within(file, code.fstat, ({ descriptor }) => {
            wasm.poke64(size, fstatSync(descriptor).size)
            return code.ok
          }),
        xLock: () => code.ok,
        xUnlock: () => code.ok,
        xCheckReservedLock: (_file, result) => {
          wasm.poke32(result, 0)
          return code.ok
        },
        xFileControl: () => code.notFound,
        xSectorSize: () => 4096,
        xDeviceCharacteristics: () => powersafeOverwrite,
      },
    },
  })
  const vfs = new capi.sqlite3_vfs()
  vfs.$iVersion = 1
  vfs.$szOsFile = sizeOfFile(capi)
  vfs.$mxPathname = maxPath
  sqlite3.vfs.installVfs({
    vfs: {
      name,
      struct: vfs,
      methods: {
        xOpen: (_vfs, path, file, flags, outputFlags) =>
          attempt(code.cannotOpen, () => {
            const opened = openFile(path === 0 ? temporaryPath() : textAt(path), flags)
            files.set(file, opened)
            const struct = new capi.sqlite3_file(file)
            struct.$pMethods = io.pointer
            struct.dispose()
            if (outputFlags !== 0) wasm.poke32(outputFlags, opened.flags)
            return code.ok
          }),
        xDelete: (_vfs, path, syncFolder) => deleteFile(textAt(path), syncFolder !== 0),
        xAccess: (_vfs, path, asked, result) =>
          attempt(code.access, () => {
            wasm.poke32(result, isAccessible(textAt(path), asked) ? 1 : 0)
            return code.ok
          }),
        xFullPathname: (_vfs, path, bytes, result) =>
          attempt(code.cannotOpen, () => {
            const encoded = new TextEncoder().encode(fullPath(textAt(path)))
            if (encoded.length >= bytes) return code.cannotOpen
            wasm.heap8u().set(encoded, result)
            wasm.poke8(result + encoded.length, 0)
            return code.ok
          }),
        xRandomness: (_vfs, bytes, result) => {
          crypto.getRandomValues(wasm.heap8u().subarray(result, result + bytes))
          return bytes
        },
        xSleep: (_vfs, microseconds) => {
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, microseconds / 1000)
          return microseconds
        },
        xCurrentTime: (_vfs, result) => {
          wasm.poke64f(result, 2440587.5 + Date.now() / 86_400_000)
          return code.ok
        },
        xGetLastError: () => undefined,
      },
    },
  })
  return { vfs: name, hold: holdFile }
}

function sizeOfFile({ sqlite3_file: File }: Sqlite3Static['capi']): number {
  const file = new File()
  const { sizeof } = file.structInfo
  file.dispose()
  return sizeof
}

function openFile(path: string, flags: number): OpenFile {
  const isNew = (flags & open.create) !== 0 && statSync(path, { throwIfNoEntry: false }) === undefined
  const opened = (mode: number, given: number): OpenFile => {
    const descriptor = openSync(path, mode | constants.O_NOFOLLOW, modeOf(path))
    if (fstatSync(descriptor).isFile()) return { descriptor, path, flags: given, isNew }
    closeSync(descriptor)
    throw new TypeError(`${path} is no file.`)
  }
  if ((flags & open.readWrite) === 0) return opened(constants.O_RDONLY, flags)
  const create = (flags & open.create) === 0 ? 0 : constants.O_CREAT
  const exclusive = (flags & open.exclusive) === 0 ? 0 : constants.O_EXCL
  try {
    return opened(constants.O_RDWR | create | exclusive, flags)
  } catch (error) {
    // As the native code does: a database that nobody may write can be read.
    if (!['EACCES', 'EROFS', 'EPERM'].includes(codeOf(error)) || isNew) throw error
    return opened(constants.O_RDONLY, (flags & ~(open.readWrite | open.create)) | open.readOnly)
  }
}

/** The permissions of a new file: the log and the journal get those of their database. */
function modeOf(path: string): number {
  const database = path.replace(/-(?:wal|journal)$/, '')
  const found = database === path ? undefined : statSync(database, { throwIfNoEntry: false })
  return found === undefined ? 0o644 : found.mode & 0o777
}

function temporaryPath(): string {
  return join(tmpdir(), `specwright-${crypto.randomUUID()}`)
}

/** @returns the number of bytes; fewer than `length` at the end of the file */
function readFully(descriptor: number, memory: Uint8Array, start: number, length: number, offset: number): number {
  let found = 0
  while (found < length) {
    const count = readSync(descriptor, memory, start + found, length - found, offset + found)
    if (count === 0) break
    found += count
  }
  return found
}

function writeFully(descriptor: number, memory: Uint8Array, start: number, length: number, offset: number): void {
  for (let done = 0; done < length; ) {
    done += writeSync(descriptor, memory, start + done, length - done, offset + done)
  }
}

/**
 * Waits until the content is on the disk, and the name of a new file, too. A log that another program has removed fails: what
 * is in it would be lost.
 */
function synchronise(file: OpenFile): number {
  fsyncSync(file.descriptor)
  if ((file.flags & open.wal) !== 0) {
    const { dev, ino } = fstatSync(file.descriptor)
    const found = statSync(file.path, { throwIfNoEntry: false })
    if (found?.dev !== dev || found.ino !== ino) return code.fsync
  }
  if (file.isNew) {
    if (!synchroniseFolder(file.path)) return code.directoryFsync
    file.isNew = false
  }
  return code.ok
}

function synchroniseFolder(path: string): boolean {
  let descriptor: number
  try {
    descriptor = openSync(dirname(path), constants.O_RDONLY)
  } catch (error) {
    // Windows cannot open a folder, and needs no such thing.
    return ['EISDIR', 'EPERM', 'EACCES'].includes(codeOf(error))
  }
  try {
    fsyncSync(descriptor)
    return true
  } catch (error) {
    return ['EINVAL', 'EPERM'].includes(codeOf(error))
  } finally {
    closeSync(descriptor)
  }
}

function deleteFile(path: string, syncFolder: boolean): number {
  try {
    unlinkSync(path)
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? code.deleteNoEntry : code.delete
  }
  return !syncFolder || synchroniseFolder(path) ? code.ok : code.directoryFsync
}

/** As the native code: an empty file does not exist. */
function isAccessible(path: string, asked: number): boolean {
  if (asked === access.exists) {
    const found = statSync(path, { throwIfNoEntry: false })
    return found !== undefined && (!found.isFile() || found.size > 0)
  }
  try {
    accessSync(path, constants.R_OK | (asked === access.readWrite ? constants.W_OK : 0))
    return true
  } catch {
    return false
  }
}

/** The path of the file that symbolic links lead to, so that each path of a database finds its log. */
function fullPath(path: string): string {
  const whole = resolve(path)
  if (statSync(whole, { throwIfNoEntry: false }) !== undefined) return realpathSync(whole)
  const folder = dirname(whole)
  return statSync(folder, { throwIfNoEntry: false }) === undefined
    ? whole
    : join(realpathSync(folder), whole.slice(folder.length + (folder.endsWith('/') ? 0 : 1)))
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
