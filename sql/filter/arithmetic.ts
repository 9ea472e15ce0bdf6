import type { ArithmeticOperator, Expression } from '../../runtime/query/index.js'
import type { ComputedNumber, NumberKind, Sql } from '../dialects/dialect.js'
import { unsupportedQuery } from '../query-faults.js'
import type { StoredType, ValueKind } from '../schema/stored-type.js'
import { copied, type Frame, type Operand, operandOf, type Scalar } from './frame.js'

const numberKinds: Readonly<Partial<Record<ValueKind, NumberKind>>> = {
  integer: 'integer',
  decimal: 'decimal',
  double: 'double',
}

/** The kind of arithmetic for a number; undefined if the value is not a number. */
export function numberKindOf({ type }: Scalar): NumberKind | undefined {
  return numberKinds[type.kind]
}

/**
 * Arithmetic with numbers, dates, instants and durations; null if an operand is null, and for division by zero.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.2
 */
export function arithmeticOperand(
  operator: ArithmeticOperator,
  leftExpression: Expression,
  rightExpression: Expression,
  frame: Frame,
): Operand {
  const left = operandOf(leftExpression, frame)
  const right = operandOf(rightExpression, copied(frame, copiesOfRight[operator]))
  if (left.kind === 'null' || right.kind === 'null') return { kind: 'null' }
  if (left.kind !== 'scalar' || right.kind !== 'scalar') throw typeMismatch(operator, frame)
  const a = numberKindOf(left)
  const b = numberKindOf(right)
  if (a !== undefined && b !== undefined)
    return numberArithmetic(operator, left, right, promoted(a, b, operator), frame)
  return temporalArithmetic(operator, left, right, frame)
}

/** Division compares the divisor with zero, and subtraction takes instants apart. */
const copiesOfRight = { add: 1, sub: 2, mul: 1, mod: 1, div: 3, divby: 3 }

/** Negates a number or a duration. */
export function negatedOperand(operand: Operand, frame: Frame): Operand {
  if (operand.kind === 'null') return operand
  if (operand.kind !== 'scalar' || (numberKindOf(operand) === undefined && operand.type.kind !== 'duration')) {
    throw typeMismatch('negate', frame)
  }
  return {
    ...computed(operand.type, frame.dialect.negate(exactSql(operand), numberKindOf(operand) ?? 'decimal')),
    floating: isFloating(operand),
  }
}

function promoted(left: NumberKind, right: NumberKind, operator: ArithmeticOperator): NumberKind {
  if (left === 'double' || right === 'double') return 'double'
  return left === 'decimal' || right === 'decimal' || operator === 'divby' ? 'decimal' : 'integer'
}

function numberArithmetic(
  operator: ArithmeticOperator,
  left: Scalar,
  right: Scalar,
  kind: NumberKind,
  frame: Frame,
): Operand {
  const found = frame.dialect.arithmetic(operator, exactSql(left), exactSql(right), kind)
  return { ...computed({ kind }, found), floating: operator === 'divby' || isFloating(left) || isFloating(right) }
}

function temporalArithmetic(operator: ArithmeticOperator, left: Scalar, right: Scalar, frame: Frame): Operand {
  const { dialect } = frame
  const kinds = `${left.type.kind} ${operator} ${right.type.kind}`
  switch (kinds) {
    case 'dateTimeOffset add duration':
    case 'date add duration':
      return result(left.type, moved(left, right.sql, frame))
    case 'dateTimeOffset sub duration':
    case 'date sub duration':
      return result(left.type, moved(left, dialect.negate(right.sql, 'decimal').sql, frame))
    case 'dateTimeOffset sub dateTimeOffset':
      return computed({ kind: 'duration' }, dialect.secondsBetween(left.sql, right.sql, 'dateTimeOffset'))
    case 'date sub date':
      return computed({ kind: 'duration' }, dialect.secondsBetween(left.sql, right.sql, 'date'))
    case 'duration add duration':
    case 'duration sub duration':
      return computed({ kind: 'duration' }, dialect.arithmetic(operator, exactSql(left), exactSql(right), 'decimal'))
    default:
      break
  }
  const isScaled =
    (left.type.kind === 'duration' &&
      numberKindOf(right) !== undefined &&
      ['mul', 'div', 'divby'].includes(operator)) ||
    (operator === 'mul' && numberKindOf(left) !== undefined && right.type.kind === 'duration')
  if (!isScaled) throw typeMismatch(operator, frame)
  const exact = operator === 'divby' ? 'div' : operator
  return computed({ kind: 'duration' }, dialect.arithmetic(exact, exactSql(left), exactSql(right), 'decimal'))
}

function moved(time: Scalar, seconds: Sql, { dialect }: Frame): Sql {
  return dialect.addSeconds(time.sql, seconds, time.type.kind === 'date' ? 'date' : 'dateTimeOffset')
}

/** The exact form of a number. */
export function exactSql({ exact, sql: nearest }: Scalar): Sql {
  return exact ?? nearest
}

/** A computed number as an operand. */
export function computed(type: StoredType, { sql: nearest, exact }: ComputedNumber): Scalar {
  return { ...result(type, nearest), ...(exact === undefined || type.kind === 'double' ? {} : { exact }) }
}

/** Whether a number may be infinite or NaN. */
export function isFloating({ type, floating, isNumber }: Scalar): boolean {
  return (type.kind === 'double' && isNumber !== true) || floating === true
}

function result(type: StoredType, value: Sql): Scalar {
  return { kind: 'scalar', type, sql: value, nullable: true }
}

function typeMismatch(operator: string, frame: Frame): Error {
  return unsupportedQuery(frame.option, `'${operator}' requires numbers, dates or durations.`)
}
