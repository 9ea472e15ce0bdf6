import type { TypeExpression } from '../ast.js'
import { OPEN } from '../lexical/characters.js'
import type { Cursor } from './cursor.js'
import { takeIdentifier, takeQualifiedRest } from './identifier.js'
import { skipWhitespace, take, takeClose } from './punctuation.js'

/** `Edm.String`, `ns.type`, `type` or `Collection(…)`. @see OData ABNF, `optionallyQualifiedTypeName` */
export function parseTypeName(cursor: Cursor): TypeExpression {
  const name = takeTypeName(cursor)
  if (name !== 'Collection' || !take(cursor, OPEN)) return { kind: 'type', name, collection: false }
  skipWhitespace(cursor)
  const item = takeTypeName(cursor)
  takeClose(cursor)
  return { kind: 'type', name: item, collection: true }
}

function takeTypeName(cursor: Cursor): string {
  return takeQualifiedRest(cursor, takeIdentifier(cursor, 'the name of a type'))
}
