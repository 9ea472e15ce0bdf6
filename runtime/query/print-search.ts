import type { SearchExpression } from './ast.js'
import { oneLevelDeeper, type PrintContext, PrintError, printFromRoot } from './print-context.js'
import { searchWordEnd } from './search.js'

/**
 * A `$search`, not percent-encoded; `AND` is always written out.
 *
 * @throws {PrintError} when the tree cannot be written, as a phrase with a double quote in it
 * @see OData 4.01 URL Conventions, 5.1.7
 */
export function printSearch(search: SearchExpression): string {
  return printFromRoot(place => printSearchAt(search, place))
}

/** A whole search; a single term of any text may stand in single quotes. */
export function printSearchAt(search: SearchExpression, place: PrintContext): string {
  const isQuoted = search.kind === 'term' && !isWord(search.text, place.nested)
  return isQuoted ? `'${search.text.replaceAll("'", "''")}'` : printOr(search, place)
}

function printOr(search: SearchExpression, place: PrintContext): string {
  return printChain(search, 'or', ' OR ', place)
}

function printChain(search: SearchExpression, operator: 'and' | 'or', separator: string, place: PrintContext): string {
  const operands: string[] = []
  let first = search
  while (first.kind === operator) {
    operands.push(printTerms(first.right, operator, place))
    first = first.left
  }
  operands.push(operator === 'or' && first.kind === 'and' ? printAnd(first, place) : printTerms(first, operator, place))
  return operands.reverse().join(separator)
}

function printAnd(search: SearchExpression, place: PrintContext): string {
  return printChain(search, 'and', ' AND ', place)
}

function printTerms(search: SearchExpression, operator: 'and' | 'or' | 'not', place: PrintContext): string {
  switch (search.kind) {
    case 'term':
      return printTerm(search.text, place)
    case 'phrase':
      if (search.text !== '' && !search.text.includes('"')) return `"${search.text}"`
      throw new PrintError(`The phrase ${JSON.stringify(search.text)} cannot stand in double quotes.`)
    case 'not':
      return `NOT ${printTerms(search.operand, 'not', oneLevelDeeper(place))}`
    case 'and':
      return operator === 'or' ? printAnd(search, place) : `(${printOr(search, oneLevelDeeper(place))})`
    case 'or':
      return `(${printOr(search, oneLevelDeeper(place))})`
  }
}

/** A word in upper case that is an operator elsewhere is put in parentheses, where it is none. */
function printTerm(text: string, place: PrintContext): string {
  if (!isWord(text, place.nested))
    throw new PrintError(`The term ${JSON.stringify(text)} is no word: write it as a phrase.`)
  if (text !== 'AND' && text !== 'OR' && text !== 'NOT') return text
  oneLevelDeeper(place)
  return `(${text})`
}

function isWord(text: string, nested: boolean): boolean {
  return text !== '' && !text.startsWith("'") && searchWordEnd(text, 0, nested) === text.length
}
