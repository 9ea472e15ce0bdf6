import type { ts as Ts } from 'ts-morph'
import { memberLines, type Stub, type StubGroup } from '../emit/server/handler-stubs.js'

/** Puts members at the end of an object literal, after every comment in it, in the style of the file. */
export function insertMembers(
  file: Ts.SourceFile,
  literal: Ts.ObjectLiteralExpression,
  members: readonly (Stub | StubGroup)[],
  { lineEnd, unit }: LineStyle,
  notImplemented: string | undefined,
): readonly Insertion[] {
  const text = file.text
  const { properties } = literal
  const last = properties.at(-1)
  const close = literal.end - 1
  const outer = indentationAt(text, literal.getStart(file))
  const inner = (last && ownIndentation(text, last.getStart(file))) ?? outer + unit
  const body = memberLines(members, notImplemented).map(line => {
    const depth = line.length - line.trimStart().length
    // The odd space is the one before the star of a comment.
    return line === '' ? '' : inner + unit.repeat(Math.floor(depth / 2)) + line.slice(depth - (depth % 2))
  })
  const lines = [...(last === undefined ? [] : ['']), ...body].join(lineEnd)
  const comma: readonly Insertion[] =
    last === undefined || properties.hasTrailingComma ? [] : [{ at: last.end, text: ',' }]
  const closeLine = lineStart(text, close)
  const closeStandsAlone = /^[ \t]*$/.test(text.slice(closeLine, close))
  return [
    ...comma,
    closeStandsAlone
      ? { at: closeLine, text: lines + lineEnd }
      : { at: close, text: lineEnd + lines + lineEnd + outer },
  ]
}

const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1

/** The white space that begins the line of an offset. */
function indentationAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? ''
}

/** The same, when nothing else stands before the offset on its line. */
function ownIndentation(text: string, offset: number): string | undefined {
  const before = text.slice(lineStart(text, offset), offset)
  return /^[ \t]*$/.test(before) ? before : undefined
}

/** Text to be put at an offset of a file. */
export interface Insertion {
  readonly at: number
  readonly text: string
}

/** Puts all insertions into a text; nothing of it is changed or removed. */
export function applyInsertions(text: string, insertions: readonly Insertion[]): string {
  // Sorting is stable: of two insertions at one place, the first stays first.
  const ordered = [...insertions].sort((a, b) => a.at - b.at)
  let result = ''
  let from = 0
  for (const { at, text: inserted } of ordered) {
    result += text.slice(from, at) + inserted
    from = at
  }
  return result + text.slice(from)
}

/** How the author of a file ends and indents lines. */
interface LineStyle {
  readonly lineEnd: '\r\n' | '\n'
  /** One level of indentation. */
  readonly unit: string
}

/** Told from the first line end and the first indented line; two spaces when there is none. */
export function lineStyle(text: string): LineStyle {
  const firstEnd = text.indexOf('\n')
  const lineEnd = firstEnd > 0 && text[firstEnd - 1] === '\r' ? '\r\n' : '\n'
  const indentation = /^(\t| {2,8})(?=[^\s*])/m.exec(text)?.[1] ?? '  '
  return { lineEnd, unit: indentation.startsWith('\t') ? '\t' : indentation }
}
