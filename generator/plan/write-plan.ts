import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isFileSystemError } from './file-system-error.js'
import type { Plan } from './planned-file.js'

/**
 * Carries a plan out: only what changed is written, each file whole or not at all.
 *
 * @param plan one without foreign files
 * @throws a system error when something cannot be written; files before it are in place, none is half written
 */
export async function writePlan(plan: Plan): Promise<void> {
  if (plan.files.some(file => file.action === 'foreign'))
    throw new Error('a plan with foreign files must not be written')
  const folders = new Set([plan.folder])
  for (const file of plan.files) if (file.action === 'create') folders.add(dirname(join(plan.folder, file.path)))
  for (const folder of folders) await mkdir(folder, { recursive: true })
  for (const file of plan.files) {
    if (file.action === 'create' || file.action === 'update') await writeWhole(join(plan.folder, file.path), file.text)
    else if (file.action === 'delete') await deleteFile(plan.folder, file.path)
  }
}

/** Writes beside the file and renames, so that no reader ever meets half of it. */
async function writeWhole(path: string, text: string): Promise<void> {
  const beside = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`)
  try {
    await writeFile(beside, text, { flag: 'wx' })
    await rename(beside, path)
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
}

/** Deletes a file, and the folders below the output folder that are empty without it. */
async function deleteFile(folder: string, path: string): Promise<void> {
  await rm(join(folder, path))
  try {
    for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) await rmdir(join(folder, parent))
  } catch (error) {
    if (!isFileSystemError(error) || error.code !== 'ENOTEMPTY') throw error
  }
}
