import { type Diagnostic, readStream, readText } from '../../spec/language/index.js'
import type { ImportOptions } from './derived/document.js'
import type { ImportedSpec } from './import-csdl.js'

/** Metadata from a file, and the resulting spec. */
interface ImportedFile {
  readonly source: { readonly path: string; readonly text: string }
  /** Present if no diagnostic is an error. */
  readonly spec?: ImportedSpec
  readonly diagnostics: readonly Diagnostic[]
}

/** An editor that converts a UTF-16 document may leave its XML declaration as it is. */
const encodingAdvice = 'If its first line names another encoding (encoding="utf-16"), change that to utf-8, too.'

/**
 * Converts metadata to a spec. If the metadata can't be read, a diagnostic says why.
 *
 * @param path the file, or the name of the input in diagnostics
 * @param input read instead of the file
 */
export async function importMetadata(
  path: string,
  options: ImportOptions = {},
  input?: AsyncIterable<Uint8Array>,
): Promise<ImportedFile> {
  const text = await (input === undefined ? readText(path) : readStream(input))
  if (typeof text !== 'string') {
    const location = { line: 1, column: 1, offset: 0, length: 0 }
    const { code } = text
    const message = code === 'file/not-utf-8' ? `${text.message} ${encodingAdvice}` : text.message
    return {
      source: { path, text: '' },
      diagnostics: [{ severity: 'error', code, message, path, location, related: [] }],
    }
  }
  const source = { path, text: text.startsWith('\uFEFF') ? text.slice(1) : text }
  // Few runs import, so the importer and its XML parser are loaded only here.
  const { importCsdl } = await import('./import-csdl.js')
  const { spec, diagnostics } = importCsdl(source.text, path, options)
  return { source, diagnostics, ...(spec === undefined ? {} : { spec }) }
}
