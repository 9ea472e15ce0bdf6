import type { Literal } from '../ast.js'
import { isBinary } from '../lexical/binary.js'
import { dateEnd } from '../lexical/date.js'
import { dateTimeOffsetEnd } from '../lexical/date-time-offset.js'
import { isDuration } from '../lexical/duration.js'
import { isEnumMembers } from '../lexical/enum-members.js'
import { isGeo } from '../lexical/geo.js'
import { guidEnd } from '../lexical/guid.js'
import { isQualifiedName } from '../lexical/identifier.js'
import { timeOfDayEnd } from '../lexical/time-of-day.js'
import { PrintError } from '../print-error.js'

/** A literal as it stands in an expression. @throws {PrintError} when the value does not fit the type */
export function printLiteral(literal: Literal): string {
  if (literal.type === 'null') return 'null'
  if (literal.type === 'Boolean') return String(literal.value)
  const { type, value } = literal
  switch (type) {
    case 'String':
      return quote(value)
    case 'Integer':
      return checked(literal, /^-?[0-9]+$/.test(value), value)
    case 'Decimal':
      return checked(literal, /^-?[0-9]+(?:\.[0-9]+)?$/.test(value), value)
    case 'Double':
      return checked(literal, /^(?:-?[0-9]+(?:\.[0-9]+)?(?:[Ee][+-]?[0-9]+)?|-?INF|NaN)$/.test(value), value)
    case 'Guid':
      return checked(literal, guidEnd(value, 0) === value.length, value.toLowerCase())
    case 'Date':
      return checked(literal, dateEnd(value, 0) === value.length, value)
    case 'DateTimeOffset':
      return checked(literal, dateTimeOffsetEnd(value, 0) === value.length, value.toUpperCase())
    case 'TimeOfDay':
      return checked(literal, timeOfDayEnd(value, 0) === value.length, value)
    case 'Duration':
      return checked(literal, isDuration(value), `duration${quote(value.toUpperCase())}`)
    case 'Binary':
      return checked(literal, isBinary(value), `binary${quote(value)}`)
    case 'Geography':
      return checked(literal, isGeo(value), `geography${quote(value)}`)
    case 'Geometry':
      return checked(literal, isGeo(value), `geometry${quote(value)}`)
    case 'Enum': {
      const { enumType } = literal
      return checked(literal, isQualifiedName(enumType) && isEnumMembers(value), `${enumType}${quote(value)}`)
    }
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

function checked(literal: Literal, valid: boolean, text: string): string {
  if (!valid) throw new PrintError(`${JSON.stringify(literal.value)} is no value of ${literal.type}.`)
  return text
}
