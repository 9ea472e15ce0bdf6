import type { BinaryOperator } from './ast.js'
import { CLOSE, type Cursor, fail, isAsciiLetter, isWhitespace, type Operator, whitespaceEnd } from './cursor.js'

/**
 * The precedence of each binary operator: a higher one binds tighter. The signs `-` and `not` bind tighter than `mul` and
 * less tightly than `in`.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.17
 */
export const operatorPrecedence: Readonly<Record<BinaryOperator, number>> = {
  or: 1,
  and: 2,
  eq: 3,
  ne: 3,
  gt: 4,
  ge: 4,
  lt: 4,
  le: 4,
  add: 5,
  sub: 5,
  mul: 6,
  div: 6,
  divby: 6,
  mod: 6,
  has: 7,
  in: 7,
}

/** The precedence of `has` and `in`, whose operands cannot be signed. */
export const primaryPrecedence: number = operatorPrecedence.in
export const lowestPrecedence: number = operatorPrecedence.or

export const operatorNames: readonly BinaryOperator[] = [
  'or',
  'and',
  'eq',
  'ne',
  'gt',
  'ge',
  'lt',
  'le',
  'add',
  'sub',
  'mul',
  'div',
  'divby',
  'mod',
  'has',
  'in',
]
const longestName = 5
const expectedOperator = `an operator (${operatorNames.join(', ')})`

/** Operators by their letters, packed into one number. The look-up allocates no string and ignores letter case. */
const byLetters: ReadonlyMap<number, Operator> = new Map(
  operatorNames.map(name => [packedLetters(name, 0, name.length), { name, precedence: operatorPrecedence[name] }]),
)

/**
 * The operator after the operand just read, with whitespace on both sides, or undefined. Consumes nothing:
 * `cursor.operatorEnd` is where the right operand starts. The cursor caches the result for its position.
 */
export function peekOperator(cursor: Cursor): Operator | undefined {
  if (cursor.operatorAt === cursor.position) return cursor.operator
  cursor.steps += 1
  cursor.operatorAt = cursor.position
  cursor.operator = undefined
  const { text } = cursor
  const start = whitespaceEnd(text, cursor.position)
  if (start === cursor.position) return undefined
  const end = lettersEnd(text, start)
  if (end === start || end - start > longestName || !isWhitespace(text.charCodeAt(end))) return undefined
  cursor.operator = byLetters.get(packedLetters(text, start, end))
  cursor.operatorEnd = whitespaceEnd(text, end)
  return cursor.operator
}

/** Ends the parse after an operand, where neither an operator nor one of `others` follows. */
export function failAfterOperand(cursor: Cursor, others: readonly string[] = []): never {
  const { text, position } = cursor
  const start = whitespaceEnd(text, position)
  if (start === text.length) fail(cursor, position, [expectedOperator, ...others])
  const end = lettersEnd(text, start)
  const operator = end - start > longestName ? undefined : byLetters.get(packedLetters(text, start, end))
  if (operator === undefined) fail(cursor, start, [expectedOperator, ...others], hintFor(text, start))
  const word = text.slice(start, end)
  if (start === position) fail(cursor, start, [`a space before \`${word}\``])
  fail(cursor, end, [`a space and an operand after \`${word}\``])
}

/** Five bits for each of at most five ASCII letters, the same for both letter cases. */
function packedLetters(text: string, start: number, end: number): number {
  let packed = 0
  for (let position = start; position < end; position += 1) packed = (packed << 5) | (text.charCodeAt(position) & 31)
  return packed
}

function lettersEnd(text: string, position: number): number {
  let end = position
  while (isAsciiLetter(text.charCodeAt(end))) end += 1
  return end
}

/** What other languages write for an operator. */
const foreignOperators: ReadonlyMap<string, BinaryOperator> = new Map<string, BinaryOperator>([
  ['==', 'eq'],
  ['!=', 'ne'],
  ['<>', 'ne'],
  ['>=', 'ge'],
  ['<=', 'le'],
  ['&&', 'and'],
  ['||', 'or'],
  ['=', 'eq'],
  ['>', 'gt'],
  ['<', 'lt'],
  ['+', 'add'],
  ['-', 'sub'],
  ['*', 'mul'],
  ['/', 'div'],
  ['%', 'mod'],
])

function hintFor(text: string, position: number): string | undefined {
  const written = [text.slice(position, position + 2), text.slice(position, position + 1)]
  const name = written.map(symbol => foreignOperators.get(symbol)).find(found => found !== undefined)
  if (name === undefined) return undefined
  // Clients that encode a query as a form send `+` for a space.
  return name === 'add' ? 'Write `add`; a space in a URL is `%20`.' : `Write \`${name}\`.`
}

/** Consumes the `)` after an expression, or fails with what could follow the expression. */
export function closeParenthesis(cursor: Cursor, alternatives: readonly string[] = []): void {
  const position = whitespaceEnd(cursor.text, cursor.position)
  if (cursor.text.charCodeAt(position) !== CLOSE) failAfterOperand(cursor, ['`)`', ...alternatives])
  cursor.position = position + 1
}

/** Fails unless the parse has reached the end of the text. An operator could have continued the expression. */
export function requireEndOfExpression(cursor: Cursor, alternatives: readonly string[] = []): void {
  if (cursor.position < cursor.text.length) failAfterOperand(cursor, alternatives)
}

/** Fails unless the parse has reached the end of the text. */
export function requireEnd(cursor: Cursor, alternatives: readonly string[]): void {
  if (cursor.position < cursor.text.length) fail(cursor, cursor.position, [...alternatives, 'the end'])
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one text into the other. */
function editDistance(from: string, to: string): number {
  let beforeLast: readonly number[] = []
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      const swapped = isSwap ? (beforeLast[j - 2] ?? 0) + 1 : replaced
      next.push(Math.min(replaced, swapped, (last[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    beforeLast = last
    last = next
  }
  return last[to.length] ?? 0
}

/** Longer names get no suggestion, so that hostile input costs little. */
const maxSuggestionLength = 64

/** ` Did you mean 'x'?` with the closest candidate. Empty if none is close. */
export function didYouMean(written: string, candidates: Iterable<string>): string {
  if (written.length > maxSuggestionLength) return ''
  let closest: string | undefined
  let least = Math.max(1, Math.floor(written.length / 3)) + 1
  for (const candidate of candidates) {
    if (candidate.length > maxSuggestionLength || Math.abs(candidate.length - written.length) >= least) continue
    const distance = editDistance(written.toLowerCase(), candidate.toLowerCase())
    if (distance < least) {
      least = distance
      closest = candidate
    }
  }
  return closest === undefined ? '' : ` Did you mean '${closest}'?`
}

/** A sentence that suggests the function most similar to a misspelt one, which may also be a part of its name. */
export function suggestFunction(misspelt: string, functions: readonly string[]): string | undefined {
  if (misspelt.length > maxSuggestionLength) return undefined
  const word = misspelt.toLowerCase()
  let closest: string | undefined
  let least = Math.max(2, Math.ceil(word.length / 3)) + 1
  for (const name of functions) {
    const distance = name.includes(word) || word.includes(name) ? 1 : editDistance(word, name)
    if (distance < least) {
      least = distance
      closest = name
    }
  }
  return closest === undefined ? undefined : `Did you mean \`${closest}\`?`
}
