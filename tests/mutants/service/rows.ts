import {
  type OrderbyItem,
  propertyTerm,
  type QueryOptions,
  type SearchExpression,
} from '../../../runtime/query/index.js'
import type { SearchCapabilities } from '../../../spec/language/index.js'
import { type EndpointContext, type Environment, environmentOf, type SortKey } from './behaviour.js'
import { byCodePoint, compareValues } from './comparison.js'
import { evaluate } from './evaluate.js'
import type { Entity } from './store.js'
import { truthOf, type Value } from './values.js'

/** The rows that match a query, in its order. */
export function matchingRows(
  rows: readonly Entity[],
  { search, filter, orderby }: QueryOptions,
  at: EndpointContext,
  parameters: Environment['parameters'] = new Map(),
): readonly Entity[] {
  const { behaviour } = at
  let found = rows
  if (search !== undefined) found = found.filter(row => matchesSearch(search, row, at))
  if (filter !== undefined) {
    found = behaviour.filter(found, row => truthOf(evaluate(filter, environmentOf(row, at, parameters))), at)
  }
  return orderby === undefined
    ? behaviour.sortRows(found, [], at)
    : behaviour.sortRows(found, sortKeysOf(orderby, at), at)
}

function sortKeysOf(orderby: readonly OrderbyItem[], at: EndpointContext): readonly SortKey[] {
  return orderby.map(item => ({ item, value: row => evaluate(item.expression, environmentOf(row, at)) }))
}

function matchesSearch(search: SearchExpression, row: Entity, at: EndpointContext): boolean {
  return at.behaviour.search(search, row, at)
}

/** Whether a row matches a search expression. @see OData URL Conventions 4.01, 5.1.8 */
export function search(expression: SearchExpression, row: Entity, at: EndpointContext): boolean {
  switch (expression.kind) {
    case 'and':
      return at.behaviour.search(expression.left, row, at) && at.behaviour.search(expression.right, row, at)
    case 'or':
      return at.behaviour.search(expression.left, row, at) || at.behaviour.search(expression.right, row, at)
    case 'not':
      return !at.behaviour.search(expression.operand, row, at)
    default:
      return searchProperties(expression.text, row, at)
  }
}

function searchProperties(text: string, row: Entity, at: EndpointContext): boolean {
  const { endpoint, behaviour } = at
  const capabilities: SearchCapabilities | undefined = 'query' in endpoint ? endpoint.query?.search : undefined
  const named = capabilities?.syntax === 'propertyTerms' ? propertyTerm(text) : undefined
  const searched = row.type.properties.filter(({ name, search }) =>
    named === undefined ? search !== 'none' : name === named.property,
  )
  return searched.some(({ name }) => {
    const value = row.values[name]
    return typeof value === 'string' && behaviour.matchesTerm(named?.term ?? text, value, at)
  })
}

/** Whether a text contains a term: as consecutive whole words, unless the service chose otherwise. */
export function matchesTerm(term: string, text: string, at: EndpointContext): boolean {
  const { choices } = at.behaviour
  const folded =
    choices['searchComparison'] === 'ordinal' ? (each: string) => each : (each: string) => each.toLowerCase()
  if (choices['searchMatching'] === 'substring') return folded(text).includes(folded(term))
  const termWords = wordsOf(folded(term))
  const words = wordsOf(folded(text))
  if (termWords.length === 0) return false
  return words.some((_, start) =>
    termWords.every((word, index) => {
      const other = words[start + index] ?? ''
      const isLast = index === termWords.length - 1
      return choices['searchMatching'] === 'prefix' && isLast ? other.startsWith(word) : other === word
    }),
  )
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
}

const collator = new Intl.Collator('en')

/** Compares two values of a sort key. @see OData Protocol 4.01, 11.2.6.2 */
export function compareSortValues(left: Value, right: Value, { direction }: OrderbyItem, at: EndpointContext): number {
  const { choices } = at.behaviour
  const sign = direction === 'desc' ? -1 : 1
  if (left === null || right === null) {
    if (left === right) return 0
    const low = choices['nullOrder'] === 'first' || choices['nullOrder'] === 'last' ? 1 : sign
    const isFirst = choices['nullOrder'] === 'first' || choices['nullOrder'] === 'lowest'
    return (left === null ? -1 : 1) * (isFirst ? 1 : -1) * low
  }
  if (typeof left === 'string' && typeof right === 'string')
    return sign * compareTexts(left, right, choices['stringOrder'])
  return sign * (compareValues(left, right, choices) ?? 0)
}

function compareTexts(left: string, right: string, order: string | number | undefined): number {
  if (order === 'locale') return collator.compare(left, right)
  if (order === 'caseInsensitive') return byCodePoint(left.toLowerCase(), right.toLowerCase())
  return byCodePoint(left, right)
}

/** Sorts by several keys: the first key that distinguishes two rows decides. The sort is stable. */
export function sortRows(rows: readonly Entity[], keys: readonly SortKey[], at: EndpointContext): readonly Entity[] {
  const { behaviour } = at
  const valued = rows.map(row => ({ row, values: keys.map(key => key.value(row)) }))
  valued.sort((a, b) => {
    for (const [index, key] of keys.entries()) {
      const result = behaviour.compareSortValues(a.values[index] ?? null, b.values[index] ?? null, key.item, at)
      if (result !== 0) return result
    }
    return 0
  })
  return valued.map(({ row }) => row)
}
