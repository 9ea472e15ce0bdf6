/**
 * All primitive types of CSDL, without `Edm.`.
 *
 * @see OData CSDL 4.01, 3.3 (primitive types)
 */
export const primitiveTypeNames = [
  'Binary',
  'Boolean',
  'Byte',
  'Date',
  'DateTimeOffset',
  'Decimal',
  'Double',
  'Duration',
  'Guid',
  'Int16',
  'Int32',
  'Int64',
  'SByte',
  'Single',
  'Stream',
  'String',
  'TimeOfDay',
  'Geography',
  'GeographyPoint',
  'GeographyLineString',
  'GeographyPolygon',
  'GeographyMultiPoint',
  'GeographyMultiLineString',
  'GeographyMultiPolygon',
  'GeographyCollection',
  'Geometry',
  'GeometryPoint',
  'GeometryLineString',
  'GeometryPolygon',
  'GeometryMultiPoint',
  'GeometryMultiLineString',
  'GeometryMultiPolygon',
  'GeometryCollection',
] as const

export type PrimitiveTypeName = (typeof primitiveTypeNames)[number]
