import type { BinaryOperator } from './ast.js'
import { CLOSE, type Cursor, fail, isAsciiLetter, isWhitespace, whitespaceEnd } from './cursor.js'

/**
 * How strongly each binary operator binds; more binds tighter. The signs `-` and `not` stand between `in` and `mul`.
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

/** A binary operator and how strongly it binds; more binds tighter. */
export interface Operator {
  readonly name: BinaryOperator
  readonly precedence: number
}

/** How strongly `has` and `in` bind: tighter than the signs `-` and `not`. */
export const primaryPrecedence: number = operatorPrecedence.in
export const lowestPrecedence: number = operatorPrecedence.or

const operatorNames: readonly BinaryOperator[] = [
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
const operators: readonly Operator[] = operatorNames.map(name => ({ name, precedence: operatorPrecedence[name] }))

const longestName = 5
const expectedOperator = `an operator (${operatorNames.join(', ')})`

/** Operators by their letters, packed into one number: a look-up that makes no string and heeds no letter case. */
const byLetters: ReadonlyMap<number, Operator> = new Map(
  operators.map(operator => [packedLetters(operator.name, 0, operator.name.length), operator]),
)

/**
 * The operator that follows the operand just read, with whitespace on both sides, or undefined. Takes nothing: the text up
 * to the right operand is `cursor.operatorEnd`. Asked again at the same place, it remembers.
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

/** Ends the parse behind an operand that neither an operator nor one of `others` follows. */
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

/** Five bits for each of at most five ASCII letters; upper and lower case have the same. */
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
  // Clients that write a query as a form send it for a space.
  return name === 'add' ? 'Write `add`; a space in a URL is `%20`.' : `Write \`${name}\`.`
}

/** Takes the `)` behind an expression, or says what could stand here or continue the expression. */
export function closeParenthesis(cursor: Cursor, alternatives: readonly string[] = []): void {
  const position = whitespaceEnd(cursor.text, cursor.position)
  if (cursor.text.charCodeAt(position) !== CLOSE) failAfterOperand(cursor, ['`)`', ...alternatives])
  cursor.position = position + 1
}

/** Fails unless the whole text was read; behind an expression, an operator could have followed. */
export function requireEndOfExpression(cursor: Cursor, alternatives: readonly string[] = []): void {
  if (cursor.position < cursor.text.length) failAfterOperand(cursor, alternatives)
}

/** Fails unless the whole text was read. */
export function requireEnd(cursor: Cursor, alternatives: readonly string[]): void {
  if (cursor.position < cursor.text.length) fail(cursor, cursor.position, [...alternatives, 'the end'])
}
