import type { OrderbyItem } from '../ast.js'
import { COMMA } from '../lexical/characters.js'
import { whitespaceEnd } from '../lexical/whitespace.js'
import { Cursor } from './cursor.js'
import { requireEndOfExpression } from './end.js'
import { parseExpression } from './expression.js'
import { takeSpaced } from './punctuation.js'
import { takeWord } from './word.js'

export const afterOrderbyExpression = ['`asc`', '`desc`', '`,`'] as const

/**
 * The sort keys of an `$orderby`, percent-decoded: `receivedDateTime desc,subject`. Without a direction a key ascends.
 *
 * @throws {QuerySyntaxError} when the text breaks the grammar
 * @see OData 4.01 URL Conventions, 5.1.5
 */
export function parseOrderby(text: string): readonly OrderbyItem[] {
  const cursor = new Cursor(text, '$orderby')
  const items = parseOrderbyItems(cursor)
  requireEndOfExpression(cursor, afterOrderbyExpression)
  return items
}

/** The keys up to the first character that cannot continue them. */
export function parseOrderbyItems(cursor: Cursor): readonly OrderbyItem[] {
  const items: OrderbyItem[] = []
  do {
    const expression = parseExpression(cursor)
    items.push({ expression, direction: parseDirection(cursor) })
  } while (takeSpaced(cursor, COMMA))
  return items
}

function parseDirection(cursor: Cursor): OrderbyItem['direction'] {
  const start = whitespaceEnd(cursor.text, cursor.position)
  if (start === cursor.position) return 'asc'
  if (takeWord(cursor, start, 'desc')) return 'desc'
  takeWord(cursor, start, 'asc')
  return 'asc'
}
