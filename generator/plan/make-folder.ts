import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { isFileSystemError } from './file-system-error.js'

/**
 * Makes a folder, and those above it that are missing. Node's own `recursive` never returns where a file system, such as
 * `/proc`, says of a new folder that its parent is missing, which is there.
 *
 * @throws a system error when it cannot be made
 */
export function makeFolder(path: string): void {
  if (made(path)) return
  makeFolder(dirname(path))
  if (!made(path)) mkdirSync(path)
}

/** False when the folder above is missing. */
function made(path: string): boolean {
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
