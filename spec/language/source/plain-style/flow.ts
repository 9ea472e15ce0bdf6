import { coreScalar } from './core-scalar.js'
import { quotedScalar } from './quoted-scalar.js'
import { code, giveUp, isLineEnd, type Reader, skipSpaces } from './reader.js'
import { setMember } from './set-member.js'

/** Nesting beyond this is left to the full parser, which says so. */
export const deepest = 60

/**
 * A value within `[ ]` or `{ }`: a collection, or a scalar on one line.
 *
 * @param indent lines must be indented further than this
 */
export function flowValue(reader: Reader, indent: number, depth: number): unknown {
  const character = reader.text.charCodeAt(reader.position)
  if (depth > deepest) return giveUp(reader)
  if (character === code.openBrace) return flowMapping(reader, indent, depth)
  if (character === code.openBracket) return flowSequence(reader, indent, depth)
  if (character === code.doubleQuote || character === code.singleQuote) return quotedScalar(reader)
  const value = coreScalar(plainInFlow(reader))
  return value === undefined ? giveUp(reader) : value
}

function flowSequence(reader: Reader, indent: number, depth: number): unknown {
  const { text } = reader
  const items: unknown[] = []
  reader.position++
  while (!reader.beyond) {
    skipLines(reader, indent)
    if (text.charCodeAt(reader.position) === code.closeBracket) break
    items.push(flowValue(reader, indent, depth + 1))
    skipLines(reader, indent)
    if (!separator(reader, code.closeBracket)) break
  }
  reader.position++
  return items
}

function flowMapping(reader: Reader, indent: number, depth: number): unknown {
  const { text } = reader
  const members: Record<string, unknown> = Object.create(null)
  reader.position++
  while (!reader.beyond) {
    skipLines(reader, indent)
    const character = text.charCodeAt(reader.position)
    if (character === code.closeBrace) break
    const isQuoted = character === code.doubleQuote || character === code.singleQuote
    const key = isQuoted ? quotedScalar(reader) : plainInFlow(reader)
    if (text.charCodeAt(reader.position) !== code.colon || !isBlank(text.charCodeAt(reader.position + 1))) {
      return giveUp(reader)
    }
    reader.position++
    skipLines(reader, indent)
    const after = text.charCodeAt(reader.position)
    // A member without value is left to the full parser.
    if (after === code.comma || after === code.closeBrace) return giveUp(reader)
    setMember(reader, members, key, flowValue(reader, indent, depth + 1), isQuoted)
    skipLines(reader, indent)
    if (!separator(reader, code.closeBrace)) break
  }
  reader.position++
  return members
}

/** Whether a comma follows, and so maybe another entry. */
function separator(reader: Reader, close: number): boolean {
  const character = reader.text.charCodeAt(reader.position)
  if (character === close) return false
  if (character !== code.comma) {
    giveUp(reader)
    return false
  }
  reader.position++
  return true
}

const isBlank = (character: number): boolean => character === code.space || isLineEnd(character)

/** Moves over spaces, line breaks and comments; a line that is not indented enough is beyond the plain style. */
function skipLines(reader: Reader, indent: number): void {
  const { text } = reader
  let lineStart = -1
  for (;;) {
    skipSpaces(reader)
    const character = text.charCodeAt(reader.position)
    if (character === code.hash && (lineStart !== -1 || text.charCodeAt(reader.position - 1) === code.space)) {
      const newline = text.indexOf('\n', reader.position)
      reader.position = newline === -1 ? text.length : newline
    } else if (character === code.newline) {
      reader.position++
      lineStart = reader.position
    } else if (character === code.carriageReturn && text.charCodeAt(reader.position + 1) === code.newline) {
      reader.position++
    } else {
      if (lineStart !== -1 && reader.position - lineStart <= indent) giveUp(reader)
      return
    }
  }
}

const plainFirst = /[\p{L}\p{N}_$(/.<=~^+;]/u

/** A scalar without quotes, up to a comma, bracket, brace, line end, comment, or colon that ends a key. */
function plainInFlow(reader: Reader): string {
  const { text } = reader
  const start = reader.position
  if (!isPlainStart(text, start)) return giveUp(reader) ?? ''
  let at = start
  for (; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (isLineEnd(character) || isFlowIndicator(character)) break
    if (character === code.tab) return giveUp(reader) ?? ''
    const next = text.charCodeAt(at + 1)
    if (character === code.colon && (isBlank(next) || isFlowIndicator(next))) break
    if (character === code.hash && text.charCodeAt(at - 1) === code.space) break
  }
  let end = at
  while (text.charCodeAt(end - 1) === code.space) end--
  reader.position = end
  return text.slice(start, end)
}

/** Whether a scalar without quotes may begin here with no doubt; `-` and `.` only before a letter or digit. */
export function isPlainStart(text: string, position: number): boolean {
  const first = text[position] ?? ''
  if (first === '-') return /[\p{L}\p{N}]/u.test(text[position + 1] ?? '')
  return plainFirst.test(first)
}

function isFlowIndicator(character: number): boolean {
  return (
    character === code.comma ||
    character === code.openBracket ||
    character === code.closeBracket ||
    character === code.openBrace ||
    character === code.closeBrace
  )
}
