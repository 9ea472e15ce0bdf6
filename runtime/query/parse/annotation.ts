import type { PathSegment } from '../ast.js'
import { HASH } from '../lexical/characters.js'
import type { Cursor } from './cursor.js'
import { takeIdentifier, takeQualifiedRest } from './identifier.js'
import { take } from './punctuation.js'

/** `@ns.term` or `@ns.term#qualifier`, from the `@` on. @see OData ABNF, `annotationInQuery` */
export function parseAnnotation(cursor: Cursor): Extract<PathSegment, { readonly kind: 'annotation' }> {
  cursor.position += 1
  const term = takeQualifiedRest(cursor, takeIdentifier(cursor, 'the name of an annotation or alias'))
  if (!take(cursor, HASH)) return { kind: 'annotation', term }
  return { kind: 'annotation', term, qualifier: takeIdentifier(cursor, 'the qualifier of the annotation') }
}
