import { isUtf8 } from 'node:buffer'
import { closeSync, constants, lstatSync, mkdirSync, openSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'

/** A failure that the system reports, with its code: `ENOENT`, `EACCES`. */
interface FileSystemError extends Error {
  readonly code: string
}

export function isFileSystemError(error: unknown): error is FileSystemError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && /^E[A-Z0-9]+$/.test(error.code)
}

/** Nothing exists at the path: neither the file, nor the folder that it would be in. */
export function isMissing(error: unknown): boolean {
  return isFileSystemError(error) && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

/**
 * The reason why a file, or a folder and its content, cannot be written, and what to do.
 *
 * @param shown the path, as the user wrote it
 * @param kind what the user named the path as
 */
export function writeFailureMessage(shown: string, kind: 'file' | 'folder', { code }: FileSystemError): string {
  const found = `${shown} cannot be written (${code})`
  switch (code) {
    case 'ENOENT':
      return kind === 'file'
        ? `The folder of ${shown} does not exist. Create it first.`
        : `${found}: on the way to it is a link that leads nowhere, or nothing can be made there. Name another folder.`
    case 'EISDIR':
      return `${shown} is a folder. Name a file in it.`
    case 'ENOTDIR':
    case 'EEXIST':
      return `${found}: a file is in the place of a folder. Move it away, or name another ${kind}.`
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `${found}. Name a ${kind === 'file' ? 'file in a folder' : 'folder'} that this user may write to.`
    case 'ENOSPC':
    case 'EDQUOT':
      return `${found}: the disk is full. Free some space, or name a ${kind} on another disk.`
    default:
      return `${found}. Name another ${kind}.`
  }
}

/** What exists at a path below the output folder. */
type DiskEntry = { readonly kind: 'missing' } | FileEntry | { readonly kind: 'other'; readonly what: string }

export interface FileEntry {
  readonly kind: 'file'
  readonly text: string
  /** The bytes are valid UTF-8, so writing the text restores them. */
  readonly isExact: boolean
}

/**
 * Reads paths below a folder without leaving it: a link to the outside is `other`. Calls are synchronous, which reads hundreds
 * of small files several times as fast.
 */
export type ReadEntry = (path: string) => DiskEntry

/** @throws a system error if the path cannot be read */
export function entryReader(folder: string): ReadEntry {
  const root = orUndefined(() => realpathSync(folder))
  const parents = new Map<string, DiskEntry | 'inside'>()
  return path => {
    if (root === undefined) return { kind: 'missing' }
    const full = join(folder, path)
    const parent = dirname(full)
    const place = parents.get(parent) ?? containment(parent, folder, root)
    parents.set(parent, place)
    return place === 'inside' ? entryAt(full) : place
  }
}

/** In bytes. Files of users may be longer than a string can be. */
const largestFile = 256 * 1024 * 1024

function entryAt(full: string): DiskEntry {
  const found = orUndefined(() => lstatSync(full))
  if (found === undefined) return { kind: 'missing' }
  if (found.isSymbolicLink()) return { kind: 'other', what: 'a symbolic link' }
  if (found.isDirectory()) return { kind: 'other', what: 'a folder' }
  if (!found.isFile()) return { kind: 'other', what: 'neither a file nor a folder' }
  if (found.size > largestFile) return { kind: 'other', what: 'larger than anything generated' }
  // O_NOFOLLOW: a file may have become a link meanwhile.
  const descriptor = openSync(full, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  try {
    const bytes = readFileSync(descriptor)
    return { kind: 'file', text: bytes.toString('utf8'), isExact: isUtf8(bytes) }
  } finally {
    closeSync(descriptor)
  }
}

/** Walks up to the nearest existing folder and checks that it is within the output folder. */
function containment(start: string, folder: string, root: string): DiskEntry | 'inside' {
  for (let parent = start; parent.length >= folder.length; parent = dirname(parent)) {
    const found = orUndefined(() => lstatSync(parent))
    if (found === undefined) continue
    const real = orUndefined(() => realpathSync(parent))
    if (real === undefined) return { kind: 'other', what: 'below a symbolic link that leads nowhere' }
    if (real !== root && !real.startsWith(root.endsWith(sep) ? root : root + sep)) {
      return { kind: 'other', what: 'below a symbolic link that leads out of the output folder' }
    }
    return found.isDirectory() || found.isSymbolicLink()
      ? 'inside'
      : { kind: 'other', what: 'below something that is no folder' }
  }
  return 'inside'
}

function orUndefined<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/**
 * Creates a folder and its missing parents. The option `recursive` of Node.js never returns if a file system, such as `/proc`,
 * reports that an existing parent is missing.
 *
 * @throws a system error if it cannot be created
 */
export function createFolder(path: string): void {
  if (createIfParentExists(path)) return
  createFolder(dirname(path))
  if (!createIfParentExists(path)) mkdirSync(path)
}

/** False if the parent folder is missing. */
function createIfParentExists(path: string): boolean {
  try {
    mkdirSync(path)
    return true
  } catch (error) {
    if (!isFileSystemError(error)) throw error
    if (error.code === 'ENOENT' && dirname(path) !== path) return false
    if (error.code === 'EEXIST' || error.code === 'EISDIR') return true
    throw error
  }
}
