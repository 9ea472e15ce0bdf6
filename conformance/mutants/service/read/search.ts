import { propertyTerm, type SearchExpression } from '../../../../runtime/query/index.js'
import type { SearchCapabilities } from '../../../../spec/language/index.js'
import type { Exchange } from '../exchange.js'
import type { Entity } from '../world/entity.js'

/** Whether a row is found. @see OData URL Conventions 4.01, 5.1.8 */
export function search(expression: SearchExpression, row: Entity, at: Exchange): boolean {
  switch (expression.kind) {
    case 'and':
      return at.behaviour.search(expression.left, row, at) && at.behaviour.search(expression.right, row, at)
    case 'or':
      return at.behaviour.search(expression.left, row, at) || at.behaviour.search(expression.right, row, at)
    case 'not':
      return !at.behaviour.search(expression.operand, row, at)
    default:
      return findsTerm(expression.text, row, at)
  }
}

function findsTerm(text: string, row: Entity, at: Exchange): boolean {
  const { endpoint, behaviour } = at
  const capabilities: SearchCapabilities | undefined = 'query' in endpoint ? endpoint.query?.search : undefined
  const named = capabilities?.syntax === 'propertyTerms' ? propertyTerm(text) : undefined
  const searched = row.type.properties.filter(({ name, search }) =>
    named === undefined ? search !== 'none' : name === named.property,
  )
  return searched.some(({ name }) => {
    const value = row.values[name]
    return typeof value === 'string' && behaviour.finds(named?.term ?? text, value, at)
  })
}

/** Whether a term is in a text: as whole words side by side, unless the service has chosen otherwise. */
export function finds(term: string, text: string, at: Exchange): boolean {
  const { choices } = at.behaviour
  const folded =
    choices['searchComparison'] === 'ordinal' ? (each: string) => each : (each: string) => each.toLowerCase()
  if (choices['searchMatching'] === 'substring') return folded(text).includes(folded(term))
  const wanted = wordsOf(folded(term))
  const words = wordsOf(folded(text))
  if (wanted.length === 0) return false
  return words.some((_, start) =>
    wanted.every((word, index) => {
      const other = words[start + index] ?? ''
      const isLast = index === wanted.length - 1
      return choices['searchMatching'] === 'prefix' && isLast ? other.startsWith(word) : other === word
    }),
  )
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
}
