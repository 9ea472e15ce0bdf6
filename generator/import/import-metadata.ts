import type { Diagnostic } from '../../spec/language/index.js'
import { readStream } from '../../spec/language/source/read-stream.js'
import { readText } from '../../spec/language/source/read-text.js'
import { type ImportedSpec, importCsdl } from './import-csdl.js'
import type { ImportOptions } from './import-options.js'

/** Metadata that were read from a file, and the spec made of them. */
export interface ImportedFile {
  readonly source: { readonly path: string; readonly text: string }
  /** There when no diagnostic is an error. */
  readonly spec?: ImportedSpec
  readonly diagnostics: readonly Diagnostic[]
}

/** Whoever saves a document of UTF-16 anew may forget what it says of itself. */
const encodingAdvice = 'If its first line names another encoding (encoding="utf-16"), let it say utf-8, too.'

/**
 * Reads metadata and makes a spec of them. What keeps them from being read is a diagnostic, too.
 *
 * @param path the file, or what diagnostics call the input
 * @param input read instead of a file
 */
export async function importMetadata(
  path: string,
  options: ImportOptions = {},
  input?: AsyncIterable<Uint8Array>,
): Promise<ImportedFile> {
  const text = await (input === undefined ? readText(path) : readStream(input))
  if (typeof text !== 'string') {
    const place = { line: 1, column: 1, offset: 0, length: 0 }
    const { code } = text
    const message = code === 'file/not-utf-8' ? `${text.message} ${encodingAdvice}` : text.message
    return {
      source: { path, text: '' },
      diagnostics: [{ severity: 'error', code, message, path, place, related: [] }],
    }
  }
  const source = { path, text: text.startsWith('\uFEFF') ? text.slice(1) : text }
  const { spec, diagnostics } = importCsdl(source.text, path, options)
  return { source, diagnostics, ...(spec === undefined ? {} : { spec }) }
}
