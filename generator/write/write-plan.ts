import { randomBytes } from 'node:crypto'
import { renameSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Diagnostic } from '../../spec/language/index.js'
import { createFolder, fileDiagnostic, isFileSystemError, writeFailureMessage } from './file-system.js'
import type { Plan } from './plan.js'

/** Carries out a plan. Returns the diagnostics; none if everything is written. */
export async function writeOutput(plan: Plan): Promise<readonly Diagnostic[]> {
  try {
    writePlan(plan)
    return []
  } catch (error) {
    if (!isFileSystemError(error)) throw error
    return [fileDiagnostic('output/unwritable', writeFailureMessage('The output', 'folder', error), plan.folder)]
  }
}

/**
 * Carries out a plan: writes only what changed, and each file completely or not at all.
 *
 * @param plan one without foreign files
 * @throws a system error if a file cannot be written; earlier files are in place, and none is partial
 */
export function writePlan(plan: Plan): void {
  if (plan.files.some(file => file.action === 'foreign'))
    throw new Error('a plan with foreign files must not be written')
  const created = plan.files.filter(file => file.action === 'create')
  const deleted = plan.files.filter(file => file.action === 'delete')
  // Last, so that nothing is deleted before its replacement exists. But on a case-insensitive file system, the old name
  // could be the new file.
  const names = new Set(created.map(({ path }) => path.toLowerCase()))
  const isInTheWay = ({ path }: { readonly path: string }): boolean => names.has(path.toLowerCase())
  for (const { path } of deleted.filter(isInTheWay)) deleteFile(plan.folder, path)
  const folders = new Set([plan.folder, ...created.map(({ path }) => dirname(join(plan.folder, path)))])
  for (const folder of folders) createFolder(folder)
  for (const file of plan.files) {
    if (file.action === 'create' || file.action === 'update') writeWhole(join(plan.folder, file.path), file.text)
  }
  for (const file of deleted) if (!isInTheWay(file)) deleteFile(plan.folder, file.path)
}

/** Writes beside the file and renames, so that no reader sees a partial file. */
function writeWhole(path: string, text: string): void {
  const beside = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`)
  try {
    writeFileSync(beside, text, { flag: 'wx' })
    renameSync(beside, path)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}

/** Deletes a file, and the folders below the output folder that are empty without it. */
function deleteFile(folder: string, path: string): void {
  unlinkSync(join(folder, path))
  try {
    for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) rmdirSync(join(folder, parent))
  } catch (error) {
    if (!isFileSystemError(error) || error.code !== 'ENOTEMPTY') throw error
  }
}
