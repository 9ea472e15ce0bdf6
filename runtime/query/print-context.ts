import type { Literal, SearchExpression } from './ast.js'
import { isIdentifier, isQualifiedName, maxNesting, type Scope } from './cursor.js'
import {
  dateEnd,
  dateTimeOffsetEnd,
  guidEnd,
  isBinary,
  isDuration,
  isEnumMembers,
  isGeo,
  timeOfDayEnd,
} from './literal-formats.js'
import { searchWordEnd } from './search.js'

/**
 * No text represents the tree: a name is not an identifier, the value of a literal does not fit its type, or a list of
 * literals is not an operand of `in`. The printer refuses such trees, so that values cannot inject syntax.
 */
export class PrintError extends Error {
  override readonly name: string = 'PrintError'
}

/** The context of a node that is being printed. */
export interface PrintContext {
  readonly nesting: number
  readonly scope: Scope | undefined
  /** Whether the node is in nested options, which semicolons separate. */
  readonly nested: boolean
  /** `fewest`: only where the grammar needs them. `defensive`: also where services often get precedence wrong. */
  readonly parentheses: 'defensive' | 'fewest'
}

class NestingError extends PrintError {}

/** The context one level of nesting deeper. The parser counts the same levels. */
export function oneLevelDeeper(context: PrintContext): PrintContext {
  if (context.nesting >= maxNesting) throw new NestingError(`The query nests deeper than ${maxNesting} levels.`)
  return { ...context, nesting: context.nesting + 1 }
}

/** Prints with defensive parentheses, or with the fewest if these would nest too deep. */
export function printFromRoot(print: (context: PrintContext) => string): string {
  try {
    return print({ nesting: 0, scope: undefined, nested: false, parentheses: 'defensive' })
  } catch (error) {
    if (!(error instanceof NestingError)) throw error
    return print({ nesting: 0, scope: undefined, nested: false, parentheses: 'fewest' })
  }
}

/** @throws {PrintError} when the name is not an identifier */
export function printIdentifier(name: string): string {
  if (!isIdentifier(name)) throw new PrintError(`${JSON.stringify(name)} is not an identifier.`)
  return name
}

/** @throws {PrintError} when the name is neither an identifier nor a qualified name */
export function printQualifiedName(name: string): string {
  if (!isIdentifier(name) && !isQualifiedName(name)) throw new PrintError(`${JSON.stringify(name)} is not a name.`)
  return name
}

/** @throws {PrintError} when the value does not fit the type */
export function printLiteral(literal: Literal): string {
  if (literal.type === 'null') return 'null'
  if (literal.type === 'Boolean') return String(literal.value)
  const { type, value } = literal
  switch (type) {
    case 'String':
      return quote(value)
    case 'Integer':
      return checked(literal, /^-?[0-9]+$/.test(value), value)
    case 'Decimal':
      return checked(literal, /^-?[0-9]+(?:\.[0-9]+)?$/.test(value), value)
    case 'Double':
      return checked(literal, /^(?:-?[0-9]+(?:\.[0-9]+)?(?:[Ee][+-]?[0-9]+)?|-?INF|NaN)$/.test(value), value)
    case 'Guid':
      return checked(literal, guidEnd(value, 0) === value.length, value.toLowerCase())
    case 'Date':
      return checked(literal, dateEnd(value, 0) === value.length, value)
    case 'DateTimeOffset':
      return checked(literal, dateTimeOffsetEnd(value, 0) === value.length, value.toUpperCase())
    case 'TimeOfDay':
      return checked(literal, timeOfDayEnd(value, 0) === value.length, value)
    case 'Duration':
      return checked(literal, isDuration(value), `duration${quote(value.toUpperCase())}`)
    case 'Binary':
      return checked(literal, isBinary(value), `binary${quote(value)}`)
    case 'Geography':
      return checked(literal, isGeo(value), `geography${quote(value)}`)
    case 'Geometry':
      return checked(literal, isGeo(value), `geometry${quote(value)}`)
    case 'Enum': {
      const { enumType } = literal
      return checked(literal, isQualifiedName(enumType) && isEnumMembers(value), `${enumType}${quote(value)}`)
    }
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

function checked(literal: Literal, valid: boolean, text: string): string {
  if (!valid) throw new PrintError(`${JSON.stringify(literal.value)} is not a valid ${literal.type}.`)
  return text
}

/** The items of an option, separated by commas. @throws {PrintError} when there are none */
export function printItems<Item>(option: string, items: readonly Item[], print: (item: Item) => string): string {
  if (items.length === 0) throw new PrintError(`${option} needs an item. Omit the option instead.`)
  return items.map(print).join(',')
}

/**
 * Prints a `$search` without percent-encoding. `AND` is always explicit.
 *
 * @throws {PrintError} when no text represents the tree, such as a phrase that contains a double quote
 * @see OData 4.01 URL Conventions, 5.1.7
 */
export function printSearch(search: SearchExpression): string {
  return printFromRoot(context => printSearchAt(search, context))
}

/** Prints a whole search. Single quotes can enclose a single term of any text. */
export function printSearchAt(search: SearchExpression, context: PrintContext): string {
  const isQuoted = search.kind === 'term' && !isWord(search.text, context.nested)
  return isQuoted ? `'${search.text.replaceAll("'", "''")}'` : printChain(search, 'or', context)
}

function printChain(search: SearchExpression, operator: 'and' | 'or', context: PrintContext): string {
  const operands: string[] = []
  let first = search
  while (first.kind === operator) {
    operands.push(printTerms(first.right, operator, context))
    first = first.left
  }
  operands.push(printTerms(first, operator, context))
  return operands.reverse().join(` ${operator.toUpperCase()} `)
}

function printTerms(search: SearchExpression, operator: 'and' | 'or' | 'not', context: PrintContext): string {
  switch (search.kind) {
    case 'term':
      return printTerm(search.text, context)
    case 'phrase':
      if (search.text !== '' && !search.text.includes('"')) return `"${search.text}"`
      throw new PrintError(`The phrase ${JSON.stringify(search.text)} cannot be enclosed in double quotes.`)
    case 'not':
      return `NOT ${printTerms(search.operand, 'not', oneLevelDeeper(context))}`
    case 'and':
      return operator === 'or'
        ? printChain(search, 'and', context)
        : `(${printChain(search, 'or', oneLevelDeeper(context))})`
    case 'or':
      return `(${printChain(search, 'or', oneLevelDeeper(context))})`
  }
}

/** In parentheses, a word such as `AND` is not an operator. */
function printTerm(text: string, context: PrintContext): string {
  if (!isWord(text, context.nested)) {
    throw new PrintError(`The term ${JSON.stringify(text)} is not a word. Write it as a phrase.`)
  }
  if (text !== 'AND' && text !== 'OR' && text !== 'NOT') return text
  oneLevelDeeper(context)
  return `(${text})`
}

function isWord(text: string, nested: boolean): boolean {
  return text !== '' && !text.startsWith("'") && searchWordEnd(text, 0, nested) === text.length
}
