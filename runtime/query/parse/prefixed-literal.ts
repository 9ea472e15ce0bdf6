import type { Literal } from '../ast.js'
import { isBinary } from '../lexical/binary.js'
import { isDuration } from '../lexical/duration.js'
import { isEnumMembers } from '../lexical/enum-members.js'
import { isGeo } from '../lexical/geo.js'
import type { Cursor } from './cursor.js'
import { fail } from './fail.js'
import { parseString } from './string.js'

/**
 * The quoted rest of a literal whose prefix, in any letter case, was just read: `duration'P1D'`.
 *
 * @see OData ABNF, `durationLiteral`, `binaryLiteral`, `geographyPoint` and its siblings
 */
export function parsePrefixedLiteral(cursor: Cursor, prefix: string, start: number): Literal {
  const quote = cursor.position
  switch (prefix.toLowerCase()) {
    case 'duration': {
      const value = parseString(cursor).toUpperCase()
      if (!isDuration(value)) fail(cursor, quote + 1, ['a duration (P1DT2H3M4.5S)'])
      return { kind: 'literal', type: 'Duration', value }
    }
    case 'binary': {
      const value = parseString(cursor)
      if (!isBinary(value)) fail(cursor, quote + 1, ['base64url text'])
      return { kind: 'literal', type: 'Binary', value }
    }
    case 'geography':
      return { kind: 'literal', type: 'Geography', value: parseGeo(cursor) }
    case 'geometry':
      return { kind: 'literal', type: 'Geometry', value: parseGeo(cursor) }
    default:
      return fail(cursor, start, [
        'binary',
        'duration',
        'geography',
        'geometry',
        'a qualified enumeration type before the quote',
      ])
  }
}

function parseGeo(cursor: Cursor): string {
  const start = cursor.position + 1
  const value = parseString(cursor)
  if (!isGeo(value)) fail(cursor, start, ['a spatial value (SRID=0;Point(1 2))'])
  return value
}

/** The quoted members of an enumeration whose qualified name was just read: `ns.Color'Red,Blue'`. */
export function parseEnumLiteral(cursor: Cursor, enumType: string): Literal {
  const start = cursor.position + 1
  const value = parseString(cursor)
  if (!isEnumMembers(value)) fail(cursor, start, ['member names or integers, separated by commas'])
  return { kind: 'literal', type: 'Enum', enumType, value }
}
