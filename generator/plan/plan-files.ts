import type { GeneratedFile } from '../generated-file.js'
import { isOwned } from '../ownership.js'
import { type FileEntry, type LookAt, lookInto } from './disk-entry.js'
import { type OwnedFile, ownedFiles } from './owned-files.js'
import type { Plan, PlannedFile } from './planned-file.js'

/**
 * Gives what a file of the user's should hold, from what it holds; the same text when it is to be left alone, as it must
 * be when the text is not exact.
 */
export type ReviseFile = (path: string, file: FileEntry) => Promise<string>

/**
 * Compares what the generator emits with what the folder holds. Nothing is changed.
 *
 * @param folder the output folder, absolute; it need not exist
 * @param revise what becomes of files that are the user's; by default they stay as they are
 * @throws a system error when the folder cannot be read
 */
export async function planFiles(
  folder: string,
  files: readonly GeneratedFile[],
  revise: ReviseFile = async (_, { text }) => text,
): Promise<Plan> {
  const lookAt = lookInto(folder)
  const planned: PlannedFile[] = []
  for (const file of files) planned.push(await planFile(file, lookAt, revise))
  const emitted = new Set(files.map(file => file.path))
  const left = ownedFiles(folder, lookAt, emitted).map(planDeletion)
  return { folder, files: [...planned, ...left].sort((a, b) => (a.path < b.path ? -1 : 1)) }
}

async function planFile({ path, text, kind }: GeneratedFile, lookAt: LookAt, revise: ReviseFile): Promise<PlannedFile> {
  const entry = lookAt(path)
  if (entry.kind === 'missing') return { action: 'create', path, text }
  if (entry.kind === 'other') return { action: 'foreign', path, why: `it is ${entry.what}` }
  if (kind === 'once') {
    const revised = await revise(path, entry)
    return revised === entry.text
      ? { action: 'same', path }
      : { action: 'update', path, text: revised, before: entry.text }
  }
  // A checkout may have turned line ends into CRLF; that is no change of the file.
  if (entry.text === text || entry.text.replaceAll('\r\n', '\n') === text) return { action: 'same', path }
  if (!isOwned(path, entry.text)) return { action: 'foreign', path, why: whyForeign(path, lookAt) }
  return { action: 'update', path, text, before: entry.text }
}

function whyForeign(path: string, lookAt: LookAt): string {
  const source = path.replace(/\.(?:js|d\.ts)$/, '.ts')
  const found = source === path ? undefined : lookAt(source)
  return found?.kind === 'file' && isOwned(source, found.text)
    ? `it seems to be what a compiler made of ${source}`
    : 'it does not carry the header of a generated file'
}

const planDeletion = ({ path, text }: OwnedFile): PlannedFile => ({ action: 'delete', path, before: text })
