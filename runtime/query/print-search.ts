import type { SearchExpression } from './ast.js'
import { oneLevelDeeper, type PrintContext, PrintError, printFromRoot } from './print-context.js'
import { searchWordEnd } from './search.js'

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
