import { sql } from 'kysely'
import { allOf, always, anyOf, never } from '../conditions.js'
import { Placeholder, type Sql } from '../dialects/dialect.js'
import { unsupportedQuery } from '../query-faults.js'
import { idColumn } from '../schema/schema.js'
import { type Storage, type StoredType, storageOf } from '../schema/stored-type.js'
import { encodeValue, nativeValue } from '../values/codec.js'
import { exactSql, isFloating } from './arithmetic.js'
import type { Frame, Operand, Scalar } from './frame.js'
import { constant, enumConstant } from './literals.js'

type Comparison = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le'

/**
 * Whether a comparison is true. Comparisons are never unknown: null equals only null, and has no order.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.1
 */
export function comparison(operator: Comparison, left: Operand, right: Operand, frame: Frame): Sql {
  if (left.kind === 'null' || right.kind === 'null') {
    if (operator !== 'eq' && operator !== 'ne') return never
    const other = left.kind === 'null' ? right : left
    return operator === 'eq' ? isNull(other, frame) : sql`NOT (${isNull(other, frame)})`
  }
  if (left.kind !== 'scalar' || right.kind !== 'scalar') {
    throw unsupportedQuery(frame.option, 'Complex values and collections can be compared with null only.')
  }
  const [a, b] = nativePair(operator, ...sortablePair(...coerced(left, right, frame), frame), frame)
  if (a.number === 'NaN' || b.number === 'NaN') return operator === 'ne' ? always : never
  if (isComparedExactly(a, b)) return exactComparison(operator, a, b, frame)
  if (operator === 'eq' || operator === 'ne') return equality(operator, a, b, frame)
  const isOrdered = sql`${a.sql} ${signs[operator]} ${b.sql}`
  const greater = operator === 'gt' || operator === 'ge' ? a : b
  return allOf([isOrdered, ...numbersOnly([greater], frame)])
}

/** Two values, or one and a literal, in a type of the engine. */
function nativePair(operator: Comparison, a: Scalar, b: Scalar, frame: Frame): readonly [Scalar, Scalar] {
  const storage = a.native?.storage ?? b.native?.storage
  if (storage === undefined) return [a, b]
  const isEquality = operator === 'eq' || operator === 'ne'
  if (!isEquality && (storage === 'equalText' || storage === 'untyped')) return [a, b]
  const [x, y] = [nativeOf(a, storage, frame), nativeOf(b, storage, frame)]
  return x === undefined || y === undefined ? [a, b] : [x, y]
}

function nativeOf(operand: Scalar, storage: Storage, { dialect }: Frame): Scalar | undefined {
  const { native, constant, ...rest } = operand
  // Two columns of enumerations can have different types.
  if (native !== undefined) return native.storage === storage ? { ...rest, sql: native.sql } : undefined
  const value = constant === undefined ? undefined : nativeValue(constant, storage, operand.type)
  return value === undefined ? undefined : { ...rest, sql: dialect.bind(value, storage) }
}

/** Two decimal numbers, or one and a literal, as the sortable texts that the engine stores. */
function sortablePair(a: Scalar, b: Scalar, frame: Frame): readonly [Scalar, Scalar] {
  if (a.sortable === undefined && b.sortable === undefined) return [a, b]
  const [x, y] = [sortableOf(a, frame), sortableOf(b, frame)]
  return x === undefined || y === undefined ? [a, b] : [x, y]
}

function sortableOf(operand: Scalar, { dialect }: Frame): Scalar | undefined {
  const { exact: _exact, number, ...rest } = operand
  if (operand.sortable !== undefined) return { ...rest, sql: operand.sortable }
  const text = number === undefined || operand.type.kind === 'double' ? undefined : dialect.sortable(number)
  return text === undefined ? undefined : { ...rest, sql: dialect.bind(text, 'exact') }
}

/** Numbers are compared exactly if one of them has an exact form and neither is a floating-point number. */
function isComparedExactly(a: Scalar, b: Scalar): boolean {
  return (a.exact ?? b.exact) !== undefined && a.type.kind !== 'double' && b.type.kind !== 'double'
}

function exactComparison(operator: Comparison, a: Scalar, b: Scalar, frame: Frame): Sql {
  const order = frame.dialect.compareExact(exactSql(a), exactSql(b))
  if (operator === 'eq') return anyOf([sql`${order} = 0`, ...bothNull(a, b)])
  if (operator === 'ne')
    return allOf([sql`(${order} = 0) IS NOT TRUE`, ...bothNull(a, b).map(both => sql`NOT (${both})`)])
  const isOrdered = sql`${order} ${signs[operator]} 0`
  const isNumber = [a, b].filter(isFloating).map(value => sql`NOT (${frame.dialect.isNaN(value.sql)})`)
  return allOf([isOrdered, ...isNumber])
}

function bothNull(a: Scalar, b: Scalar): readonly Sql[] {
  return a.nullable && b.nullable ? [sql`(${a.sql} IS NULL AND ${b.sql} IS NULL)`] : []
}

const signs = { gt: sql`>`, ge: sql`>=`, lt: sql`<`, le: sql`<=` }

function equality(operator: 'eq' | 'ne', a: Scalar, b: Scalar, frame: Frame): Sql {
  const bothNullable = a.nullable && b.nullable
  if (operator === 'eq') {
    const equal = bothNullable ? frame.dialect.identical(a.sql, b.sql) : sql`${a.sql} = ${b.sql}`
    return a.number === undefined && b.number === undefined ? allOf([equal, ...numbersOnly([a], frame)]) : equal
  }
  const differs =
    a.nullable || b.nullable ? sql`NOT (${frame.dialect.identical(a.sql, b.sql)})` : sql`${a.sql} <> ${b.sql}`
  if (!isFloating(a) || a.number !== undefined || b.number !== undefined) return differs
  return sql`(${differs} OR ${frame.dialect.isNaN(a.sql)})`
}

/** Engines sort NaN after all numbers. In OData, NaN is neither less than, equal to nor greater than anything. */
function numbersOnly(values: readonly Scalar[], { dialect }: Frame): readonly Sql[] {
  return values
    .filter(value => isFloating(value) && value.number === undefined)
    .map(value => sql`(${dialect.isNaN(value.sql)}) IS NOT TRUE`)
}

export function isNull(operand: Operand, frame: Frame): Sql {
  switch (operand.kind) {
    case 'null':
      return always
    case 'scalar':
      return operand.nullable ? sql`${operand.sortable ?? operand.sql} IS NULL` : never
    case 'structure':
      return sql`${frame.dialect.jsonPart(operand.place)} IS NULL`
    case 'row':
      return sql`${operand.column(idColumn)} IS NULL`
    default:
      return never
  }
}

/** Converts a literal string or a parameter to the type of the other operand. */
function coerced(left: Scalar, right: Scalar, frame: Frame): readonly [Scalar, Scalar] {
  return [coercedTo(left, right.type, right, frame), coercedTo(right, left.type, left, frame)]
}

function coercedTo(operand: Scalar, type: StoredType, other: Scalar, frame: Frame): Scalar {
  if (operand.type.kind === type.kind || type.kind === 'string') return operand
  if (operand.parameter !== undefined && other.parameter === undefined)
    return parameterAs(operand.parameter, type, frame)
  if (operand.text === undefined) return operand
  return literalAs(operand.text, type, frame)
}

/** A literal string as a value of a type. */
export function literalAs(text: string, type: StoredType, frame: Frame): Scalar {
  return type.enumType === undefined ? constant(text, type, frame) : enumConstant(text, type.enumType, frame)
}

function parameterAs(name: string, type: StoredType, { dialect }: Frame): Scalar {
  const placeholder = new Placeholder(`parameter ${name}`, value => encodeValue(value, type, dialect) ?? null)
  const stored = dialect.bind(placeholder, storageOf(type.kind))
  const value = type.kind === 'decimal' ? dialect.storedDecimal(stored) : { sql: stored }
  return { kind: 'scalar', type, ...value, nullable: true, parameter: name }
}
