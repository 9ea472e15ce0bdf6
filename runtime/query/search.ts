import type { SearchExpression } from './ast.js'
import {
  CLOSE,
  Cursor,
  DOUBLE_QUOTE,
  enter,
  fail,
  isWhitespace,
  OPEN,
  SEMICOLON,
  SINGLE_QUOTE,
  skipWhitespace,
  takeClose,
  whitespaceEnd,
} from './cursor.js'
import type { Value } from './evaluate/value.js'
import { parseString } from './literals.js'
import { requireEnd } from './operators.js'

/**
 * The tree of a `$search`, percent-decoded: `"displayName:anna" OR green`.
 *
 * `NOT` binds tighter than `AND`, and `AND` tighter than `OR`. `AND` joins words side by side. The three are operators only
 * in upper case and only before an operand: `AND` alone is a word to search for. A phrase in double quotes has no escapes.
 * Single quotes enclose one term of any text.
 *
 * @throws {QuerySyntaxError} when the text breaks the grammar
 * @see OData 4.01 URL Conventions, 5.1.7, and the OData ABNF, `searchExpr`
 */
export function parseSearch(text: string): SearchExpression {
  const cursor = new Cursor(text, '$search')
  const expression = parseSearchExpression(cursor, false)
  skipWhitespace(cursor)
  requireEnd(cursor, ['a word', '`"`', '`(`'])
  return expression
}

/** A search up to the first character that cannot continue it. In nested options, a semicolon ends it. */
export function parseSearchExpression(cursor: Cursor, nested: boolean): SearchExpression {
  skipWhitespace(cursor)
  if (cursor.text.charCodeAt(cursor.position) === SINGLE_QUOTE) return { kind: 'term', text: parseString(cursor) }
  return parseOr(cursor, nested)
}

function parseOr(cursor: Cursor, nested: boolean): SearchExpression {
  let left = parseAnd(cursor, nested)
  while (takeOperator(cursor, 'OR', nested)) left = { kind: 'or', left, right: parseAnd(cursor, nested) }
  return left
}

function parseAnd(cursor: Cursor, nested: boolean): SearchExpression {
  let left = parseNot(cursor, nested)
  while (takeOperator(cursor, 'AND', nested) || takeImpliedAnd(cursor, nested)) {
    left = { kind: 'and', left, right: parseNot(cursor, nested) }
  }
  return left
}

function parseNot(cursor: Cursor, nested: boolean): SearchExpression {
  cursor.steps += 1
  const operand = operandAfter(cursor, 'NOT', cursor.position, nested)
  if (operand === -1) return parseOperand(cursor, nested)
  enter(cursor, operand - cursor.position)
  const negated = parseNot(cursor, nested)
  cursor.nesting -= 1
  return { kind: 'not', operand: negated }
}

function parseOperand(cursor: Cursor, nested: boolean): SearchExpression {
  const { text, position } = cursor
  const code = text.charCodeAt(position)
  if (code === OPEN) return parseGroup(cursor, nested)
  if (code === DOUBLE_QUOTE) return parsePhrase(cursor)
  const end = searchWordEnd(text, position, nested)
  if (end === position || code === SINGLE_QUOTE) fail(cursor, position, ['a word', 'a phrase in double quotes', '`(`'])
  cursor.position = end
  return { kind: 'term', text: text.slice(position, end) }
}

function parseGroup(cursor: Cursor, nested: boolean): SearchExpression {
  enter(cursor, 1)
  const expression = parseOr(cursor, nested)
  takeClose(cursor, ['a word', '`AND`', '`OR`'])
  cursor.nesting -= 1
  return expression
}

function parsePhrase(cursor: Cursor): SearchExpression {
  const start = cursor.position + 1
  const end = cursor.text.indexOf('"', start)
  if (end === -1) fail(cursor, cursor.text.length, ['`"`'])
  if (end === start) fail(cursor, end, ['a phrase between the quotes'])
  cursor.position = end + 1
  return { kind: 'phrase', text: cursor.text.slice(start, end) }
}

function takeOperator(cursor: Cursor, word: 'AND' | 'OR', nested: boolean): boolean {
  const start = whitespaceEnd(cursor.text, cursor.position)
  if (start === cursor.position) return false
  const operand = operandAfter(cursor, word, start, nested)
  if (operand === -1) return false
  cursor.position = operand
  return true
}

/** Consumes whitespace before an operand that is not preceded by `OR`. */
function takeImpliedAnd(cursor: Cursor, nested: boolean): boolean {
  const start = whitespaceEnd(cursor.text, cursor.position)
  if (start === cursor.position || !startsOperand(cursor.text, start, nested)) return false
  if (operandAfter(cursor, 'OR', start, nested) !== -1) return false
  cursor.position = start
  return true
}

/** Where the operand after the operator at `start` starts, or -1 if the word there is not the operator. */
function operandAfter(cursor: Cursor, word: string, start: number, nested: boolean): number {
  const { text } = cursor
  if (!text.startsWith(word, start)) return -1
  const operand = whitespaceEnd(text, start + word.length)
  return operand > start + word.length && startsOperand(text, operand, nested) ? operand : -1
}

function startsOperand(text: string, position: number, nested: boolean): boolean {
  const code = text.charCodeAt(position)
  return (
    code === OPEN ||
    code === DOUBLE_QUOTE ||
    (code !== SINGLE_QUOTE && searchWordEnd(text, position, nested) > position)
  )
}

/**
 * The end of the search word at `position`. A word contains no whitespace, parentheses or double quotes, and no semicolons
 * in nested options.
 *
 * @see OData ABNF, `searchWord`
 */
export function searchWordEnd(text: string, position: number, nested: boolean): number {
  for (let end = position; ; end += 1) {
    const code = text.charCodeAt(end)
    if (Number.isNaN(code) || isWhitespace(code) || code === OPEN || code === CLOSE || code === DOUBLE_QUOTE) return end
    if (nested && code === SEMICOLON) return end
  }
}

const word = /[\p{L}\p{N}]+/gu

/**
 * Whether an item matches a search. A term or phrase matches if its words appear side by side, as whole words in any letter
 * case, in a string of the item. Words are runs of letters and digits. A phrase `"name:words"` searches only the property with
 * that name, if the item has it.
 *
 * @see OData 4.01 URL Conventions, 5.1.8: the service defines what matches
 */
export function matchesSearch(search: SearchExpression, item: Value, properties?: readonly string[]): boolean {
  switch (search.kind) {
    case 'term':
      return hasWords(search.text, textsOf(item, properties))
    case 'phrase':
      return matchesPhrase(search.text, item, properties)
    case 'not':
      return !matchesSearch(search.operand, item, properties)
    case 'and':
    case 'or':
      return matchesChain(search, item, properties)
  }
}

type Chain = Extract<SearchExpression, { readonly kind: 'and' | 'or' }>

/** Evaluates chains, which can be long, without recursion. */
function matchesChain(search: Chain, item: Value, properties: readonly string[] | undefined): boolean {
  const operands: SearchExpression[] = []
  let first: SearchExpression = search
  while (first.kind === search.kind) {
    operands.push(first.right)
    first = first.left
  }
  operands.push(first)
  const matches = (operand: SearchExpression): boolean => matchesSearch(operand, item, properties)
  return search.kind === 'and' ? operands.every(matches) : operands.some(matches)
}

function matchesPhrase(text: string, item: Value, properties: readonly string[] | undefined): boolean {
  const colon = text.indexOf(':')
  const name = text.slice(0, Math.max(colon, 0))
  const isItem = item !== null && typeof item !== 'boolean' && item.kind === 'structured'
  const isNamed = colon > 0 && isItem && Object.hasOwn(item.json, name)
  return isNamed ? hasWords(text.slice(colon + 1), textsOf(item, [name])) : hasWords(text, textsOf(item, properties))
}

function textsOf(item: Value, properties: readonly string[] | undefined): readonly string[] {
  if (item === null || typeof item === 'boolean') return []
  if (item.kind === 'string') return [item.text]
  if (item.kind !== 'structured') return []
  const entries = Object.entries(item.json).filter(([name]) => properties?.includes(name) ?? !name.includes('@'))
  return entries.flatMap(([, value]) => (typeof value === 'string' ? [value] : []))
}

function hasWords(words: string, texts: readonly string[]): boolean {
  const phrase = wordsOf(words)
  return phrase.length > 0 && texts.some(text => wordsOf(text).includes(phrase))
}

/** The words of a text in lower case, each between spaces, so that `includes` finds whole words. */
function wordsOf(text: string): string {
  const words = text.toLowerCase().match(word)
  return words === null ? '' : ` ${words.join(' ')} `
}
