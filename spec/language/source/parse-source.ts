import { createRequire } from 'node:module'
import { EVENT_ID, type Event, parseEvents, YAMLException } from 'js-yaml'
import type { Diagnostic } from '../diagnostics/diagnostic.js'
import { readText } from './read-text.js'
import { lineIndex, type Source, type SourceResult } from './source.js'
import { rangeOf, type TextRange, tooDeep, type YamlProblem, yamlData } from './yaml-data.js'
import { yamlLocator } from './yaml-locations.js'

/** Characters that YAML forbids in a file: control characters other than tab and line break. @see YAML 1.2, 5.1 */
export const forbiddenCharacter = /[\0-\x08\x0B\x0C\x0E-\x1F\x7F\uFFFE\uFFFF]/

/** Problems beyond this number are not reported: a file that is not YAML at all would have thousands. */
const maxProblems = 50

/** In UTF-16 code units: `yaml` takes half a gigabyte of memory for a megabyte of malicious text. */
const maxExplainedLength = 1024 * 1024

/**
 * Reads and parses a spec. If the file cannot be read, the result has a diagnostic. A file that is too long is not read.
 *
 * @param path the file
 */
export async function readSource(path: string): Promise<SourceResult> {
  const text = await readText(path)
  if (typeof text === 'string') return parseSource(text, path)
  const location = { line: 1, column: 1, offset: 0, length: 0 }
  const diagnostic: Diagnostic = { severity: 'error', ...text, path, location, related: [] }
  return { source: { path, text: '', document: undefined, at: () => location }, diagnostics: [diagnostic] }
}

/**
 * Parses the text of a spec: YAML 1.2, core schema, one document, no merge keys, no tags but those of the schema.
 *
 * @param path the name of the file in diagnostics
 */
export function parseSource(text: string, path: string): SourceResult {
  const content = text.startsWith('\uFEFF') ? text.slice(1) : text
  const locationOf = lineIndex(content)
  const { document, problems } = parseYaml(content)
  // Events take more memory than the data, so they are parsed again when somebody asks for a location.
  let locate: ReturnType<typeof yamlLocator> | undefined
  const at: Source['at'] = (pointer, part = 'value') => {
    if (document === undefined) return locationOf(0, 0)
    locate ??= yamlLocator(content, eventsOf(content).slice(1))
    return locationOf(...locate(pointer, part))
  }
  const diagnostics = problems.slice(0, maxProblems).map(
    ({ code, message, range, related }): Diagnostic => ({
      severity: 'error',
      code,
      message,
      path,
      location: locationOf(...range),
      related: related === undefined ? [] : [{ message: related.message, location: locationOf(...related.range) }],
    }),
  )
  return { source: { path, text: content, document, at }, diagnostics }
}

interface ParsedYaml {
  /** Undefined when the text has no usable content. */
  readonly document: unknown
  readonly problems: readonly YamlProblem[]
}

function parseYaml(text: string): ParsedYaml {
  const control = forbiddenCharacter.exec(text)
  if (control) {
    const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
    const message = `The character U+${code} is not allowed in YAML. Write it as an escape in double quotes, "\\u${code}".`
    return failed({ code: 'yaml/control-character', message, range: [control.index, control.index + 1] })
  }
  let events: readonly Event[]
  try {
    events = eventsOf(text)
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    return { document: undefined, problems: syntaxProblems(text, error) }
  }
  const [start, content] = events
  if (
    start?.type !== EVENT_ID.DOCUMENT ||
    content === undefined ||
    (content.type === EVENT_ID.SCALAR && content.valueStart === -1)
  ) {
    return failed({
      code: 'yaml/empty',
      message: 'The file is empty. A spec begins with `specwright: 1`.',
      range: [0, 0],
    })
  }
  const second = events.findIndex(({ type }, index) => index > 0 && type === EVENT_ID.DOCUMENT)
  if (second !== -1) return failed(secondDocument(text, events.slice(0, second)))
  const problems: YamlProblem[] = []
  if (start.directives.some(directive => directive.kind === 'yaml' && directive.version !== '1.2')) {
    const message = 'A spec is YAML 1.2. Remove the directive `%YAML`.'
    problems.push({ code: 'yaml/version', message, range: [0, text.indexOf('\n')] })
  }
  const document = yamlData(text, events.slice(1), problem => problems.push(problem))
  return { document, problems }
}

/**
 * The events of a text. In flow collections, js-yaml 5.5 takes a tab between entries for indentation, so it sees spaces
 * instead. Scalars are read from the text itself.
 */
function eventsOf(text: string): readonly Event[] {
  const spaced = text.includes('\t') ? text.replace(/\S.*/g, line => line.replaceAll('\t', ' ')) : text
  return parseEvents(spaced, {})
}

const failed = (problem: YamlProblem): ParsedYaml => ({ document: undefined, problems: [problem] })

function secondDocument(text: string, first: readonly Event[]): YamlProblem {
  const end = first.reduce((last, event) => Math.max(last, rangeOf(event)[1]), 0)
  const marker = text.slice(end).search(/^---(?=\s|$)/m)
  const from = marker === -1 ? end : end + marker
  const message = 'A spec is one YAML document. A second one begins here.'
  return { code: 'yaml/multiple-documents', message, range: [from, from + 3] }
}

/** The errors of a text that is not YAML: from `yaml`, which reports all errors, or else from the parser. */
function syntaxProblems(text: string, { reason, mark }: YAMLException): readonly YamlProblem[] {
  const at: TextRange = [mark?.position ?? 0, (mark?.position ?? 0) + 1]
  if (/maxDepth/.test(reason)) return [{ code: 'yaml/too-deep', message: tooDeep, range: at }]
  const explained = text.length > maxExplainedLength ? [] : explainedProblems(text)
  return explained.length > 0 ? explained : [{ code: 'yaml/syntax', message: sentence(reason), range: at }]
}

function explainedProblems(text: string): readonly YamlProblem[] {
  // Most specs are YAML, and never need it.
  const { parseDocument }: typeof import('yaml') = createRequire(import.meta.url)('yaml')
  const { errors } = parseDocument(text, { version: '1.2', schema: 'core', prettyErrors: false, logLevel: 'error' })
  return errors.map(({ code, message, pos: [start, end] }) => ({
    code: `yaml/${code.toLowerCase().replaceAll('_', '-')}`,
    message: sentence(message),
    range: [start, end],
  }))
}

const sentence = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`
