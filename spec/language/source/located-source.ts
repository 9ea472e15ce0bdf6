import type { Alias, Node } from 'yaml'
import type { Diagnostic, SourcePlace } from '../diagnostics/diagnostic.js'
import { forbiddenCharacter } from './forbidden-character.js'
import { lineFinder } from './line-finder.js'
import { nodeLocator } from './node-locator.js'
import { type NodeFault, plainData } from './plain-data.js'
import type { SourceResult } from './source-result.js'
import { yamlLibrary } from './yaml-library.js'

/** Faults beyond these are left out: a file that is no YAML at all would give thousands. */
const mostFaults = 50

/**
 * Parses the text of a spec by the full parser, which knows where each part stands.
 *
 * @param content the YAML, without byte order mark
 * @param path how diagnostics name it
 */
export function locatedSource(content: string, path: string): SourceResult {
  const place = lineFinder(content)
  const diagnostics: Diagnostic[] = []
  const report = (code: string, message: string, where: SourcePlace, related: Diagnostic['related'] = []): void => {
    if (diagnostics.length < mostFaults)
      diagnostics.push({ severity: 'error', code, message, path, place: where, related })
  }
  const nothing = (): SourceResult => ({
    source: { path, text: content, document: undefined, at: () => place(0, 0) },
    diagnostics,
  })

  const control = forbiddenCharacter.exec(content)
  if (control) {
    const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
    const message = `The character U+${code} may not stand in YAML; write it as an escape in double quotes, "\\u${code}".`
    report('yaml/control-character', message, place(control.index, control.index + 1))
    return nothing()
  }
  const document = parse(content)
  if (document.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')) {
    report('yaml/too-deep', 'The document is nested too deeply to be read.', place(0, 0))
    return nothing()
  }
  for (const { code, message, pos } of document.errors) {
    if (code === 'MULTIPLE_DOCS') {
      report(
        'yaml/multiple-documents',
        'A spec is one YAML document; a second one begins here.',
        place(pos[0], pos[0] + 3),
      )
    } else {
      report(`yaml/${code.toLowerCase().replaceAll('_', '-')}`, sentence(message), place(pos[0], pos[1]))
    }
  }
  // What the parser made of broken YAML would only give errors that follow from it.
  if (document.errors.length > 0) return nothing()
  if (document.directives.yaml.explicit && document.directives.yaml.version !== '1.2') {
    report('yaml/version', 'A spec is YAML 1.2; remove the directive `%YAML`.', place(0, content.indexOf('\n')))
  }

  if (document.contents === null || isEmpty(document.contents)) {
    report('yaml/empty', 'The file is empty; a spec begins with `specwright: 1`.', place(0, 0))
    return nothing()
  }

  const targets = new WeakMap<Alias, Node>()
  const placeOf = (node: Node | undefined): SourcePlace => place(node?.range?.[0] ?? 0, node?.range?.[1] ?? 0)
  let isFatal = false
  const fault = ({ code, message, node, related }: NodeFault): void => {
    if (code === 'yaml/too-many-aliases' || code === 'yaml/too-deep') isFatal = true
    const others = related === undefined ? [] : [{ message: related.message, place: placeOf(related.node) }]
    report(code, message, placeOf(node), others)
  }
  const data = plainData(document.contents, targets, fault)
  if (isFatal) return nothing()
  const at = nodeLocator(document.contents, targets, place)
  return { source: { path, text: content, document: data, at }, diagnostics }
}

const sentence = (message: string): string => (message.endsWith('.') ? message : `${message}.`)

function isEmpty(content: Node): boolean {
  return yamlLibrary().isScalar(content) && content.source === ''
}

function parse(text: string) {
  return yamlLibrary().parseDocument(text, {
    version: '1.2',
    schema: 'core',
    merge: false,
    // Done by plainData, which takes linear time.
    uniqueKeys: false,
    prettyErrors: false,
    // Anything less and a second document would pass unnoticed.
    logLevel: 'error',
  })
}
