import { sql } from 'kysely'
import type { Expression, TypeExpression } from '../../runtime/query/index.js'
import { type EnumType, integerRange } from '../../spec/language/index.js'
import type { CastSource, CastTarget, Sql } from '../dialects/dialect.js'
import { unsupportedQuery } from '../query-faults.js'
import { primitiveKind, type ValueKind } from '../schema/stored-type.js'
import { computed, exactSql, numberKindOf } from './arithmetic.js'
import { isNull } from './comparison.js'
import { copied, type EntityRow, type Frame, type Operand, operandOf, type Scalar } from './frame.js'
import { castRow, castStructure } from './paths.js'

/**
 * `cast(expression,type)`: the value as another type; null if it does not fit. Without an expression, the item.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.10.1
 */
export function castOperand(given: readonly Expression[], frame: Frame): Operand {
  const { operand, type } = operandAndType('cast', given, frame)
  return castTo(operand, type.name, frame)
}

/**
 * `isof(expression,type)`: whether the value can be cast to the type; null if the value is null.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.10.2
 */
export function isofOperand(given: readonly Expression[], frame: Frame): Operand {
  const { operand, type } = operandAndType('isof', given, frame)
  if (operand.kind === 'null') return operand
  const found = castTo(operand, type.name, frame)
  const isOfType = sql`CASE WHEN NOT (${isNull(operand, frame)}) THEN NOT (${isNull(found, frame)}) END`
  return { kind: 'scalar', type: { kind: 'boolean' }, sql: isOfType, nullable: true }
}

function operandAndType(
  name: 'cast' | 'isof',
  given: readonly Expression[],
  frame: Frame,
): { readonly operand: Operand; readonly type: TypeExpression } {
  const type = given.at(-1)
  if (type?.kind !== 'type') throw unsupportedQuery(frame.option, `'${name}' requires a type as its last argument.`)
  if (type.collection) throw unsupportedQuery(frame.option, `'${name}' to a collection is not supported.`)
  const [first] = given
  // The SQL tests the type of an item for each of its columns.
  const copies = (type.name.startsWith('Edm.') ? 1 : 2) + (name === 'isof' ? 1 : 0)
  const operand = given.length < 2 || first === undefined ? frame.current : operandOf(first, copied(frame, copies))
  return { operand, type }
}

function castTo(operand: Operand, name: string, frame: Frame): Operand {
  switch (operand.kind) {
    case 'null':
      return operand
    case 'scalar':
      return castScalar(operand, name, frame)
    case 'row':
      return castItem(operand, name, frame)
    case 'structure':
      return castStructure(operand, unqualified(name), frame)
    default:
      throw unsupportedQuery(frame.option, 'Casts of collections are not supported.')
  }
}

function castScalar(value: Scalar, name: string, frame: Frame): Operand {
  if (name.startsWith('Edm.')) return castToPrimitive(value, name.slice('Edm.'.length), frame)
  const type = frame.schema.typeNamed(unqualified(name))
  if (type?.kind === 'typeDefinition') return castToPrimitive(value, type.underlying, frame)
  return type?.kind === 'enumType' ? castToEnum(value, type, frame) : { kind: 'null' }
}

function castItem(row: EntityRow, name: string, frame: Frame): Operand {
  const type = frame.schema.typeNamed(unqualified(name))
  return type?.kind === 'entityType' ? castRow(row, type) : { kind: 'null' }
}

function unqualified(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

/**
 * Casts a value to a primitive type, by its name without `Edm.`; null if it does not fit.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.10.1
 */
function castToPrimitive(value: Scalar, name: string, frame: Frame): Operand {
  const kind = primitiveKind(name)
  if (kind === 'json' || name === 'Stream')
    throw unsupportedQuery(frame.option, `A cast to Edm.${name} is not supported.`)
  const target = targetOf(name, kind)
  if (kind === 'string') return { ...scalarOf(kind, textOf(value, frame)) }
  if (kind === 'boolean') return toBoolean(value)
  const source = sourceOf(value)
  if (isNumber(kind)) {
    if (source === undefined || source === 'duration') return { kind: 'null' }
    return computed({ kind }, frame.dialect.cast(exactSql(value), source, target))
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
  const range = integerRange(name)
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
    case 'binary':
      return { kind }
    default:
      return { kind: 'text' }
  }
}

/** The source of a cast to a number or time. Enumeration members are numbers. Undefined: such a cast is impossible. */
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

/** The text of a value as payloads represent it. */
function textOf(value: Scalar, frame: Frame): Sql {
  const { dialect } = frame
  const { kind, enumType } = value.type
  switch (kind) {
    case 'boolean':
      return dialect.collated(sql`CASE ${value.sql} WHEN TRUE THEN 'true' WHEN FALSE THEN 'false' END`)
    case 'integer':
    case 'decimal':
    case 'double':
    case 'duration':
      return dialect.cast(exactSql(value), kind, { kind: 'text' }).sql
    case 'dateTimeOffset':
      return dialect.concat([value.sql, sql`'Z'`])
    case 'enum':
      if (enumType === undefined) break
      return dialect.collated(textOfMembers(value.sql, enumType))
    case 'json':
      break
    default:
      return value.sql
  }
  throw unsupportedQuery(frame.option, `A cast from ${kind} to Edm.String is not supported.`)
}

function toBoolean(value: Scalar): Operand {
  if (value.type.kind === 'boolean') return scalarOf('boolean', value.sql)
  if (value.type.kind !== 'string') return { kind: 'null' }
  return scalarOf('boolean', sql`CASE ${value.sql} WHEN 'true' THEN TRUE WHEN 'false' THEN FALSE END`)
}

/** Casts a value to an enumeration, by the names or the number of its members. */
function castToEnum(value: Scalar, type: EnumType, frame: Frame): Operand {
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
      // A computed number may not be an integer for the engine, and bit operations require integers.
      return memberNumber(frame.dialect.cast(exactSql(value), 'integer', targetOf('Int64', 'integer')).sql, type)
    default:
      return undefined
  }
}

/**
 * The text of a number: the name of its member; for flags, the names of the members that it consists of; otherwise the
 * number.
 */
function textOfMembers(number: Sql, { members, flags }: EnumType): Sql {
  const exact = members.map(({ name, value }) => sql`WHEN ${sql.lit(value)} THEN ${sql.lit(name)}`)
  const parts = flags ? members.filter(({ value }) => value !== 0) : []
  const names = parts.map(({ name, value }) => sql`CASE WHEN ${hasAll(value)} THEN ${sql.lit(`,${name}`)} ELSE '' END`)
  const made = sql`WHEN ${sumOf(parts)} THEN substr(${sql.join([sql`''`, ...names], sql` || `)}, 2)`
  const text = sql`CASE n ${sql.join(exact, sql` `)} ${parts.length === 0 ? sql`` : made} ELSE CAST(n AS text) END`
  return ofNumber(text, number)
}

/** A number if it is a member of the enumeration. Flags can have any number. */
function memberNumber(number: Sql, { members, flags }: EnumType): Sql {
  if (flags) return number
  return ofNumber(sql`CASE WHEN n IN (${sql.join(members.map(({ value }) => sql.lit(value)))}) THEN n END`, number)
}

/** An expression over a number `n` that appears only once in the SQL. LIMIT keeps the engines from repeating it. */
function ofNumber(value: Sql, number: Sql): Sql {
  return sql`(SELECT ${value} FROM (SELECT ${number} AS n LIMIT 1) AS given)`
}

/** The number of the members that a text names; null if it names an unknown member. */
function numberOfNames(text: Sql, { members, flags }: EnumType, { dialect, alias }: Frame): Sql {
  const cases = members.map(({ name, value }) => sql`WHEN ${sql.lit(name)} THEN ${sql.lit(value)}`)
  if (!flags) return sql`CASE ${text} ${sql.join(cases, sql` `)} END`
  const words = alias()
  const number = sql`CASE ${dialect.trim(sql.id(words, 'value'))} ${sql.join(cases, sql` `)} END`
  const bits = bitsOf(members).map(bit => sql`max(n & ${sql.lit(bit)})`)
  const together = bits.length === 0 ? sql`max(n)` : sql.join(bits, sql` + `)
  return sql`(SELECT CASE WHEN count(*) = count(n) THEN ${together} END FROM (SELECT ${number} AS n FROM ${dialect.commaSeparated(text, words)}) AS named)`
}

type Members = EnumType['members']

/** Each bit that a member has. */
function bitsOf(members: Members): readonly number[] {
  const all = members.reduce((bits, { value }) => bits | value, 0)
  return Array.from({ length: 31 }, (_, place) => 2 ** place).filter(bit => (all & bit) !== 0)
}

function hasAll(value: number): Sql {
  return sql`(n & ${sql.lit(value)}) = ${sql.lit(value)}`
}

/** The bits of `n` that belong to a member. */
function sumOf(members: Members): Sql {
  const bits = members.map(({ value }) => sql`CASE WHEN ${hasAll(value)} THEN ${sql.lit(value)} ELSE 0 END`)
  return sql`(${sql.join(bits, sql` | `)})`
}
