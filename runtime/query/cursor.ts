import type { BinaryOperator, Transformation } from './ast.js'

/** A lambda variable in scope, and those of the enclosing lambdas. */
export interface Scope {
  readonly variable: string
  readonly outer: Scope | undefined
}

export function isInScope(scope: Scope | undefined, name: string): boolean {
  for (let inner = scope; inner !== undefined; inner = inner.outer) {
    if (inner.variable === name) return true
  }
  return false
}

/** A binary operator and its precedence: a higher one binds tighter. */
export interface Operator {
  readonly name: BinaryOperator
  readonly precedence: number
}

/** The state of a parse: the text, the position of the next character, and the context that the grammar depends on. */
export class Cursor {
  readonly text: string
  /** The query option being parsed, with its `$`. Error messages name it. */
  readonly option: string
  position = 0
  nesting = 0
  /** How many constructs the parse has started: a measure of its work that does not depend on the clock. */
  steps = 0
  scope: Scope | undefined = undefined
  /** The last look-up of an operator: its position, its result, and where the right operand starts. */
  operatorAt = -1
  operator: Operator | undefined = undefined
  operatorEnd = -1
  /** Parses the value of `$apply`. Without it, the option is unknown. */
  transformations: ((cursor: Cursor) => readonly Transformation[]) | undefined = undefined

  constructor(text: string, option: string) {
    this.text = text
    this.option = option
  }
}

/** Ends the parse: the text at `position` is not one of `expected`. */
export function fail(cursor: Cursor, position: number, expected: readonly string[], hint?: string): never {
  throw new QuerySyntaxError({ text: cursor.text, position, expected, option: cursor.option, hint })
}

/**
 * Enters one level of nesting: consumes what opens it, `length` characters, and whitespace. The caller decrements
 * `cursor.nesting` at the end of the level.
 */
export function enter(cursor: Cursor, length: number): void {
  cursor.nesting += 1
  if (cursor.nesting > maxNesting) {
    fail(cursor, cursor.position, [], `At most ${maxNesting} levels of nesting are allowed.`)
  }
  cursor.position += length
  skipWhitespace(cursor)
}

/**
 * How deep parentheses, calls, lambdas, lists, signs and nested options may nest. Parser, printer and evaluator refuse deeper
 * queries, so that no query exhausts the stack. Chains such as `a or b or c` do not nest.
 */
export const maxNesting = 100

export function skipWhitespace(cursor: Cursor): void {
  cursor.position = whitespaceEnd(cursor.text, cursor.position)
}

/** Consumes the next character if it is the given one. */
export function take(cursor: Cursor, code: number): boolean {
  if (cursor.text.charCodeAt(cursor.position) !== code) return false
  cursor.position += 1
  return true
}

/** Consumes a character with optional whitespace on both sides if it comes next. Otherwise consumes nothing. */
export function takeSpaced(cursor: Cursor, code: number): boolean {
  const position = whitespaceEnd(cursor.text, cursor.position)
  if (cursor.text.charCodeAt(position) !== code) return false
  cursor.position = whitespaceEnd(cursor.text, position + 1)
  return true
}

/** Consumes `)` with optional whitespace before it, or fails. */
export function takeClose(cursor: Cursor, alternatives: readonly string[] = []): void {
  skipWhitespace(cursor)
  if (!take(cursor, CLOSE)) fail(cursor, cursor.position, ['`)`', ...alternatives])
}

export function takeIdentifier(cursor: Cursor, expected: string): string {
  const { text, position } = cursor
  const end = identifierEnd(text, position)
  if (end === position) fail(cursor, position, [expected])
  const name = text.slice(position, end)
  requireNameLength(cursor, name)
  cursor.position = end
  return name
}

/** Consumes each `.name` that follows the first part of a qualified name. */
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

export function requireNameLength(cursor: Cursor, name: string): void {
  if (isTooLong(name)) fail(cursor, cursor.position, [`a name of at most ${maxIdentifierLength} characters`])
}

/** Consumes a keyword, in any letter case, if it is the whole word at `start`. */
export function takeWord(cursor: Cursor, start: number, word: string): boolean {
  const end = start + word.length
  if (identifierEnd(cursor.text, start) !== end) return false
  if (cursor.text.slice(start, end).toLowerCase() !== word) return false
  cursor.position = end
  return true
}

/** The end of the spaces and tabs at `position`. @see OData ABNF, `BWS` */
export function whitespaceEnd(text: string, position: number): number {
  let end = position
  while (isWhitespace(text.charCodeAt(end))) end += 1
  return end
}

const maxIdentifierLength = 128

const leadingBeyondAscii = /[\p{L}\p{Nl}]/u
const partBeyondAscii = /[\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}\p{Cf}]/u
const firstBeyondAscii = 0x80

/**
 * The end of the identifier at `position`, or `position` if none starts there.
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

/** The end of `name` or `name.name...` at `position`, or `position` if no identifier starts there. */
export function qualifiedNameEnd(text: string, position: number): number {
  let end = identifierEnd(text, position)
  while (end > position && text.charCodeAt(end) === DOT) {
    const next = identifierEnd(text, end + 1)
    if (next === end + 1) return end
    end = next
  }
  return end
}

/** Whether the whole text is an identifier that is not too long. */
export function isIdentifier(text: string): boolean {
  return text.length > 0 && identifierEnd(text, 0) === text.length && !isTooLong(text)
}

/** Whether the whole text is `namespace.name`. */
export function isQualifiedName(text: string): boolean {
  return text.includes('.') && text.split('.').every(isIdentifier)
}

/** Counts code points: a character outside the Basic Multilingual Plane counts once. */
function isTooLong(identifier: string): boolean {
  return (
    identifier.length > maxIdentifierLength &&
    (identifier.length > 2 * maxIdentifierLength || [...identifier].length > maxIdentifierLength)
  )
}

/** The end of the ASCII digits at `position`. */
export function digitsEnd(text: string, position: number): number {
  let end = position
  while (isDigit(text.charCodeAt(end))) end += 1
  return end
}

// UTF-16 code units that the grammar mentions, named as in RFC 5234 and the OData ABNF where they have a name there.
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

/** Sets an ASCII letter to lower case when combined with its code by `|`. */
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

interface QuerySyntaxProblem {
  readonly text: string
  /** An offset in `text`, in UTF-16 code units. */
  readonly position: number
  readonly expected: readonly string[]
  /** The query option with the error, with its `$`. */
  readonly option?: string | undefined
  /** How to fix the error, as a separate sentence. */
  readonly hint?: string | undefined
  /** Whether `text` is a whole query string rather than the value of `option`. */
  readonly whole?: boolean | undefined
  /** Replaces the default message. */
  readonly message?: string | undefined
}

/**
 * A text breaks the grammar of the query language, so that no service can answer it.
 *
 * @see OData 4.01 URL Conventions, 5.1, and the OData ABNF
 */
export class QuerySyntaxError extends Error {
  override readonly name: string = 'QuerySyntaxError'
  /** The text passed to the parse function. */
  readonly text: string
  /** An offset in `text`, in UTF-16 code units. The length of the text if it ends too early. */
  readonly position: number
  /** What was expected there, as phrases: `an operand`, `` `)` ``. */
  readonly expected: readonly string[]
  /** What was found there, as a phrase: `` `=` ``, `the end`. */
  readonly found: string
  /** The query option with the error: `$filter`. */
  readonly option: string | undefined
  readonly hint: string | undefined

  constructor(problem: QuerySyntaxProblem) {
    const found = foundAt(problem.text, problem.position)
    super(problem.message ?? describeProblem(problem, found))
    this.text = problem.text
    this.position = problem.position
    this.expected = problem.expected
    this.found = found
    this.option = problem.option
    this.hint = problem.hint
  }
}

function describeProblem(problem: QuerySyntaxProblem, found: string): string {
  const { option, position, expected } = problem
  const of = problem.whole === true ? ` of the query${option === undefined ? '' : `, in ${option}`}` : ` of ${option}`
  const hint = problem.hint === undefined ? '' : ` ${problem.hint}`
  const choice = expected.length === 0 ? '' : `, expected ${expected.join(' or ')}`
  return `Syntax error at position ${position}${option === undefined && !problem.whole ? '' : of}: found ${found}${choice}.${hint}`
}

const wordAt = /[\p{L}\p{N}_$@.]{1,40}/uy

function foundAt(text: string, position: number): string {
  const character = text.codePointAt(position)
  if (character === undefined) return 'the end'
  wordAt.lastIndex = position
  const word = wordAt.exec(text)?.[0] ?? String.fromCodePoint(character)
  return word === ' ' ? 'a space' : word === '\t' ? 'a tab' : `\`${word}\``
}

/**
 * A query option starts with `$` but is not a known system query option. The query can be well-formed for another service, so
 * a service should answer that the option is not supported rather than malformed.
 *
 * @see OData 4.01 Protocol, 11.2.1
 */
export class UnknownQueryOptionError extends QuerySyntaxError {
  override readonly name = 'UnknownQueryOptionError'
  /** The option as written, `$apply`. */
  readonly unknown: string

  constructor(unknown: string, problem: QuerySyntaxProblem) {
    super({ ...problem, message: describeUnknown(unknown, problem) })
    this.unknown = unknown
  }
}

function describeUnknown(unknown: string, { position, expected }: QuerySyntaxProblem): string {
  return `Unknown query option \`${unknown}\` at position ${position}; the options known here are ${expected.join(', ')}.`
}
