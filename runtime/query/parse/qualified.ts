import type { Expression } from '../ast.js'
import { OPEN, SINGLE_QUOTE, SLASH } from '../lexical/characters.js'
import { parseArguments } from './arguments.js'
import { parseCanonicalCall } from './canonical-call.js'
import { canonicalFunctions } from './canonical-functions.js'
import type { Cursor } from './cursor.js'
import { fail } from './fail.js'
import { takeQualifiedRest } from './identifier.js'
import { parsePathFrom } from './path.js'
import { parseEnumLiteral } from './prefixed-literal.js'

/**
 * An operand that begins with a qualified name whose first part was just read: a literal of an enumeration, a canonical
 * function of `geo`, a service-defined function, or a path that begins with a type cast.
 */
export function parseQualified(cursor: Cursor, first: string): Expression {
  const name = takeQualifiedRest(cursor, first)
  const next = cursor.text.charCodeAt(cursor.position)
  if (next === SINGLE_QUOTE) return parseEnumLiteral(cursor, name)
  if (next === OPEN) return parseFunction(cursor, name)
  if (next !== SLASH)
    return fail(cursor, cursor.position, ['`(`', '`/` and a property', 'a quoted member of the enumeration'])
  return parsePathFrom(cursor, undefined, [{ kind: 'cast', type: name }])
}

function parseFunction(cursor: Cursor, name: string): Expression {
  const lower = name.toLowerCase()
  const arity = canonicalFunctions.get(lower)
  if (arity !== undefined) return parseCanonicalCall(cursor, lower, arity)
  const given = parseArguments(cursor)
  switch (given.kind) {
    case 'none':
      return parsePathFrom(cursor, undefined, [{ kind: 'function', name, parameters: [] }])
    case 'byName':
      return parsePathFrom(cursor, undefined, [{ kind: 'function', name, parameters: given.parameters }])
    case 'byPosition':
      return { kind: 'call', function: name, arguments: given.values }
    default: {
      const parameters = given.values.flatMap(value =>
        value.name === undefined ? [] : [{ name: value.name, value: value.value }],
      )
      return parameters.length > 0
        ? parsePathFrom(cursor, undefined, [{ kind: 'function', name, parameters }])
        : { kind: 'call', function: name, arguments: given.values.map(value => value.value) }
    }
  }
}
