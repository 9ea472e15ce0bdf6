import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isOwned } from '../ownership.js'
import { diskEntry } from './disk-entry.js'
import { isMissing } from './file-system-error.js'

/** Folders below the output folder in which generated files live. */
const ownedFolders = ['runtime', 'schemas']

/** Endings of the files that are ever generated. */
const ownedEndings = /\.(?:ts|json|xml)$/

/** A generated file that is on disk. */
export interface OwnedFile {
  readonly path: string
  readonly text: string
}

/**
 * The files below the output folder that carry the mark of ownership. Only places where this generator writes are
 * searched, so that the output of another service in a folder below stays out of it; links are not followed.
 */
export async function ownedFiles(folder: string): Promise<readonly OwnedFile[]> {
  const found: OwnedFile[] = []
  const search = async (within: string): Promise<void> => {
    const entries = await readdir(join(folder, within), { withFileTypes: true }).catch((error: unknown) => {
      if (isMissing(error)) return []
      throw error
    })
    for (const entry of entries) {
      const path = within === '' ? entry.name : `${within}/${entry.name}`
      if (entry.isDirectory() && (within !== '' || ownedFolders.includes(entry.name))) await search(path)
      else if (entry.isFile() && ownedEndings.test(entry.name)) {
        const file = await diskEntry(folder, path)
        if (file.kind === 'file' && isOwned(file.text)) found.push({ path, text: file.text })
      }
    }
  }
  await search('')
  return found
}
