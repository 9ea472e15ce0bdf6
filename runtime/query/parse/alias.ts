import type { Expression } from '../ast.js'
import { SLASH } from '../lexical/characters.js'
import { parseAnnotation } from './annotation.js'
import type { Cursor } from './cursor.js'
import { parsePathFrom } from './path.js'

/**
 * What begins with `@`: the parameter alias `@p`, or a path from an annotation, `@ns.term/name`. A name without a namespace
 * that a path follows is an annotation to the grammar; whoever knows the aliases of the request looks there first.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.16 and 5.3
 */
export function parseAt(cursor: Cursor): Expression {
  const annotation = parseAnnotation(cursor)
  const { term, qualifier } = annotation
  const isAlias = qualifier === undefined && !term.includes('.') && cursor.text.charCodeAt(cursor.position) !== SLASH
  return isAlias ? { kind: 'alias', name: term } : parsePathFrom(cursor, undefined, [annotation])
}
