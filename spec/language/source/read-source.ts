import type { Diagnostic } from '../diagnostics/diagnostic.js'
import { readText } from './read-text.js'
import { sourceOf } from './source-of.js'
import type { SourceResult } from './source-result.js'

/**
 * Reads and parses a spec. What keeps it from being read is a diagnostic, too; a file that is too long is not read.
 *
 * @param path the file
 */
export async function readSource(path: string): Promise<SourceResult> {
  const text = await readText(path)
  return typeof text === 'string' ? sourceOf(text, path) : unreadable(path, text.code, text.message)
}

function unreadable(path: string, code: string, message: string): SourceResult {
  const place = { line: 1, column: 1, offset: 0, length: 0 }
  const diagnostic: Diagnostic = { severity: 'error', code, message, path, place, related: [] }
  return { source: { path, text: '', document: undefined, at: () => place }, diagnostics: [diagnostic] }
}
