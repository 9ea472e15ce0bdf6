import { sql } from 'kysely'
import type { EnumType } from '../../../spec/language/index.js'
import type { CastSource, CastTarget, Sql } from '../dialect/dialect.js'
import { primitiveKind, type ValueKind } from '../schema/storage.js'
import { calculated, exactSql, numberKindOf } from './compile-arithmetic.js'
import { memberNumber, numberOfNames, textOfMembers } from './enum-cast.js'
import type { Frame } from './frame.js'
import type { Operand, Scalar } from './operand.js'
import { unsupported } from './unsupported.js'

const integerRanges: Readonly<Record<string, readonly [least: bigint, most: bigint]>> = {
  SByte: [-128n, 127n],
  Byte: [0n, 255n],
  Int16: [-32_768n, 32_767n],
  Int32: [-2_147_483_648n, 2_147_483_647n],
  Int64: [-9_223_372_036_854_775_808n, 9_223_372_036_854_775_807n],
}

/**
 * A value as one of a primitive type, by its name without `Edm.`; null where it does not fit, and for types that never do.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.10.1
 */
export function castToPrimitive(value: Scalar, name: string, frame: Frame): Operand {
  const kind = primitiveKind(name)
  if (kind === 'json' || kind === 'binary')
    throw unsupported(frame.option, `A cast to Edm.${name} is not supported here.`)
  const target = targetOf(name, kind)
  if (kind === 'string') return { ...scalarOf(kind, textOf(value, frame)) }
  if (kind === 'boolean') return toBoolean(value)
  const source = sourceOf(value)
  if (isNumber(kind)) {
    if (source === undefined || source === 'duration') return { kind: 'null' }
    return calculated({ kind }, frame.dialect.cast(exactSql(value), source, target))
  }
  if (value.type.kind === kind) return scalarOf(kind, value.sql)
  return source === 'text' ? scalarOf(kind, frame.dialect.cast(value.sql, source, target).sql) : { kind: 'null' }
}

function scalarOf(kind: ValueKind, value: Sql): Scalar {
  return { kind: 'scalar', type: { kind }, sql: value, nullable: true }
}

function isNumber(kind: ValueKind): kind is 'integer' | 'decimal' | 'double' {
  return kind === 'integer' || kind === 'decimal' || kind === 'double'
}

function targetOf(name: string, kind: ValueKind): CastTarget {
  const range = Object.hasOwn(integerRanges, name) ? integerRanges[name] : undefined
  if (range !== undefined) return { kind: 'integer', least: range[0], most: range[1] }
  if (name === 'Single') return { kind: 'single' }
  switch (kind) {
    case 'decimal':
    case 'double':
    case 'guid':
    case 'date':
    case 'dateTimeOffset':
    case 'timeOfDay':
    case 'duration':
      return { kind }
    default:
      return { kind: 'text' }
  }
}

/** What a value is cast from; members of enumerations are numbers. Undefined: it can become neither number nor time. */
function sourceOf(value: Scalar): CastSource | undefined {
  switch (value.type.kind) {
    case 'string':
      return 'text'
    case 'enum':
      return 'integer'
    case 'duration':
      return 'duration'
    default:
      return numberKindOf(value)
  }
}

/** The text that payloads have for a value. */
function textOf(value: Scalar, frame: Frame): Sql {
  const { dialect } = frame
  const { kind, enumType } = value.type
  switch (kind) {
    case 'boolean':
      return dialect.ordered(sql`CASE ${value.sql} WHEN TRUE THEN 'true' WHEN FALSE THEN 'false' END`)
    case 'integer':
    case 'decimal':
    case 'double':
    case 'duration':
      return dialect.cast(exactSql(value), kind, { kind: 'text' }).sql
    case 'dateTimeOffset':
      return sql`(${value.sql} || 'Z')`
    case 'enum':
      if (enumType === undefined) break
      return dialect.ordered(textOfMembers(value.sql, enumType))
    case 'json':
      break
    default:
      return value.sql
  }
  throw unsupported(frame.option, `A value of kind ${kind} cannot be cast to a text here.`)
}

function toBoolean(value: Scalar): Operand {
  if (value.type.kind === 'boolean') return scalarOf('boolean', value.sql)
  if (value.type.kind !== 'string') return { kind: 'null' }
  return scalarOf('boolean', sql`CASE ${value.sql} WHEN 'true' THEN TRUE WHEN 'false' THEN FALSE END`)
}

/** A value as one of an enumeration, by the names or the number of its members. */
export function castToEnum(value: Scalar, type: EnumType, frame: Frame): Operand {
  const found = membersOf(value, type, frame)
  return found === undefined
    ? { kind: 'null' }
    : { kind: 'scalar', type: { kind: 'enum', enumType: type }, sql: found, nullable: true }
}

function membersOf(value: Scalar, type: EnumType, frame: Frame): Sql | undefined {
  switch (value.type.kind) {
    case 'enum':
      return value.type.enumType === type ? value.sql : undefined
    case 'string':
      return numberOfNames(value.sql, type, frame)
    case 'integer':
      // What was reckoned need not be an integer to the engine, and only those have bits.
      return memberNumber(frame.dialect.cast(exactSql(value), 'integer', targetOf('Int64', 'integer')).sql, type)
    default:
      return undefined
  }
}
