import type { Diagnostic } from '../diagnostics/diagnostic.js'
import { readPlainStyle } from './plain-style/read-plain-style.js'
import { readText } from './read-text.js'
import type { Source, SourceResult } from './source.js'
import { parseYamlTree } from './yaml-tree.js'

/** In UTF-16 code units: the full parser takes half a gigabyte of memory for a megabyte of ill-meant YAML. */
const maxTreeLength = 4 * 1024 * 1024

function tooLong(text: string, path: string): SourceResult {
  const location = { line: 1, column: 1, offset: 0, length: 0 }
  const message =
    'The file is longer than 4 MB, and not in plain style: no anchors, aliases, tags or complex keys, spaces for ' +
    'indentation. Write it in plain style, or make it shorter.'
  return {
    source: { path, text, document: undefined, at: () => location },
    diagnostics: [{ severity: 'error', code: 'yaml/too-long', message, path, location, related: [] }],
  }
}

/**
 * Parses the text of a spec as YAML 1.2, core schema, one document, without merge keys and tags.
 *
 * A text in plain style is read without the full parser, which would take ten times as long: measured on a model of 500
 * entity sets, 0.06 s instead of 0.6 s. Where its parts stand is found when it is first asked.
 *
 * @param text the YAML
 * @param path how diagnostics name it
 */
export function parseSource(text: string, path: string): SourceResult {
  const content = text.startsWith('\uFEFF') ? text.slice(1) : text
  const plain = readPlainStyle(content)
  if (plain === undefined) {
    return content.length > maxTreeLength ? tooLong(content, path) : parseYamlTree(content, path)
  }
  let located: Source | undefined
  const at: Source['at'] = (pointer, part) => {
    located ??= parseYamlTree(content, path).source
    return located.at(pointer, part)
  }
  return { source: { path, text: content, document: plain.document, at }, diagnostics: [] }
}

/**
 * Reads and parses a spec. What keeps it from being read is a diagnostic, too; a file that is too long is not read.
 *
 * @param path the file
 */
export async function readSource(path: string): Promise<SourceResult> {
  const text = await readText(path)
  return typeof text === 'string' ? parseSource(text, path) : unreadable(path, text.code, text.message)
}

function unreadable(path: string, code: string, message: string): SourceResult {
  const location = { line: 1, column: 1, offset: 0, length: 0 }
  const diagnostic: Diagnostic = { severity: 'error', code, message, path, location, related: [] }
  return { source: { path, text: '', document: undefined, at: () => location }, diagnostics: [diagnostic] }
}
