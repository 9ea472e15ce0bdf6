import { sql } from 'kysely'
import type { Expression, FunctionCall } from '../../../runtime/query/index.js'
import type { Sql } from '../dialect/dialect.js'
import { Slot } from '../engine/sql-value.js'
import type { StoredType, ValueKind } from '../schema/storage.js'
import { instantOf } from '../value/moment.js'
import { calculated, exactSql, isFloating, numberKindOf } from './compile-arithmetic.js'
import { caseOperand } from './compile-case.js'
import { castOperand, isofOperand } from './compile-cast.js'
import { countSql } from './compile-collection.js'
import { asType } from './compile-comparison.js'
import { compileOperand } from './compile-operand.js'
import { copied, type Frame } from './frame.js'
import { geoOperand } from './geo-operand.js'
import { constant } from './literal-operand.js'
import type { Operand, Scalar } from './operand.js'
import { patternOperand } from './pattern-operand.js'
import { textPart } from './text-part.js'
import { timePart } from './time-part.js'
import { unsupported } from './unsupported.js'

/** Value of the slot that `now()` becomes: the time of the request, a `Date`. */
export const nowSlot = 'now'

/** The value of a canonical function; null where an argument is null. */
export function callOperand(call: FunctionCall, frame: Frame): Operand {
  const { function: name, arguments: given } = call
  switch (name) {
    case 'tolower':
      return ofText(given, name, frame, text => frame.dialect.lower(text))
    case 'toupper':
      return ofText(given, name, frame, text => frame.dialect.upper(text))
    case 'trim':
      return ofText(given, name, frame, text => frame.dialect.trim(text))
    case 'length':
      return lengthOperand(given, frame)
    case 'concat':
    case 'indexof':
    case 'substring':
      return textPart(name, given, frame)
    case 'year':
    case 'month':
    case 'day':
    case 'hour':
    case 'minute':
    case 'second':
    case 'fractionalseconds':
    case 'date':
    case 'time':
    case 'totaloffsetminutes':
      return timePart(name, given, frame)
    case 'totalseconds': {
      const duration = argument(given[0], ['duration'], name, frame)
      return duration === undefined ? { kind: 'null' } : { ...duration, type: { kind: 'decimal' } }
    }
    case 'round':
    case 'floor':
    case 'ceiling':
      return roundedOperand(name, given, frame)
    case 'case':
      return caseOperand(given, frame)
    case 'cast':
      return castOperand(given, frame)
    case 'isof':
      return isofOperand(given, frame)
    case 'matchespattern':
      return patternOperand(given, frame)
    case 'geo.distance':
    case 'geo.length':
    case 'geo.intersects':
      return geoOperand(name, given, frame)
    case 'now':
      return scalar({ kind: 'dateTimeOffset' }, frame.dialect.bind(new Slot(nowSlot, storedInstant), 'text'), false)
    case 'mindatetime':
      return constant('0001-01-01T00:00:00Z', { kind: 'dateTimeOffset' }, frame)
    case 'maxdatetime':
      return constant('9999-12-31T23:59:59.999999999999Z', { kind: 'dateTimeOffset' }, frame)
    default:
      throw unsupported(frame.option, `The function '${name}' is not supported here.`)
  }
}

/** Only the queries that ask for the time pay for its text. */
function storedInstant(now: unknown): string | null {
  return now instanceof Date ? instantOf(now) : null
}

export function scalar(type: StoredType, value: Sql, nullable = true): Scalar {
  return { kind: 'scalar', type, sql: value, nullable }
}

/**
 * An argument of one of some kinds; a literal text is read as the first of them that it fits. Undefined: it is null.
 */
export function argument(
  expression: Expression | undefined,
  kinds: readonly ValueKind[],
  name: string,
  frame: Frame,
): Scalar | undefined {
  return asArgument(expression === undefined ? undefined : compileOperand(expression, frame), kinds, name, frame)
}

/** An argument that has been compiled, as one of some kinds. */
export function asArgument(
  operand: Operand | undefined,
  kinds: readonly ValueKind[],
  name: string,
  frame: Frame,
): Scalar | undefined {
  if (operand?.kind === 'null') return undefined
  if (operand?.kind !== 'scalar') throw unsupported(frame.option, `'${name}' is not supported for this argument.`)
  if (kinds.includes(operand.type.kind)) return operand
  const { text } = operand
  const [kind = 'string'] = kinds.filter(candidate => candidate !== 'date' || text?.length === 10)
  if (text !== undefined) return asType(text, { kind }, frame)
  throw unsupported(frame.option, `'${name}' is not supported for values of kind ${operand.type.kind}.`)
}

function ofText(given: readonly Expression[], name: string, frame: Frame, work: (text: Sql) => Sql): Operand {
  const text = argument(given[0], ['string'], name, frame)
  return text === undefined ? { kind: 'null' } : scalar({ kind: 'string' }, work(text.sql), text.nullable)
}

function lengthOperand(given: readonly Expression[], frame: Frame): Operand {
  const [first] = given
  const operand = first === undefined ? undefined : compileOperand(first, copied(frame, 2))
  if (operand?.kind === 'targets') return scalar({ kind: 'integer' }, countSql(operand, frame))
  if (operand?.kind === 'items') {
    const isThere = sql`${frame.dialect.jsonPart(operand.place)} IS NOT NULL`
    return scalar({ kind: 'integer' }, sql`CASE WHEN ${isThere} THEN ${countSql(operand, frame)} END`)
  }
  const text = asArgument(operand, ['string'], 'length', frame)
  return text === undefined ? { kind: 'null' } : scalar({ kind: 'integer' }, sql`length(${text.sql})`, text.nullable)
}

function roundedOperand(name: 'round' | 'floor' | 'ceiling', given: readonly Expression[], frame: Frame): Operand {
  const value = argument(given[0], ['integer', 'decimal', 'double'], name, copied(frame, 2))
  if (value === undefined) return { kind: 'null' }
  const found = frame.dialect.round(name, exactSql(value), numberKindOf(value) ?? 'decimal')
  return { ...calculated(value.type, found), floating: isFloating(value) }
}
