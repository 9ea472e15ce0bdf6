import type { Literal } from '../ast.js'
import { EvaluationError } from '../evaluation-error.js'
import type { TypeTable } from '../schema.js'
import { enumValue } from './enum-value.js'
import { castText } from './text-cast.js'
import type { Value } from './value.js'

const literalKinds = {
  Integer: 'integer',
  Decimal: 'decimal',
  Double: 'double',
  Guid: 'guid',
  Date: 'date',
  DateTimeOffset: 'dateTimeOffset',
  TimeOfDay: 'timeOfDay',
  Duration: 'duration',
} as const

/** What a literal stands for. */
export function literalValue(literal: Literal, types: TypeTable | undefined): Value {
  switch (literal.type) {
    case 'null':
      return null
    case 'Boolean':
      return literal.value
    case 'String':
      return { kind: 'string', text: literal.value }
    case 'Binary':
      return { kind: 'binary', text: literal.value }
    case 'Geography':
      return { kind: 'geography', text: literal.value }
    case 'Geometry':
      return { kind: 'geometry', text: literal.value }
    case 'Enum':
      return enumValue(literal.enumType, literal.value, types)
    default: {
      const value = castText(literal.value, literalKinds[literal.type])
      if (value === undefined) throw new EvaluationError(`${JSON.stringify(literal.value)} is no ${literal.type}.`)
      return value
    }
  }
}
