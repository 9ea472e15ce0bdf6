import type { SearchExpression } from '../ast.js'
import type { Value } from './value.js'

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
