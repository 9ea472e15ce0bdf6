import {
  isNumericType,
  type PrimitiveTypeName,
  type StructuredType,
  type ValueType,
} from '../../../spec/language/index.js'
import { type NameTable, typeName } from '../../names/name-table.js'

/** The use of a type: the service returns `read`, and accepts the others. */
export type TypeUse = 'read' | WriteUse
export type WriteUse = 'create' | 'patch' | 'replace'

/** Returns the name of a named type, and imports it if necessary. */
export type TypeReference = (name: string) => string

/** An element with a value: its type, and whether it is a collection or nullable. */
export interface Typed {
  readonly type: ValueType
  readonly collection: boolean
  readonly nullable: boolean
}

/** The TypeScript type of a value. */
export function valueTypeText(names: NameTable, typed: Typed, use: TypeUse, refer: TypeReference): string {
  const item = itemTypeText(names, typed, use, refer)
  const list = typed.collection ? `readonly ${/^[\w$<>]+$/.test(item) ? item : `(${item})`}[]` : item
  return typed.nullable && !typed.collection ? `${list} | null` : list
}

function itemTypeText(names: NameTable, { type, collection }: Typed, use: TypeUse, refer: TypeReference): string {
  switch (type.kind) {
    case 'primitive':
      return primitiveTypeText(type.name, names)
    case 'enumType': {
      // A request can contain only known members. A response can contain a new one.
      const name = refer(typeName(names, type))
      return use === 'read' || type.flags ? `${refer('OpenEnum')}<${name}>` : name
    }
    case 'typeDefinition':
      return refer(typeName(names, type))
    case 'complexType':
      // An item of a collection is always complete.
      return refer(shapeName(names, type, collection && use !== 'read' ? 'create' : use))
    case 'entityType':
      return refer(shapeName(names, type, use))
  }
}

/** The suffix of the name of a structured type, by its use. */
export const writeSuffixes = { create: 'Create', patch: 'Patch', replace: 'Replace' } as const

/** The name of a structured type for one use; a complex value within a replacement is written as in a create. */
export function shapeName(names: NameTable, type: StructuredType, use: TypeUse): string {
  const name = typeName(names, type)
  if (use === 'read') return name
  return name + (type.kind === 'complexType' && use === 'replace' ? writeSuffixes.create : writeSuffixes[use])
}

const geo = (type: string, depth: number): string =>
  `{ readonly type: '${type}'; readonly coordinates: readonly ${nested(depth)} }`

/** `number[]`, `(readonly number[])[]` and so on: positions, lines of positions, rings of lines. */
const nested = (depth: number): string => (depth === 1 ? 'number[]' : `(readonly ${nested(depth - 1)})[]`)

const geoCollection =
  "{ readonly type: 'GeometryCollection'; readonly geometries: readonly { readonly type: string }[] }"
const anyGeo = '{ readonly type: string }'

/** The TypeScript types of geo types and streams in JSON. */
const otherTypes: Readonly<Partial<Record<PrimitiveTypeName, string>>> = {
  Stream: 'never',
  Geography: anyGeo,
  GeographyPoint: geo('Point', 1),
  GeographyLineString: geo('LineString', 2),
  GeographyPolygon: geo('Polygon', 3),
  GeographyMultiPoint: geo('MultiPoint', 2),
  GeographyMultiLineString: geo('MultiLineString', 3),
  GeographyMultiPolygon: geo('MultiPolygon', 4),
  GeographyCollection: geoCollection,
  Geometry: anyGeo,
  GeometryPoint: geo('Point', 1),
  GeometryLineString: geo('LineString', 2),
  GeometryPolygon: geo('Polygon', 3),
  GeometryMultiPoint: geo('MultiPoint', 2),
  GeometryMultiLineString: geo('MultiLineString', 3),
  GeometryMultiPolygon: geo('MultiPolygon', 4),
  GeometryCollection: geoCollection,
}

/** The TypeScript type of a primitive value in JSON. @see OData JSON Format 4.01, 7.1 */
function primitiveTypeText(name: PrimitiveTypeName, { exactNumbers }: NameTable): string {
  if (name === 'Int64' || name === 'Decimal') return exactNumbers
  if (isNumericType(name)) return 'number'
  return otherTypes[name] ?? (name === 'Boolean' ? 'boolean' : 'string')
}
