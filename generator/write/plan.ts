import { randomBytes } from 'node:crypto'
import { type Dirent, readdirSync, renameSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Diagnostic } from '../../spec/language/index.js'
import { canBeOwned, type GeneratedFile, isOwned } from '../generated-file.js'
import { unifiedDiff } from './diff.js'
import {
  createFolder,
  entryReader,
  type FileEntry,
  isFileSystemError,
  isMissing,
  type ReadEntry,
  writeFailureMessage,
} from './file-system.js'

/** The action for one file, so that the folder contains what the generator emits. */
export type PlannedFile =
  | { readonly action: 'create'; readonly path: string; readonly text: string }
  | { readonly action: 'update'; readonly path: string; readonly text: string; readonly before: string }
  | { readonly action: 'same'; readonly path: string }
  | { readonly action: 'delete'; readonly path: string; readonly before: string }
  /** Something that the generator does not own is in the place of a file: nothing may be written. */
  | { readonly action: 'foreign'; readonly path: string; readonly why: string }

/** All files of one run, by path in code-unit order. */
export interface Plan {
  /** The output folder, absolute. */
  readonly folder: string
  readonly files: readonly PlannedFile[]
}

/**
 * Returns the new text of a user's file, from its current text: the same text to keep it, which is required if the text is
 * not exact.
 */
export type ReviseFile = (path: string, file: FileEntry) => Promise<string>

/**
 * Compares what the generator emits with the content of the folder. Changes nothing.
 *
 * @param folder the output folder, absolute; it need not exist
 * @param revise returns the new text of the user's files; by default they stay unchanged
 * @throws a system error when the folder cannot be read
 */
export async function planFiles(
  folder: string,
  files: readonly GeneratedFile[],
  revise: ReviseFile = async (_, { text }) => text,
): Promise<Plan> {
  const lookAt = entryReader(folder)
  const planned: PlannedFile[] = []
  for (const file of files) planned.push(await planFile(file, lookAt, revise))
  const emitted = new Set(files.map(file => file.path))
  const left = ownedFiles(folder, lookAt, emitted, foldersOf(files)).map(planDeletion)
  return { folder, files: [...planned, ...left].sort((a, b) => (a.path < b.path ? -1 : 1)) }
}

async function planFile(
  { path, text, kind }: GeneratedFile,
  lookAt: ReadEntry,
  revise: ReviseFile,
): Promise<PlannedFile> {
  const entry = lookAt(path)
  if (entry.kind === 'missing') return { action: 'create', path, text }
  if (entry.kind === 'other') return { action: 'foreign', path, why: `it is ${entry.what}` }
  if (kind === 'once') {
    const revised = await revise(path, entry)
    return revised === entry.text
      ? { action: 'same', path }
      : { action: 'update', path, text: revised, before: entry.text }
  }
  // A checkout may have converted line ends to CRLF, which is not a change of the file.
  if (entry.text === text || entry.text.replaceAll('\r\n', '\n') === text) return { action: 'same', path }
  if (!isOwned(path, entry.text)) return { action: 'foreign', path, why: whyForeign(path, lookAt) }
  return { action: 'update', path, text, before: entry.text }
}

function whyForeign(path: string, lookAt: ReadEntry): string {
  const source = path.replace(/\.(?:js|d\.ts)$/, '.ts')
  const found = source === path ? undefined : lookAt(source)
  return found?.kind === 'file' && isOwned(source, found.text)
    ? `it seems to be what a compiler made of ${source}`
    : 'it does not carry the header of a generated file'
}

const planDeletion = ({ path, text }: OwnedFile): PlannedFile => ({ action: 'delete', path, before: text })

/** Folders below the output folder that contain generated files: that of the runtime, and those of emitters. */
const foldersOf = (files: readonly GeneratedFile[]): ReadonlySet<string> =>
  new Set([
    'runtime',
    ...files.flatMap(({ path, kind }) =>
      kind === 'generated' && path.includes('/') ? (path.split('/')[0] ?? []) : [],
    ),
  ])

/** A generated file that is on disk. */
interface OwnedFile {
  readonly path: string
  readonly text: string
}

/**
 * The files below the output folder with the ownership marker. Searches only folders where this generator writes, so that the
 * output of another service in a subfolder is not included. Does not follow links.
 *
 * @param known paths that need not be checked
 * @param folders the subfolders to search
 */
function ownedFiles(
  folder: string,
  lookAt: ReadEntry,
  known: ReadonlySet<string>,
  folders: ReadonlySet<string>,
): readonly OwnedFile[] {
  const found: OwnedFile[] = []
  const search = (within: string): void => {
    for (const entry of entriesOf(join(folder, within))) {
      const path = within === '' ? entry.name : `${within}/${entry.name}`
      if (known.has(path)) continue
      if (entry.isDirectory() && (within !== '' || folders.has(entry.name))) search(path)
      else if (entry.isFile() && canBeOwned(entry.name)) {
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

/** How many files a run touched. */
export interface Counts {
  readonly files: number
  readonly created: number
  readonly updated: number
  readonly deleted: number
  readonly unchanged: number
}

export function countFiles(plan: Plan): Counts {
  const count = (action: string): number => plan.files.filter(file => file.action === action).length
  const deleted = count('delete')
  return {
    files: plan.files.length - deleted,
    created: count('create'),
    updated: count('update'),
    deleted,
    unchanged: count('same'),
  }
}

/** A file that a run would change: what `--check` reports. */
export interface StaleFile {
  readonly path: string
  /** `changed`: the spec moved on, or the file was edited. `surplus`: it is no longer generated. */
  readonly state: 'missing' | 'changed' | 'surplus'
}

const states = { create: 'missing', update: 'changed', delete: 'surplus' } as const

/** The files that differ from what the generator emits; empty if the folder is up to date. */
export function staleFiles(plan: Plan): readonly StaleFile[] {
  return plan.files.flatMap(file =>
    file.action === 'same' || file.action === 'foreign' ? [] : [{ path: file.path, state: states[file.action] }],
  )
}

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

/**
 * The changes of a run, as one unified diff that `patch -p1` understands; empty if there are none.
 *
 * @param named returns the shown name of a file from its path below the output folder; default: that path
 */
export function planDiff(plan: Plan, named: (path: string) => string = path => path): string {
  return plan.files.map(file => fileDiff(file, named(file.path))).join('')
}

function fileDiff(file: PlannedFile, name: string): string {
  switch (file.action) {
    case 'create':
      return unifiedDiff('/dev/null', `b/${name}`, '', file.text)
    case 'update':
      return unifiedDiff(`a/${name}`, `b/${name}`, file.before, file.text)
    case 'delete':
      return unifiedDiff(`a/${name}`, '/dev/null', file.before, '')
    default:
      return ''
  }
}

/** An error about a file of the output, not about the spec. */
export function fileDiagnostic(code: string, message: string, out: string, path = '', line = 1): Diagnostic {
  return {
    severity: 'error',
    code,
    message,
    path: join(out, path),
    location: { line, column: 1, offset: 0, length: 0 },
    related: [],
  }
}
