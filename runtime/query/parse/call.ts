import type { Expression } from '../ast.js'
import { parseArguments } from './arguments.js'
import { parseCanonicalCall } from './canonical-call.js'
import { canonicalFunctions } from './canonical-functions.js'
import { parseCase } from './case.js'
import type { Cursor } from './cursor.js'
import { fail } from './fail.js'
import { parsePathFrom } from './path.js'
import { suggestFunction } from './suggest-function.js'
import { parseTypeCall } from './type-call.js'

/**
 * What a name without a namespace, just read, and the `(` behind it begin: the call of a canonical function, or one item of
 * a collection by its key.
 *
 * @see OData ABNF, `methodCallExpr`, `keyPredicate`
 */
export function parseCall(cursor: Cursor, name: string, start: number): Expression {
  const arity = canonicalFunctions.get(name)
  if (arity !== undefined) return parseCanonicalCall(cursor, name, arity)
  const lower = name.toLowerCase()
  const arityInLower = canonicalFunctions.get(lower)
  if (arityInLower !== undefined) return parseCanonicalCall(cursor, lower, arityInLower)
  if (lower === 'case') return parseCase(cursor)
  if (lower === 'cast' || lower === 'isof') return parseTypeCall(cursor, lower)
  if (lower === 'any' || lower === 'all') {
    fail(cursor, start, ['a path to a collection before it'], `Write \`items/${lower}(x:x/name eq 1)\`.`)
  }
  const given = parseArguments(cursor)
  if (given.kind !== 'key') return fail(cursor, start, ['the name of a canonical function'], suggestFunction(name))
  return parsePathFrom(cursor, undefined, [
    { kind: 'property', name },
    { kind: 'key', values: given.values },
  ])
}
