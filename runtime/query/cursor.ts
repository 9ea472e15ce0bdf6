import type { Operator } from './operators.js'
import { QuerySyntaxError } from './syntax-error.js'

/** A lambda variable in scope, and those around it. */
export interface Scope {
  readonly variable: string
  readonly outer: Scope | undefined
}

/** Where a parse stands: the text, the next character, and what the grammar has to remember of its surroundings. */
export class Cursor {
  readonly text: string
  /** The query option being parsed, with its `$`, for messages. */
  readonly option: string
  position = 0
  nesting = 0
  /** How often a construct was begun: a measure of the work done that no clock disturbs. */
  steps = 0
  scope: Scope | undefined = undefined
  /** The operator last looked for: from where, what was found, and where its right operand begins. */
  operatorAt = -1
  operator: Operator | undefined = undefined
  operatorEnd = -1

  constructor(text: string, option: string) {
    this.text = text
    this.option = option
  }
}

/** Ends the parse: at `position` stands something that is none of `expected`. */
export function fail(cursor: Cursor, position: number, expected: readonly string[], hint?: string): never {
  throw new QuerySyntaxError({ text: cursor.text, position, expected, option: cursor.option, hint })
}

/** Goes one level deeper; whoever calls it takes one from `cursor.nesting` at the level's end. */
export function enter(cursor: Cursor): void {
  cursor.nesting += 1
  if (cursor.nesting > maxNesting) {
    fail(cursor, cursor.position, [], `At most ${maxNesting} levels may stand inside each other.`)
  }
}

/**
 * How deep parentheses, calls, lambdas, literals, signs and nested options may stand inside each other. More is refused by
 * parser, printer and evaluator alike, so that no query can exhaust the stack. Chains such as `a or b or c` do not nest.
 */
export const maxNesting = 100

/** Passes over optional whitespace. */
export function skipWhitespace(cursor: Cursor): void {
  cursor.position = whitespaceEnd(cursor.text, cursor.position)
}

/** Takes one character, if it stands here. */
export function take(cursor: Cursor, code: number): boolean {
  if (cursor.text.charCodeAt(cursor.position) !== code) return false
  cursor.position += 1
  return true
}

/** Takes one character with optional whitespace on both sides, if it comes next; otherwise takes nothing. */
export function takeSpaced(cursor: Cursor, code: number): boolean {
  const position = whitespaceEnd(cursor.text, cursor.position)
  if (cursor.text.charCodeAt(position) !== code) return false
  cursor.position = whitespaceEnd(cursor.text, position + 1)
  return true
}

/** Takes `)` with whitespace before it, or fails at what stands there instead. */
export function takeClose(cursor: Cursor, alternatives: readonly string[] = []): void {
  skipWhitespace(cursor)
  if (!take(cursor, CLOSE)) fail(cursor, cursor.position, ['`)`', ...alternatives])
}

/** Reads one identifier here. */
export function takeIdentifier(cursor: Cursor, expected: string): string {
  const { text, position } = cursor
  const end = identifierEnd(text, position)
  if (end === position) fail(cursor, position, [expected])
  const name = text.slice(position, end)
  requireLegalLength(cursor, name)
  cursor.position = end
  return name
}

/** Adds `.name` as often as it follows to a name already read. */
export function takeQualifiedRest(cursor: Cursor, first: string): string {
  let name = first
  while (cursor.text.charCodeAt(cursor.position) === DOT) {
    const end = identifierEnd(cursor.text, cursor.position + 1)
    if (end === cursor.position + 1) return name
    cursor.position += 1
    name += `.${takeIdentifier(cursor, 'a name')}`
  }
  return name
}

/** Fails at the name that begins here when it has more characters than allowed. */
export function requireLegalLength(cursor: Cursor, name: string): void {
  if (isTooLong(name)) fail(cursor, cursor.position, [`a name of at most ${maxIdentifierLength} characters`])
}

/** Takes everything up to the end of a keyword, in any letter case, if it stands alone at `start`. */
export function takeWord(cursor: Cursor, start: number, word: string): boolean {
  const end = start + word.length
  if (identifierEnd(cursor.text, start) !== end) return false
  if (cursor.text.slice(start, end).toLowerCase() !== word) return false
  cursor.position = end
  return true
}

/** The first offset at or after `position` that holds neither space nor tab: the end of the ABNF's `BWS`. */
export function whitespaceEnd(text: string, position: number): number {
  let end = position
  while (isWhitespace(text.charCodeAt(end))) end += 1
  return end
}

/** How many characters an identifier may have. @see OData ABNF, `odataIdentifier` */
const maxIdentifierLength = 128

const leadingBeyondAscii = /[\p{L}\p{Nl}]/u
const partBeyondAscii = /[\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}\p{Cf}]/u
const firstBeyondAscii = 0x80

/**
 * The offset behind the identifier that begins at `position`, or `position` itself when none begins there.
 *
 * @see OData ABNF, `odataIdentifier`
 */
export function identifierEnd(text: string, position: number): number {
  const first = text.charCodeAt(position)
  if (isAsciiLetter(first) || first === UNDERSCORE) return partsEnd(text, position + 1)
  if (first < firstBeyondAscii || Number.isNaN(first)) return position
  const character = String.fromCodePoint(text.codePointAt(position) ?? 0)
  return leadingBeyondAscii.test(character) ? partsEnd(text, position + character.length) : position
}

function partsEnd(text: string, position: number): number {
  let end = position
  for (;;) {
    const code = text.charCodeAt(end)
    if (isAsciiLetter(code) || isDigit(code) || code === UNDERSCORE) {
      end += 1
    } else if (code >= firstBeyondAscii) {
      const character = String.fromCodePoint(text.codePointAt(end) ?? 0)
      if (!partBeyondAscii.test(character)) return end
      end += character.length
    } else {
      return end
    }
  }
}

/** The offset behind `name` or `name.name…` at `position`, or `position` when no identifier begins there. */
export function qualifiedNameEnd(text: string, position: number): number {
  let end = identifierEnd(text, position)
  while (end > position && text.charCodeAt(end) === DOT) {
    const next = identifierEnd(text, end + 1)
    if (next === end + 1) return end
    end = next
  }
  return end
}

/** Whether the whole text is one identifier of legal length. */
export function isIdentifier(text: string): boolean {
  return text.length > 0 && identifierEnd(text, 0) === text.length && !isTooLong(text)
}

/** Whether the whole text is `namespace.name`, each part an identifier of legal length. */
export function isQualifiedName(text: string): boolean {
  return text.includes('.') && text.split('.').every(isIdentifier)
}

/** Whether an identifier has more characters than allowed; a character outside the first plane counts once. */
function isTooLong(identifier: string): boolean {
  return (
    identifier.length > maxIdentifierLength &&
    (identifier.length > 2 * maxIdentifierLength || [...identifier].length > maxIdentifierLength)
  )
}

/** The first offset at or after `position` that holds no ASCII digit. */
export function digitsEnd(text: string, position: number): number {
  let end = position
  while (isDigit(text.charCodeAt(end))) end += 1
  return end
}

/** UTF-16 code units with a meaning in the grammar, by the names of RFC 5234 and the OData ABNF where these have one. */
const TAB = 0x09
const SPACE = 0x20
export const DOUBLE_QUOTE = 0x22
export const DOLLAR = 0x24
export const SINGLE_QUOTE = 0x27
export const OPEN = 0x28
export const CLOSE = 0x29
export const STAR = 0x2a
export const PLUS = 0x2b
export const COMMA = 0x2c
export const MINUS = 0x2d
export const DOT = 0x2e
export const SLASH = 0x2f
export const DIGIT_0 = 0x30
const DIGIT_9 = 0x39
export const COLON = 0x3a
export const SEMICOLON = 0x3b
export const EQUALS = 0x3d
export const AT = 0x40
export const OPEN_BRACKET = 0x5b
export const BACKSLASH = 0x5c
export const CLOSE_BRACKET = 0x5d
export const UNDERSCORE = 0x5f
export const LOWER_A = 0x61
export const LOWER_E = 0x65
const LOWER_F = 0x66
export const LOWER_N = 0x6e
export const LOWER_O = 0x6f
export const LOWER_T = 0x74
export const LOWER_Z = 0x7a
export const OPEN_BRACE = 0x7b
export const CLOSE_BRACE = 0x7d
export const HASH = 0x23

/** Or-ed to the code of an ASCII letter, gives the code of its lower case. */
export const CASE_BIT = 0x20

export function isDigit(code: number): boolean {
  return code >= DIGIT_0 && code <= DIGIT_9
}

export function isHexDigit(code: number): boolean {
  return isDigit(code) || ((code | CASE_BIT) >= LOWER_A && (code | CASE_BIT) <= LOWER_F)
}

export function isAsciiLetter(code: number): boolean {
  return (code | CASE_BIT) >= LOWER_A && (code | CASE_BIT) <= LOWER_Z
}

export function isWhitespace(code: number): boolean {
  return code === SPACE || code === TAB
}
