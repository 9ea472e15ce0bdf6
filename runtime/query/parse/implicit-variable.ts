import type { Expression } from '../ast.js'
import { SLASH } from '../lexical/characters.js'
import { identifierEnd } from '../lexical/identifier.js'
import type { Cursor } from './cursor.js'
import { fail } from './fail.js'
import { parsePathFrom } from './path.js'

/** `$it`, `$this` or `$root/…`. @see OData ABNF, `implicitVariableExpr`, `rootExpr` */
export function parseImplicitVariable(cursor: Cursor): Expression {
  const { text, position } = cursor
  const end = identifierEnd(text, position + 1)
  const name = text.slice(position, end)
  cursor.position = end
  if (name === '$it') return parsePathFrom(cursor, { kind: 'it' }, [])
  if (name === '$this') return parsePathFrom(cursor, { kind: 'this' }, [])
  if (name !== '$root') return fail(cursor, position, ['`$it`', '`$this`', '`$root/`'])
  if (text.charCodeAt(end) !== SLASH) return fail(cursor, end, ['`/` and the name of an entity set or singleton'])
  const path = parsePathFrom(cursor, { kind: 'root' }, [])
  if (path.kind === 'lambda' && path.collection.segments.length === 0) {
    return fail(cursor, end + 1, ['the name of an entity set or singleton'])
  }
  return path
}
