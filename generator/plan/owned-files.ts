import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isOwned } from '../ownership.js'
import type { LookAt } from './disk-entry.js'
import { isMissing } from './file-system-error.js'

/** Folders below the output folder in which generated files live. */
const ownedFolders = ['runtime']

/** Endings of the files that are ever generated. */
const ownedEndings = /\.(?:ts|js|json|xml)$/

/** A generated file that is on disk. */
export interface OwnedFile {
  readonly path: string
  readonly text: string
}

/**
 * The files below the output folder that carry the mark of ownership. Only places where this generator writes are
 * searched, so that the output of another service in a folder below stays out of it; links are not followed.
 *
 * @param known paths that need not be looked at
 */
export function ownedFiles(folder: string, lookAt: LookAt, known: ReadonlySet<string>): readonly OwnedFile[] {
  const found: OwnedFile[] = []
  const search = (within: string): void => {
    for (const entry of entriesOf(join(folder, within))) {
      const path = within === '' ? entry.name : `${within}/${entry.name}`
      if (known.has(path)) continue
      if (entry.isDirectory() && (within !== '' || ownedFolders.includes(entry.name))) search(path)
      else if (entry.isFile() && ownedEndings.test(entry.name)) {
        const file = lookAt(path)
        if (file.kind === 'file' && isOwned(path, file.text)) found.push({ path, text: file.text })
      }
    }
  }
  search('')
  return found
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}
