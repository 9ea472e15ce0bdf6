import type { ts as Ts } from 'ts-morph'
import type { Insertion } from './insertion.js'
import type { LineStyle } from './line-style.js'
import type { Stub, StubGroup } from './stub-group.js'
import { memberLines } from './stub-lines.js'

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
