import type { BinaryOperator } from '../ast.js'
import { isAsciiLetter, isWhitespace } from '../lexical/characters.js'
import { whitespaceEnd } from '../lexical/whitespace.js'
import type { Cursor } from './cursor.js'
import { fail } from './fail.js'

/** A binary operator and how strongly it binds; more binds tighter. */
export interface Operator {
  readonly name: BinaryOperator
  readonly precedence: number
}

/** How strongly `has` and `in` bind: tighter than the signs `-` and `not`. */
export const primaryPrecedence = 7
export const lowestPrecedence = 1

/** @see OData 4.01 URL Conventions, 5.1.1.17 (operator precedence) */
const operators: ReadonlyMap<string, Operator> = new Map(
  (
    [
      { name: 'or', precedence: 1 },
      { name: 'and', precedence: 2 },
      { name: 'eq', precedence: 3 },
      { name: 'ne', precedence: 3 },
      { name: 'gt', precedence: 4 },
      { name: 'ge', precedence: 4 },
      { name: 'lt', precedence: 4 },
      { name: 'le', precedence: 4 },
      { name: 'add', precedence: 5 },
      { name: 'sub', precedence: 5 },
      { name: 'mul', precedence: 6 },
      { name: 'div', precedence: 6 },
      { name: 'divby', precedence: 6 },
      { name: 'mod', precedence: 6 },
      { name: 'has', precedence: primaryPrecedence },
      { name: 'in', precedence: primaryPrecedence },
    ] as const
  ).map(operator => [operator.name, operator]),
)

const longestName = 5
const expectedOperator = `an operator (${[...operators.keys()].join(', ')})`

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
  cursor.operator = operatorNamed(text.slice(start, end))
  cursor.operatorEnd = whitespaceEnd(text, end)
  return cursor.operator
}

/** Ends the parse behind an operand that neither an operator nor one of `others` follows. */
export function failAfterOperand(cursor: Cursor, others: readonly string[] = []): never {
  const { text, position } = cursor
  const start = whitespaceEnd(text, position)
  if (start === text.length) fail(cursor, position, [expectedOperator, ...others])
  const end = lettersEnd(text, start)
  const word = text.slice(start, Math.min(end, start + longestName + 1))
  const operator = operatorNamed(word)
  if (operator === undefined) fail(cursor, start, [expectedOperator, ...others], hintFor(text, start))
  if (start === position) fail(cursor, start, [`a space before \`${word}\``])
  fail(cursor, end, [`a space and an operand after \`${word}\``])
}

function operatorNamed(word: string): Operator | undefined {
  return operators.get(word) ?? operators.get(word.toLowerCase())
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
  return name === undefined ? undefined : `Write \`${name}\`.`
}
