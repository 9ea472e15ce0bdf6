import type { ComputeItem } from '../ast.js'
import { COMMA } from '../lexical/characters.js'
import { whitespaceEnd } from '../lexical/whitespace.js'
import { Cursor } from './cursor.js'
import { requireEnd } from './end.js'
import { parseExpression } from './expression.js'
import { fail } from './fail.js'
import { takeIdentifier } from './identifier.js'
import { failAfterOperand } from './operators.js'
import { takeSpaced } from './punctuation.js'
import { takeWord } from './word.js'

/**
 * The computed properties of a `$compute`, percent-decoded: `price mul quantity as total`.
 *
 * @throws {QuerySyntaxError} when the text breaks the grammar
 * @see OData 4.01 URL Conventions, 5.1.10
 */
export function parseCompute(text: string): readonly ComputeItem[] {
  const cursor = new Cursor(text, '$compute')
  const items = parseComputeItems(cursor)
  requireEnd(cursor, ['`,`'])
  return items
}

/** The items up to the first character that cannot continue them. */
export function parseComputeItems(cursor: Cursor): readonly ComputeItem[] {
  const items: ComputeItem[] = []
  do {
    const expression = parseExpression(cursor)
    const start = whitespaceEnd(cursor.text, cursor.position)
    if (start === cursor.position || !takeWord(cursor, start, 'as')) failAfterOperand(cursor, ['`as` and a name'])
    const name = whitespaceEnd(cursor.text, cursor.position)
    if (name === cursor.position) fail(cursor, name, ['a space and a name after `as`'])
    cursor.position = name
    items.push({ expression, alias: takeIdentifier(cursor, 'the name of the computed property') })
  } while (takeSpaced(cursor, COMMA))
  return items
}
