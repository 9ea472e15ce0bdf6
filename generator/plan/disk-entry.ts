import { isUtf8 } from 'node:buffer'
import { closeSync, constants, lstatSync, openSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { isMissing } from './file-system-error.js'

/** What stands at a path below the output folder. */
export type DiskEntry = { readonly kind: 'missing' } | FileEntry | { readonly kind: 'other'; readonly what: string }

export interface FileEntry {
  readonly kind: 'file'
  readonly text: string
  /** The bytes are UTF-8, so that the text gives them again when it is written. */
  readonly isExact: boolean
}

/**
 * Looks at paths below a folder without ever leaving it: a link, or a folder that is one, which leads outside is
 * `other`. Calls are synchronous: hundreds of small files are read several times as fast that way.
 */
export type LookAt = (path: string) => DiskEntry

/** @throws a system error when something there cannot be read */
export function lookInto(folder: string): LookAt {
  const root = orUndefined(() => realpathSync(folder))
  const parents = new Map<string, DiskEntry | 'inside'>()
  return path => {
    if (root === undefined) return { kind: 'missing' }
    const full = join(folder, path)
    const parent = dirname(full)
    const place = parents.get(parent) ?? placeOf(parent, folder, root)
    parents.set(parent, place)
    return place === 'inside' ? entryAt(full) : place
  }
}

/** Bytes; what users keep beside the output may be longer than a text can be. */
const largest = 256 * 1024 * 1024

function entryAt(full: string): DiskEntry {
  const found = orUndefined(() => lstatSync(full))
  if (found === undefined) return { kind: 'missing' }
  if (found.isSymbolicLink()) return { kind: 'other', what: 'a symbolic link' }
  if (found.isDirectory()) return { kind: 'other', what: 'a folder' }
  if (!found.isFile()) return { kind: 'other', what: 'neither a file nor a folder' }
  if (found.size > largest) return { kind: 'other', what: 'larger than anything generated' }
  // O_NOFOLLOW: what was a file a moment ago may be a link by now.
  const descriptor = openSync(full, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  try {
    const bytes = readFileSync(descriptor)
    return { kind: 'file', text: bytes.toString('utf8'), isExact: isUtf8(bytes) }
  } finally {
    closeSync(descriptor)
  }
}

/** Walks up to the nearest folder that exists and asks whether it still lies within the output folder. */
function placeOf(start: string, folder: string, root: string): DiskEntry | 'inside' {
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
