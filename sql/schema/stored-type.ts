import {
  type EntityType,
  type EnumType,
  isStream,
  kindOfPrimitive,
  type Property,
  type ValueType,
} from '../../spec/language/index.js'

/**
 * The kind of a value determines how it is stored and compared:
 *
 * - `dateTimeOffset`: UTC text without `Z` and trailing zeros, so that text order is time order
 * - `date`, `timeOfDay`, `guid` and `binary`: text
 * - `string`: text, ordered by code points
 * - `duration`: seconds
 * - `enum`: the number of its members
 * - `decimal`: an exact number if the engine has one
 * - `json`: complex values, collections and spatial values, which compare with null only
 */
export type ValueKind =
  | 'string'
  | 'boolean'
  | 'integer'
  | 'decimal'
  | 'double'
  | 'guid'
  | 'date'
  | 'dateTimeOffset'
  | 'timeOfDay'
  | 'duration'
  | 'enum'
  | 'binary'
  | 'json'

/** The storage class of a column. `exact` keeps all digits of a decimal number. `bytes` is for streams. */
export type Storage = 'text' | 'integer' | 'boolean' | 'decimal' | 'exact' | 'double' | 'bytes' | NativeStorage

/**
 * Types that only tables of others have. A column of one is read as text, and compared as it is, so that its indexes are
 * used. `equalText`: text in a collation of the database, which compares for equality only. `untyped`: a member of an
 * enumeration by its name.
 */
export type NativeStorage = 'uuid' | 'timestamptz' | 'timestamp' | 'date' | 'time' | 'equalText' | 'untyped'

const storages: Readonly<Record<ValueKind, Storage>> = {
  string: 'text',
  boolean: 'boolean',
  integer: 'integer',
  decimal: 'exact',
  double: 'double',
  guid: 'text',
  date: 'text',
  dateTimeOffset: 'text',
  timeOfDay: 'text',
  duration: 'decimal',
  enum: 'integer',
  binary: 'text',
  json: 'text',
}

export function storageOf(kind: ValueKind): Storage {
  return storages[kind]
}

/** The kind of a primitive type, by its name without `Edm.`. The store keeps geo values as JSON. */
export function primitiveKind(name: string): ValueKind {
  const kind = kindOfPrimitive(name)
  return kind === undefined || kind === 'geography' || kind === 'geometry' ? 'json' : kind
}

/** The type of a single stored value. */
export interface StoredType {
  readonly kind: ValueKind
  /** For the kind `enum`. */
  readonly enumType?: EnumType
}

/** How a single value of a type is stored. */
export function storedType(type: ValueType): StoredType {
  switch (type.kind) {
    case 'primitive':
      return { kind: primitiveKind(type.name) }
    case 'typeDefinition':
      return { kind: primitiveKind(type.underlying) }
    case 'enumType':
      return { kind: 'enum', enumType: type }
    default:
      return { kind: 'json' }
  }
}

/** How the values of a property are stored. Collections are JSON. */
export function storedTypeOfProperty(property: Property): StoredType {
  return property.collection ? { kind: 'json' } : storedType(property.type)
}

/** The properties that have a column. */
export function storedProperties(type: EntityType): readonly Property[] {
  return type.properties.filter(({ type: of }) => !isStream(of))
}
