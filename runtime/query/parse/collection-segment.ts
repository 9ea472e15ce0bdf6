import type { PathSegment } from '../ast.js'
import { OPEN } from '../lexical/characters.js'
import { closeParenthesis } from './close-parenthesis.js'
import type { Cursor } from './cursor.js'
import { parseExpression } from './expression.js'
import { countOptions } from './nested-option-names.js'
import { parseNestedOptions } from './nested-options.js'
import { enter } from './nesting.js'
import { skipWhitespace } from './punctuation.js'

/** `$count`, perhaps with `($filter=…;$search=…)`. @see OData ABNF, `collectionPathExpr` */
export function parseCountSegment(cursor: Cursor): PathSegment {
  cursor.position += '$count'.length
  if (cursor.text.charCodeAt(cursor.position) !== OPEN) return { kind: 'count' }
  const { filter, search } = parseNestedOptions(cursor, countOptions)
  return {
    kind: 'count',
    ...(filter === undefined ? {} : { filter }),
    ...(search === undefined ? {} : { search }),
  }
}

/** `$filter(predicate)` within a path. @see OData ABNF, `filterExpr` */
export function parseFilterSegment(cursor: Cursor): PathSegment {
  enter(cursor)
  cursor.position += '$filter('.length
  skipWhitespace(cursor)
  const predicate = parseExpression(cursor)
  closeParenthesis(cursor)
  cursor.nesting -= 1
  return { kind: 'filter', predicate }
}
