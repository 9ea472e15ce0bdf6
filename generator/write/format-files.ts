import { join } from 'node:path'
import type { Diagnostic } from '../../spec/language/index.js'
import { isUnmarked } from '../generate.js'
import type { GeneratedFile } from '../generated-file.js'
import { fileDiagnostic } from './file-system.js'

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
export async function formatFiles(
  files: readonly GeneratedFile[],
  out: string,
  format: FormatFile | undefined,
): Promise<{ readonly files: readonly GeneratedFile[]; readonly diagnostics: readonly Diagnostic[] }> {
  if (format === undefined) return { files, diagnostics: [] }
  const formatted: GeneratedFile[] = [...files]
  const diagnostics: Diagnostic[] = []
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
        diagnostics.push(
          fileDiagnostic('output/format', `${file.path} cannot be formatted. ${error.message}`, out, file.path),
        )
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return { files: formatted, diagnostics }
}
