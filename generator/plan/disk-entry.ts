import { constants } from 'node:fs'
import { lstat, open, realpath } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { isMissing } from './file-system-error.js'

/** What stands at a path below the output folder. */
export type DiskEntry =
  | { readonly kind: 'missing' }
  | { readonly kind: 'file'; readonly text: string }
  | { readonly kind: 'other'; readonly what: string }

/**
 * Looks at a path below the output folder without leaving it: a link, or a folder that is one, which leads outside is
 * `other`.
 *
 * @throws a system error when the path cannot be read
 */
export async function diskEntry(folder: string, path: string): Promise<DiskEntry> {
  const full = join(folder, path)
  const parent = await insideParent(folder, full)
  if (parent !== 'inside') return parent
  const found = await lstat(full).catch(missingAsUndefined)
  if (found === undefined) return { kind: 'missing' }
  if (found.isSymbolicLink()) return { kind: 'other', what: 'a symbolic link' }
  if (found.isDirectory()) return { kind: 'other', what: 'a folder' }
  if (!found.isFile()) return { kind: 'other', what: 'neither a file nor a folder' }
  // O_NOFOLLOW: what was a file a moment ago may be a link by now.
  const handle = await open(full, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  try {
    return { kind: 'file', text: await handle.readFile('utf8') }
  } finally {
    await handle.close()
  }
}

/** Walks up to the nearest folder that exists and asks whether it still lies within the output folder. */
async function insideParent(folder: string, full: string): Promise<DiskEntry | 'inside'> {
  const root = await realpath(folder).catch(missingAsUndefined)
  if (root === undefined) return { kind: 'missing' }
  for (let parent = dirname(full); parent.length >= folder.length; parent = dirname(parent)) {
    const found = await lstat(parent).catch(missingAsUndefined)
    if (found === undefined) continue
    const real = await realpath(parent).catch(missingAsUndefined)
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

function missingAsUndefined(error: unknown): undefined {
  if (isMissing(error)) return undefined
  throw error
}
