import { blockScalar } from './block-scalar.js'
import { coreScalar } from './core-scalar.js'
import { deepest, flowValue, isPlainStart } from './flow.js'
import { quotedScalar } from './quoted-scalar.js'
import { code, endLine, giveUp, isLineEnd, nextContent, type Reader, skipSpaces } from './reader.js'
import { setMember } from './set-member.js'

/**
 * A mapping or list in block style.
 *
 * @param indent the column at which its entries begin; the reader stands at the first of them
 */
export function block(reader: Reader, indent: number, depth: number): unknown {
  if (depth > deepest) return giveUp(reader)
  return isListItem(reader) ? blockSequence(reader, indent, depth) : blockMapping(reader, indent, depth)
}

function isListItem({ text, position }: Reader): boolean {
  const next = text.charCodeAt(position + 1)
  return text.charCodeAt(position) === code.hyphen && (next === code.space || isLineEnd(next))
}

function blockMapping(reader: Reader, indent: number, depth: number): unknown {
  const { text } = reader
  const members: Record<string, unknown> = Object.create(null)
  for (let at = indent; at === indent && !reader.beyond; ) {
    if (isListItem(reader)) return giveUp(reader)
    const first = text.charCodeAt(reader.position)
    const isQuoted = first === code.doubleQuote || first === code.singleQuote
    const key = isQuoted ? quotedScalar(reader) : plainKey(reader)
    if (text.charCodeAt(reader.position) !== code.colon) return giveUp(reader)
    reader.position++
    const after = text.charCodeAt(reader.position)
    if (after !== code.space && !isLineEnd(after)) return giveUp(reader)
    setMember(reader, members, key, memberValue(reader, indent, depth), isQuoted)
    at = nextContent(reader)
    if (at > indent) return giveUp(reader)
    if (at < indent) reader.position -= Math.max(0, at)
  }
  return members
}

/** What stands behind the colon of a member: on the same line, or on the next, indented further. */
function memberValue(reader: Reader, indent: number, depth: number): unknown {
  const { text } = reader
  skipSpaces(reader)
  const character = text.charCodeAt(reader.position)
  if (!isLineEnd(character) && character !== code.hash) return lineValue(reader, indent, depth)
  endLine(reader)
  const lineStart = reader.position
  const inner = nextContent(reader)
  if (inner > indent) return block(reader, inner, depth + 1)
  // A list may stand as far left as the key that it belongs to.
  if (inner === indent && isListItem(reader)) return block(reader, inner, depth + 1)
  reader.position = lineStart
  return null
}

function blockSequence(reader: Reader, indent: number, depth: number): unknown {
  const { text } = reader
  const items: unknown[] = []
  for (let at = indent; at === indent && !reader.beyond; ) {
    if (!isListItem(reader)) {
      // The next key of the mapping in which the list stands as far left as its key.
      reader.position -= indent
      return items
    }
    const itemStart = reader.position
    reader.position++
    skipSpaces(reader)
    const character = text.charCodeAt(reader.position)
    if (isLineEnd(character) || character === code.hash) return giveUp(reader)
    const column = indent + (reader.position - itemStart)
    items.push(isKeyAhead(reader) ? block(reader, column, depth + 1) : lineValue(reader, indent, depth))
    at = nextContent(reader)
    if (at > indent) return giveUp(reader)
    if (at < indent) reader.position -= Math.max(0, at)
  }
  return items
}

/** Whether the line goes on with the key of a mapping, `- name: …`. */
function isKeyAhead(reader: Reader): boolean {
  const probe = { ...reader }
  const first = probe.text.charCodeAt(probe.position)
  if (first === code.doubleQuote || first === code.singleQuote) quotedScalar(probe)
  else if (isPlainStart(probe.text, probe.position)) plainKey(probe)
  else return false
  const next = probe.text.charCodeAt(probe.position + 1)
  return (
    !probe.beyond && probe.text.charCodeAt(probe.position) === code.colon && (next === code.space || isLineEnd(next))
  )
}

/** A value that begins on the line, and the end of that line. */
function lineValue(reader: Reader, indent: number, depth: number): unknown {
  const { text } = reader
  const character = text.charCodeAt(reader.position)
  if (character === code.pipe || character === code.greater) return blockScalar(reader, indent)
  let value: unknown
  if (character === code.openBrace || character === code.openBracket) value = flowValue(reader, indent, depth + 1)
  else if (character === code.doubleQuote || character === code.singleQuote) value = quotedScalar(reader)
  else value = plainLine(reader)
  endLine(reader)
  return value
}

/** A key without quotes, up to the colon that ends it. */
function plainKey(reader: Reader): string {
  const { text } = reader
  const start = reader.position
  if (!isPlainStart(text, start) && text[start] !== '/') return giveUp(reader) ?? ''
  for (let at = start; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (isLineEnd(character) || character === code.tab) break
    if (character === code.hash && text.charCodeAt(at - 1) === code.space) break
    const next = text.charCodeAt(at + 1)
    if (character === code.colon && (next === code.space || isLineEnd(next))) {
      if (text.charCodeAt(at - 1) === code.space) break
      reader.position = at
      return text.slice(start, at)
    }
  }
  return giveUp(reader) ?? ''
}

/** A scalar without quotes, up to a comment or the end of the line. */
function plainLine(reader: Reader): unknown {
  const { text } = reader
  const start = reader.position
  if (!isPlainStart(text, start)) return giveUp(reader)
  let at = start
  for (; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (isLineEnd(character)) break
    if (character === code.tab) return giveUp(reader)
    const next = text.charCodeAt(at + 1)
    if (character === code.colon && (next === code.space || isLineEnd(next))) return giveUp(reader)
    if (character === code.hash && text.charCodeAt(at - 1) === code.space) break
  }
  let end = at
  while (text.charCodeAt(end - 1) === code.space) end--
  reader.position = end
  const value = coreScalar(text.slice(start, end))
  return value === undefined ? giveUp(reader) : value
}
