import { createRequire } from 'node:module'
import { COLLECTION_STYLE, EVENT_ID, type Event, parseEvents, SCALAR_STYLE, YAMLException } from 'js-yaml'
import type { Diagnostic } from '../diagnostics/diagnostic.js'
import { pointerKeys } from './json-pointer.js'
import { lineIndex, readText, type Source, type SourceResult } from './source.js'
import { keyText, rangeOf, type TextRange, tooDeep, type YamlProblem, yamlData } from './yaml-data.js'

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
  const name = text.code === 'file/is-text' ? '<text>' : path
  const diagnostic: Diagnostic = { severity: 'error', ...text, path: name, location, related: [] }
  return { source: { path: name, text: '', document: undefined, at: () => location }, diagnostics: [diagnostic] }
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

/** A node of a YAML document, and its place. */
interface LocatedNode {
  readonly range: TextRange
  /** It is better marked by its key: a block collection, which starts on a line of its own, or nothing at all. */
  readonly isMarkedByKey: boolean
  readonly members: Map<string, { readonly key: TextRange | undefined; readonly node: LocatedNode }>
}

/**
 * Finds the stretches of text that JSON Pointers lead to.
 *
 * @param text the text that the events refer to
 * @param events those of the document's content
 * @returns for a pointer that leads nowhere, the range of the nearest part that exists
 */
function yamlLocator(text: string, events: readonly Event[]): (pointer: string, part: 'key' | 'value') => TextRange {
  const root = locatedNodes(text, events)
  return (pointer, part) => {
    let node = root
    let key: TextRange | undefined
    for (const step of pointerKeys(pointer)) {
      const member = node.members.get(step)
      if (member === undefined) return key ?? node.range
      key = member.key
      node = member.node
    }
    return part === 'key' || node.isMarkedByKey ? (key ?? node.range) : node.range
  }
}

function locatedNodes(text: string, events: readonly Event[]): LocatedNode {
  const anchors = new Map<string, LocatedNode>()
  let next = 0
  let end = 0

  const locate = (): LocatedNode => {
    const event = events[next++]
    const range = event === undefined ? ([0, 0] as const) : scalarRange(text, event)
    const members: LocatedNode['members'] = new Map()
    if (event?.type === EVENT_ID.ALIAS) {
      end = range[1]
      const target = anchors.get(text.slice(event.anchorStart, event.anchorEnd))
      return { range, isMarkedByKey: false, members: target?.members ?? members }
    }
    if (event?.type === EVENT_ID.SCALAR) {
      const isEmpty = event.valueStart === -1
      if (!isEmpty) end = range[1]
      return anchored(event, { range: isEmpty ? [end, end] : range, isMarkedByKey: isEmpty, members })
    }
    if (event?.type !== EVENT_ID.SEQUENCE && event?.type !== EVENT_ID.MAPPING) {
      return { range, isMarkedByKey: false, members }
    }
    // An anchored collection may hold aliases of itself.
    anchored(event, { range, isMarkedByKey: false, members })
    end = range[1]
    if (event.type === EVENT_ID.SEQUENCE) {
      for (let index = 0; hasMore(); index++) members.set(String(index), { key: undefined, node: locate() })
    } else {
      while (hasMore()) {
        const name = keyText(text, events[next])
        const key = locate().range
        const node = locate()
        if (name !== undefined && !members.has(name)) members.set(name, { key, node })
      }
    }
    next++
    const isFlow = event.style === COLLECTION_STYLE.FLOW
    if (isFlow && /[[{]/.test(text[event.start] ?? '')) end = closingBracket(text, end)
    return { range: [range[0], end], isMarkedByKey: !isFlow, members }
  }

  const hasMore = (): boolean => next < events.length && events[next]?.type !== EVENT_ID.POP

  const anchored = (
    event: { readonly anchorStart: number; readonly anchorEnd: number },
    node: LocatedNode,
  ): LocatedNode => {
    if (event.anchorStart !== -1) anchors.set(text.slice(event.anchorStart, event.anchorEnd), node)
    return node
  }

  return locate()
}

/** A block scalar begins with its header, `>-`, on the line before its text. */
function scalarRange(text: string, event: Event): TextRange {
  const range = rangeOf(event)
  if (event.type !== EVENT_ID.SCALAR) return range
  if (event.style !== SCALAR_STYLE.FOLDED_BLOCK && event.style !== SCALAR_STYLE.LITERAL_BLOCK) return range
  const lineStart = text.lastIndexOf('\n', range[0] - 2) + 1
  const header = /[|>][-+0-9]*[ \t]*(?:#.*)?\r?\n?$/.exec(text.slice(lineStart, range[0]))
  return header === null ? range : [lineStart + header.index, range[1]]
}

/** The end of a flow collection whose last entry ends here. */
function closingBracket(text: string, from: number): number {
  const between = /(?:[\s,:?]|#.*)*/y
  between.lastIndex = from
  between.test(text)
  return between.lastIndex + 1
}
