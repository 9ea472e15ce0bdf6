import { geoLiteral, geoShape, type Literal, wgs84 } from '../../runtime/query/index.js'
import type { EnumType, ValueType } from '../../spec/language/index.js'
import { type GeoFamily, Placeholder, type Sql, type SqlValue } from '../dialects/dialect.js'
import { malformedQuery } from '../query-faults.js'
import { type StoredType, storageOf, type ValueKind } from '../schema/stored-type.js'
import { encodeValue, parseEnum } from '../values/codec.js'
import type { Frame, GeoTraits, Operand, Scalar } from './frame.js'

const kinds: Readonly<Record<Exclude<Literal['type'], 'null' | 'Enum'>, ValueKind>> = {
  Boolean: 'boolean',
  String: 'string',
  Integer: 'integer',
  Decimal: 'decimal',
  Double: 'double',
  Guid: 'guid',
  Date: 'date',
  DateTimeOffset: 'dateTimeOffset',
  TimeOfDay: 'timeOfDay',
  Duration: 'duration',
  Binary: 'binary',
  Geography: 'json',
  Geometry: 'json',
}

const largest = 2n ** 63n
const unstorable = /\0|\p{Surrogate}/u

/** A literal as a bound value. */
export function literalOperand(literal: Literal, frame: Frame): Operand {
  if (literal.type === 'Enum') {
    const name = literal.enumType.slice(literal.enumType.lastIndexOf('.') + 1)
    return enumConstant(literal.value, frame.schema.enumOf(name), frame)
  }
  const { type, value } = literal
  if (type === 'null') return { kind: 'null' }
  const stored = { kind: kinds[type] }
  switch (type) {
    case 'Integer':
      return integer(value, frame)
    case 'Decimal':
      return decimal(value, frame)
    case 'Double':
      return numeric(value, doubleValue(value, frame), stored, frame)
    case 'String':
      return { ...constant(value, stored, frame), text: value }
    case 'Geography':
    case 'Geometry':
      return (
        geoConstant(value, type === 'Geography' ? 'geography' : 'geometry', frame) ?? constant(value, stored, frame)
      )
    default: {
      // Stored without padding, as bodies are read.
      const operand = constant(type === 'Binary' ? value.replace(/=+$/, '') : value, stored, frame)
      const placeholder = frame.literalPlaceholders.get(literal)
      if (placeholder === undefined) return operand
      const { constant: _value, ...unknown } = operand
      return { ...unknown, sql: placeholderSql(placeholder, stored, frame) }
    }
  }
}

/** A placeholder for the literal of the query that runs. */
function placeholderSql(name: string, type: StoredType, { dialect }: Frame): Sql {
  return dialect.bind(new Placeholder(name, value => encodeValue(value, type, dialect) ?? null), storageOf(type.kind))
}

/** A value in the form of requests, bound as a value of a type. */
export function constant(value: string | boolean, type: StoredType, frame: Frame): Scalar {
  if (typeof value === 'string' && unstorable.test(value)) {
    throw malformedQuery(frame.option, 'Strings must not contain U+0000 or a lone surrogate.')
  }
  const encoded = encodeValue(value, type, frame.dialect)
  if (encoded === undefined || encoded === null) {
    throw malformedQuery(
      frame.option,
      `'${String(value)}' does not have the type of the value that it is compared with.`,
    )
  }
  return bound(encoded, type, frame)
}

/** A member of an enumeration, by its name or names. */
export function enumConstant(text: string, type: EnumType, frame: Frame): Scalar {
  const number = parseEnum(text, type)
  if (number === undefined) throw malformedQuery(frame.option, `'${text}' is not a member of ${type.name}.`)
  return bound(number, { kind: 'enum', enumType: type }, frame)
}

function bound(value: SqlValue, type: StoredType, { dialect }: Frame): Scalar {
  const stored = dialect.bind(value, storageOf(type.kind))
  if (type.kind === 'decimal') return { kind: 'scalar', type, ...dialect.storedDecimal(stored), nullable: false }
  return { kind: 'scalar', type, sql: stored, nullable: false, constant: value }
}

function integer(text: string, frame: Frame): Scalar {
  const value = BigInt(text)
  if (value >= largest || value < -largest) return decimal(text, frame)
  const isSafe = Number.isSafeInteger(Number(value))
  return { ...bound(isSafe ? Number(value) : bigValue(value, frame), { kind: 'integer' }, frame), number: text }
}

function bigValue(value: bigint, { dialect }: Frame): SqlValue {
  return dialect.name === 'postgres' ? String(value) : value
}

function decimal(text: string, { dialect }: Frame): Scalar {
  return { kind: 'scalar', type: { kind: 'decimal' }, ...dialect.decimal(text), nullable: false, number: text }
}

function doubleValue(text: string, { dialect }: Frame): SqlValue {
  return encodeValue(Number.isNaN(Number(text)) ? text : Number(text), { kind: 'double' }, dialect) ?? null
}

function numeric(text: string, value: SqlValue, type: StoredType, frame: Frame): Scalar {
  return { ...bound(value, type, frame), number: text }
}

/** The traits of a spatial type or property; undefined for other types. */
export function geoTraits(type: ValueType, srid?: number | 'variable'): GeoTraits | undefined {
  const name = type.kind === 'primitive' ? type.name : type.kind === 'typeDefinition' ? type.underlying : ''
  const family = familyOf(name)
  if (family === undefined) return undefined
  const declared = srid ?? (family === 'geography' ? wgs84 : 0)
  return { family, srid: declared === 'variable' ? undefined : declared }
}

function familyOf(name: string): GeoFamily | undefined {
  if (name.startsWith('Geography')) return 'geography'
  return name.startsWith('Geometry') ? 'geometry' : undefined
}

/** A spatial literal as JSON; undefined for a shape that the functions don't support, which compares with null only. */
function geoConstant(text: string, family: GeoFamily, { dialect, option }: Frame): Scalar | undefined {
  const literal = geoLiteral(text)
  if (literal === undefined) {
    if (!supportedShape.test(text)) return undefined
    throw malformedQuery(
      option,
      `'${text}' is not a valid shape: its numbers must be finite, and its rings must be closed.`,
    )
  }
  if (geoShape(literal.json) === undefined) return undefined
  const sql = dialect.json(dialect.bind(JSON.stringify(literal.json), 'text'))
  return { kind: 'scalar', type: { kind: 'json' }, sql, nullable: false, geo: { family, srid: literal.srid } }
}

const supportedShape = /;(?:Point|LineString|Polygon)\(/i
