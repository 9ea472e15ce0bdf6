import type { Diagnostic, SourceLocation } from './diagnostic.js'
import { type DisplayCell, displayCells, visibleText, wrapText } from './terminal-text.js'

export const diagnosticFormats = ['pretty', 'plain', 'json', 'github'] as const

/** One of {@link diagnosticFormats}. */
export type DiagnosticFormat = (typeof diagnosticFormats)[number]

/** A file, and its text. */
interface SourceText {
  readonly path: string
  readonly text: string
}

export interface FormatOptions {
  readonly format: DiagnosticFormat
  /** The files that the diagnostics are about; `pretty` shows their lines. */
  readonly sources?: Iterable<SourceText & { readonly included?: readonly SourceText[] }>
  /** For `pretty`. Default: no. */
  readonly colour?: boolean
  /** Columns, for `pretty`. Default: 100. */
  readonly width?: number
  /** Messages are broken at blanks to fit into the width, for `pretty`. Default: no. */
  readonly wrapped?: boolean
}

/**
 * Writes diagnostics. Text from the spec cannot reach the terminal unescaped.
 *
 * @returns lines without a line break at the end; empty for no diagnostics, but for `json`, which gives `[]`
 */
export function formatDiagnostics(diagnostics: readonly Diagnostic[], options: FormatOptions): string {
  switch (options.format) {
    case 'plain':
      return formatPlain(diagnostics)
    case 'json':
      return formatJson(diagnostics)
    case 'github':
      return formatGithub(diagnostics)
    case 'pretty': {
      const files = [...(options.sources ?? [])].flatMap(source => [source, ...(source.included ?? [])])
      const texts = new Map(files.map(({ path, text }) => [path, text]))
      return formatPretty(diagnostics, {
        texts,
        colour: options.colour ?? false,
        width: options.width ?? 100,
        wrapped: options.wrapped ?? false,
      })
    }
  }
}

/** How a terminal is written to. */
interface PrettyOptions {
  /** The text of each file, by path: for the code frames. */
  readonly texts: ReadonlyMap<string, string>
  readonly colour: boolean
  /** Columns. */
  readonly width: number
  /** Messages fit into the columns, too. */
  readonly wrapped: boolean
}

type Style = 'error' | 'warning' | 'note' | 'frame' | 'strong'

const escapes: Readonly<Record<Style, string>> = {
  error: '\x1B[1;31m',
  warning: '\x1B[1;33m',
  note: '\x1B[1;36m',
  frame: '\x1B[34m',
  strong: '\x1B[1m',
}

/** Each diagnostic with the line it is about, carets under the location, and the related places. */
function formatPretty(diagnostics: readonly Diagnostic[], options: PrettyOptions): string {
  const paint = (style: Style, text: string): string => (options.colour ? `${escapes[style]}${text}\x1B[0m` : text)
  const lines = (text: string): readonly string[] => (options.wrapped ? wrapText(text, options.width) : [text])
  return diagnostics
    .map(diagnostic => {
      const { severity, code, path, location, related } = diagnostic
      const head = `${severity} ${code}`
      const message = `: ${visibleText(messageOf(diagnostic))}`
      const [first = '', ...more] = lines(head + message)
      const title = [
        `${paint(severity, first.slice(0, head.length))}${paint('strong', first.slice(head.length))}`,
        ...more.map(line => paint('strong', line)),
      ]
      return [
        ...title,
        ...frame(path, location, severity, options, paint),
        ...related.flatMap(other => [
          ...lines(`note: ${visibleText(other.message)}`).map(line =>
            line.replace(/^note/, word => paint('note', word)),
          ),
          ...frame(other.path ?? path, other.location, 'note', options, paint),
        ]),
      ].join('\n')
    })
    .join('\n\n')
}

function frame(
  path: string,
  location: SourceLocation,
  style: Style,
  { texts, width }: PrettyOptions,
  paint: (style: Style, text: string) => string,
): readonly string[] {
  const number = String(location.line)
  const margin = ' '.repeat(number.length)
  const where = `${margin}${paint('frame', '-->')} ${visibleText(path)}:${location.line}:${location.column}`
  const text = texts.get(path)
  if (text === undefined || text === '') return [where]
  const { code, carets } = codeFrame(text, location, width - number.length - 3)
  const bar = paint('frame', '|')
  return [where, `${paint('frame', number)} ${bar} ${code}`, `${margin} ${bar} ${paint(style, carets)}`]
}

/** `file:line:column severity code: message`, one line each; related places follow as `note`. */
function formatPlain(diagnostics: readonly Diagnostic[]): string {
  return diagnostics
    .flatMap(diagnostic => {
      const { severity, code, path, location, related } = diagnostic
      const at = ({ line, column }: SourceLocation, file = path): string => `${file}:${line}:${column}`
      return [
        `${at(location)} ${severity} ${code}: ${messageOf(diagnostic)}`,
        ...related.map(other => `${at(other.location, other.path)} note ${code}: ${other.message}`),
      ]
    })
    .map(visibleText)
    .join('\n')
}

/**
 * A JSON array of `{ severity, code, message, file, line, column, length, suggestion?, related: [{ message, file?, line, column, length }] }`,
 * with everything beyond printable ASCII as an escape.
 */
function formatJson(diagnostics: readonly Diagnostic[]): string {
  const at = ({ line, column, length }: SourceLocation) => ({ line, column, length })
  const list = diagnostics.map(({ severity, code, message, path, location, suggestion, related }) => ({
    severity,
    code,
    message,
    file: path,
    ...at(location),
    suggestion,
    related: related.map(other => ({ message: other.message, file: other.path, ...at(other.location) })),
  }))
  return JSON.stringify(list, undefined, 2).replace(
    /[\x7F-\uFFFF]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

const data = (text: string): string =>
  visibleText(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** Workflow commands of GitHub Actions, `::error file=…,line=…,col=…,title=…::message`. */
function formatGithub(diagnostics: readonly Diagnostic[]): string {
  return diagnostics
    .map(diagnostic => {
      const { severity, code, path, location, related } = diagnostic
      const end = location.column + Math.max(1, location.length)
      const where = `file=${property(path)},line=${location.line},col=${location.column},endColumn=${end},title=${property(code)}`
      const notes = related
        .map(other => {
          const file = other.path === undefined ? '' : `${other.path}, `
          return ` (${file}line ${other.location.line}: ${other.message})`
        })
        .join('')
      return `::${severity === 'note' ? 'notice' : severity} ${where}::${data(messageOf(diagnostic) + notes)}`
    })
    .join('\n')
}

/** The message with the suggestion, when there is one. */
function messageOf({ message, suggestion }: Diagnostic): string {
  return suggestion === undefined ? message : `${message} Did you mean "${suggestion}"?`
}

/** A line of a source, and the line of carets below it. */
interface CodeFrame {
  readonly code: string
  readonly carets: string
}

/** The number of characters to look at around the location. A line may have megabytes. */
const window = 600

/** The line in which a location is, cut to a width around the location, with carets under it. */
function codeFrame(text: string, location: SourceLocation, width: number): CodeFrame {
  const lineStart = location.offset - (location.column - 1)
  const newline = text.indexOf('\n', lineStart)
  const lineEnd = newline === -1 ? text.length : newline
  const from = Math.max(lineStart, location.offset - window)
  const to = Math.min(lineEnd, location.offset + window)
  const cells = displayCells(text.slice(from, to).replace(/\r$/, ''))
  const start = location.offset - from
  const end = start + Math.max(1, location.length)
  const first = indexAt(cells, start)
  const view = cut(cells, first, width, from > lineStart, to < lineEnd)
  const carets = view.cells
    .map(cell => (cell.start >= start && cell.start < end ? '^' : ' ').repeat(cell.width))
    .join('')
    .trimEnd()
  const before = ' '.repeat(view.before.length)
  return {
    code: `${view.before}${view.cells.map(cell => cell.shown).join('')}${view.after}`,
    carets: `${before}${carets === '' ? `${' '.repeat(widthOf(view.cells))}^` : carets}`,
  }
}

function indexAt(cells: readonly DisplayCell[], offset: number): number {
  const after = cells.findIndex(cell => cell.start > offset)
  return Math.max(0, (after === -1 ? cells.length : after) - 1)
}

const widthOf = (cells: readonly DisplayCell[]): number => cells.reduce((sum, cell) => sum + cell.width, 0)

const ellipsis = '…'

interface VisibleCells {
  readonly before: string
  readonly cells: readonly DisplayCell[]
  readonly after: string
}

/** As many cells as fit; when not all do, a third of the room stays before the location. */
function cut(
  cells: readonly DisplayCell[],
  first: number,
  width: number,
  isCutBefore: boolean,
  isCutAfter: boolean,
): VisibleCells {
  if (!isCutBefore && !isCutAfter && widthOf(cells) <= width) return { before: '', cells, after: '' }
  const room = Math.max(10, width - 2)
  let from = first
  for (let used = 0; from > 0; from--) {
    used += cells[from - 1]?.width ?? 0
    if (used > room / 3) break
  }
  let to = from
  for (let used = 0; to < cells.length; to++) {
    used += cells[to]?.width ?? 0
    if (used > room) break
  }
  return {
    before: from > 0 || isCutBefore ? ellipsis : '',
    cells: cells.slice(from, to),
    after: to < cells.length || isCutAfter ? ellipsis : '',
  }
}
