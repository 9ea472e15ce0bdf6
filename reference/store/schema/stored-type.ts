import { type EnumType, kindOfPrimitive, type Property, type ValueType } from '../../../spec/language/index.js'

/**
 * What a value is to the store, which decides how it is kept and compared:
 *
 * - `dateTimeOffset` as UTC text without its `Z` and without zeros at the end, so that text order is the order of instants
 * - `date` and `timeOfDay` as their text, `guid` and `binary` as theirs, `string` ordered by code points
 * - `duration` as seconds, `enum` as the number of its members, `decimal` exactly where the engine can
 * - `json`: complex values, collections and geo values, which compare with null only
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

/** How a column keeps values. */
export type Storage = 'text' | 'integer' | 'boolean' | 'decimal' | 'double'

const storages: Readonly<Record<ValueKind, Storage>> = {
  string: 'text',
  boolean: 'boolean',
  integer: 'integer',
  decimal: 'decimal',
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

/** How values of a kind are kept. */
export function storageOf(kind: ValueKind): Storage {
  return storages[kind]
}

/** The kind of a primitive type, by its name without `Edm.`. The store keeps geo values as JSON. */
export function primitiveKind(name: string): ValueKind {
  const kind = kindOfPrimitive(name)
  return kind === undefined || kind === 'geography' || kind === 'geometry' ? 'json' : kind
}

/** The type of a single value, as the store sees it. */
export interface StoredType {
  readonly kind: ValueKind
  /** Of kind `enum`. */
  readonly enumType?: EnumType
}

/** What the store makes of one value of a type. */
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

/** What the store makes of a property's values: collections are JSON whatever they hold. */
export function storedTypeOfProperty(property: Property): StoredType {
  return property.collection ? { kind: 'json' } : storedType(property.type)
}
