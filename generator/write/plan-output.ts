import { lstatSync, statSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import type { Diagnostic, LoadedSpec } from '../../spec/language/index.js'
import { handlersFiles } from '../emit/server/emit-handlers.js'
import { generateFrom, isUnmarked } from '../generate.js'
import { type GenerateOptions, type ImportExtension, withExtension } from '../generate-options.js'
import type { GeneratedFile } from '../generated-file.js'
import { decideNames } from '../names/decide-names.js'
import { addHandlers, type HandlerProblem, ParserMissingError } from './add-handlers.js'
import { isFileSystemError, writeFailureMessage } from './file-system.js'
import { fileDiagnostic, type Plan, planFiles, type ReviseFile } from './plan.js'

/** What to generate from a spec, and where it goes. */
export interface OutputOptions extends GenerateOptions {
  /** The output folder, absolute; it need not exist. */
  readonly out: string
  /** Append stubs for the handlers that the user's files lack. */
  readonly addHandlers?: boolean | undefined
  /** The formatter of the project. */
  readonly format?: FormatFile | undefined
}

/** What a run would do. */
export interface PlannedOutput {
  /** Present if no diagnostic is an error. Nothing is written yet. */
  readonly plan?: Plan
  /** Of the spec, of its names in generated code, and of the output folder. */
  readonly diagnostics: readonly Diagnostic[]
  /** Handlers that the plan adds to the user's files, `me.messages.list`. */
  readonly addedHandlers: readonly string[]
}

/** Plans the output of a loaded spec: compares it with the folder, and changes nothing. */
export async function planOutput(loaded: LoadedSpec, options: OutputOptions): Promise<PlannedOutput> {
  const { files: emitted, diagnostics: found } = generateFrom(loaded, options)
  const diagnostics: Diagnostic[] = [...found]
  const addedHandlers: string[] = []
  if (hasErrors(diagnostics)) return { diagnostics, addedHandlers }
  const { files, diagnostics: failures } = await formatFiles(emitted, options.out, options.format)
  diagnostics.push(...failures)
  if (hasErrors(diagnostics)) return { diagnostics, addedHandlers }
  const add = options.addHandlers === true ? handlerReviser(loaded, options, diagnostics, addedHandlers) : undefined
  const outputs = new Set(files.map(({ path }) => path))
  const revise: ReviseFile = async (path, file) => {
    const warning = importWarning(path, file.text, options, outputs)
    if (warning !== undefined) diagnostics.push(warning)
    return add === undefined ? file.text : add(path, file)
  }
  try {
    const message = folderProblem(options.out)
    if (message !== undefined) {
      return { diagnostics: [...diagnostics, fileDiagnostic('output/no-folder', message, options.out)], addedHandlers }
    }
    const plan = await planFiles(options.out, files, revise)
    for (const file of plan.files) {
      if (file.action !== 'foreign') continue
      const message = `${file.path} would be generated, but ${file.why}. Move it away, or generate into another folder.`
      diagnostics.push(fileDiagnostic('output/foreign', message, options.out, file.path))
    }
    addedHandlers.sort()
    return hasErrors(diagnostics) ? { diagnostics, addedHandlers } : { plan, diagnostics, addedHandlers }
  } catch (error) {
    if (error instanceof ParserMissingError) {
      const missing = fileDiagnostic('output/no-parser', error.message, options.out)
      return { diagnostics: [...diagnostics, missing], addedHandlers: [] }
    }
    if (!isFileSystemError(error)) throw error
    if (error.code === 'ENOTDIR') {
      const why = writeFailureMessage('The output', 'folder', error)
      return { diagnostics: [...diagnostics, fileDiagnostic('output/no-folder', why, options.out)], addedHandlers }
    }
    const message = `The output folder cannot be read (${error.code}). Name one that this user may read and write.`
    return { diagnostics: [...diagnostics, fileDiagnostic('output/unreadable', message, options.out)], addedHandlers }
  }
}

/** The warning about imports in a user's file that resolve for the compiler, but not at run time. */
function importWarning(
  path: string,
  text: string,
  { out, importExtension = 'js' }: OutputOptions,
  outputs: ReadonlySet<string>,
): Diagnostic | undefined {
  const [first, ...others] = wrongImportExtensions(path, text, importExtension, outputs)
  if (first === undefined) return undefined
  const { line, specifier, expected } = first
  const more = others.length === 0 ? '' : ` and ${others.length} more with that extension`
  const message = `${path} imports '${specifier}'${more}. The compiler resolves ${others.length === 0 ? 'it, but it fails' : 'them, but they fail'} at run time. Write '${expected}', as the generated files do.`
  return { ...fileDiagnostic('output/imports', message, out, path, line), severity: 'warning' }
}

/** Undefined if there is a folder, or nothing yet. @throws a system error if the path cannot be read */
function folderProblem(path: string): string | undefined {
  if (dirname(path) === path) {
    return 'The output folder is the root of the file system. Generated files belong into a folder of their own: name one.'
  }
  const found = statSync(path, { throwIfNoEntry: false })
  if (found !== undefined) {
    return found.isDirectory() ? undefined : 'The output folder is a file. Name a folder; it need not exist.'
  }
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined
  return 'The output folder is a symbolic link whose target does not exist. Create the target, or name another folder.'
}

const hasErrors = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some(({ severity }) => severity === 'error')

const notUtf8: HandlerProblem = {
  line: 1,
  message: 'the file is not UTF-8, so nothing is added to it. Save it in that encoding',
}

/** Adds the handlers that a user's file lacks. What is unclear in the file becomes a warning. */
function handlerReviser(
  { service }: LoadedSpec,
  { out, templates }: OutputOptions,
  diagnostics: Diagnostic[],
  addedHandlers: string[],
): ReviseFile | undefined {
  if (service === undefined) return undefined
  const files = new Map(handlersFiles(service, decideNames(service).names).map(({ path, stubs }) => [path, stubs]))
  return async (path, { text, isExact }) => {
    const stubs = files.get(path)
    if (stubs === undefined) return text
    const result = isExact ? await addHandlers(text, stubs, templates) : { text, added: [], problems: [notUtf8] }
    addedHandlers.push(...result.added)
    for (const { line, message } of result.problems) {
      diagnostics.push({ ...fileDiagnostic('output/handlers', `${message}.`, out, path, line), severity: 'warning' })
    }
    return result.text
  }
}

/** An import that the compiler resolves to a generated file, but that fails at run time. */
interface WrongImportExtension {
  readonly line: number
  readonly specifier: string
  readonly expected: string
}

const relativeImport = /\b(?:from|import)\s*\(?\s*(['"])(\.{1,2}\/[^'"\n]*\.js)\1/g

/**
 * Finds where a user's file imports `./types.js` although generated imports have another extension. The compiler reports
 * nothing, because it resolves both to `types.ts`.
 *
 * @param path of the file, relative to the output folder
 * @param outputs paths of all files that are generated, relative to it
 */
export function wrongImportExtensions(
  path: string,
  text: string,
  extension: ImportExtension,
  outputs: ReadonlySet<string>,
): readonly WrongImportExtension[] {
  if (extension === 'js') return []
  return [...text.matchAll(relativeImport)].flatMap(({ index, 2: specifier = '' }) => {
    const meant = posix.join(posix.dirname(path), specifier.replace(/\.js$/, '.ts'))
    if (!outputs.has(meant)) return []
    const line = text.slice(0, index).split('\n').length
    return [{ line, specifier, expected: withExtension(specifier, extension) }]
  })
}

/**
 * Formats the text of a file that is not written yet.
 *
 * @param path where it will be, absolute: formatters choose their rules by it
 * @throws FormatFailure if the formatter refuses the text, or cannot be run
 */
export type FormatFile = (text: string, path: string) => Promise<string>

/** The formatter of the project failed. The message says why. */
export class FormatFailure extends Error {
  override readonly name = 'FormatFailure'
}

/** Files that are formatted at the same time: each may be a process. */
const concurrency = 4

/** Formats all files. After the first failure, no further file is formatted. */
async function formatFiles(
  files: readonly GeneratedFile[],
  out: string,
  format: FormatFile | undefined,
): Promise<{ readonly files: readonly GeneratedFile[]; readonly diagnostics: readonly Diagnostic[] }> {
  if (format === undefined) return { files, diagnostics: [] }
  const formatted: GeneratedFile[] = [...files]
  const diagnostics: Diagnostic[] = []
  const reasons = new Set<string>()
  const waiting = [...files.entries()]
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined && diagnostics.length === 0; next = waiting.shift()) {
      const [index, file] = next
      try {
        const result = { ...file, text: await format(file.text, join(out, file.path)) }
        formatted[index] = result
        if (isUnmarked(result)) {
          const message = `The formatter removed the ownership marker of ${file.path}. Exclude the file from it.`
          diagnostics.push(fileDiagnostic('output/format', message, out, file.path))
        }
      } catch (error) {
        if (!(error instanceof FormatFailure)) throw error
        // Files that were formatted at the same time fail for the same reason.
        if (reasons.has(error.message)) continue
        reasons.add(error.message)
        diagnostics.push(
          fileDiagnostic('output/format', `${file.path} cannot be formatted. ${error.message}`, out, file.path),
        )
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return { files: formatted, diagnostics }
}
