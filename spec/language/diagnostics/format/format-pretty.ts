import type { Diagnostic, SourcePlace } from '../diagnostic.js'
import { codeFrame } from './code-frame.js'
import { messageOf } from './message-of.js'
import { visibleText } from './visible-text.js'
import { wrapText } from './wrap-text.js'

/** How a terminal is written to. */
export interface PrettyOptions {
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

/** Each diagnostic with the line it is about, carets under the place, and the related places. */
export function formatPretty(diagnostics: readonly Diagnostic[], options: PrettyOptions): string {
  const paint = (style: Style, text: string): string => (options.colour ? `${escapes[style]}${text}\x1B[0m` : text)
  const lines = (text: string): readonly string[] => (options.wrapped ? wrapText(text, options.width) : [text])
  return diagnostics
    .map(diagnostic => {
      const { severity, code, path, place, related } = diagnostic
      const head = `${severity} ${code}`
      const message = `: ${visibleText(messageOf(diagnostic))}`
      const [first = '', ...more] = lines(head + message)
      const title = [
        `${paint(severity, first.slice(0, head.length))}${paint('strong', first.slice(head.length))}`,
        ...more.map(line => paint('strong', line)),
      ]
      return [
        ...title,
        ...frame(path, place, severity, options, paint),
        ...related.flatMap(other => [
          ...lines(`note: ${visibleText(other.message)}`).map(line =>
            line.replace(/^note/, word => paint('note', word)),
          ),
          ...frame(path, other.place, 'note', options, paint),
        ]),
      ].join('\n')
    })
    .join('\n\n')
}

function frame(
  path: string,
  place: SourcePlace,
  style: Style,
  { texts, width }: PrettyOptions,
  paint: (style: Style, text: string) => string,
): readonly string[] {
  const number = String(place.line)
  const margin = ' '.repeat(number.length)
  const where = `${margin}${paint('frame', '-->')} ${visibleText(path)}:${place.line}:${place.column}`
  const text = texts.get(path)
  if (text === undefined || text === '') return [where]
  const { code, carets } = codeFrame(text, place, width - number.length - 3)
  const bar = paint('frame', '|')
  return [where, `${paint('frame', number)} ${bar} ${code}`, `${margin} ${bar} ${paint(style, carets)}`]
}
