import {
  type Facets,
  isIntegerType,
  type PrimitiveTypeName,
  type StructuredType,
  safeIntegerRange,
} from '../../../spec/language/index.js'
import { type Json, type JsonObject, jsonObject } from '../emit-context.js'
import type { DerivedTypes } from '../types/value-types.js'

const dateText = '-?[0-9]{4,}-[0-9]{2}-[0-9]{2}'
const timeText = '[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,12})?)?'

const texts: Readonly<Partial<Record<PrimitiveTypeName, JsonObject>>> = {
  Guid: { format: 'uuid', pattern: '^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$' },
  Date: { format: 'date', pattern: `^${dateText}$` },
  DateTimeOffset: { format: 'date-time', pattern: `^${dateText}[Tt]${timeText}([Zz]|[+-][0-9]{2}:[0-9]{2})$` },
  TimeOfDay: { pattern: `^${timeText}$` },
  Duration: {
    format: 'duration',
    pattern: '^-?[Pp]([0-9]+[Dd])?([Tt]([0-9]+[Hh])?([0-9]+[Mm])?([0-9]+(\\.[0-9]+)?[Ss])?)?$',
  },
  Binary: { contentEncoding: 'base64url' },
}

/** An integer type. Other formats than these have no name in OpenAPI; JSON cannot express the range of Int64. */
function integerSchema(name: PrimitiveTypeName): JsonObject {
  if (name === 'Int64') return { format: 'int64' }
  const [minimum, maximum] = safeIntegerRange(name) ?? [0, 0]
  return { ...(name === 'Int32' ? { format: 'int32' } : {}), minimum, maximum }
}

/**
 * The JSON of one primitive value.
 *
 * @see OData JSON Format 4.01, 7.1 (primitive value)
 */
export function primitiveSchema(name: PrimitiveTypeName, facets: Facets, scope: SchemaScope): JsonObject {
  if (isIntegerType(name)) return { type: 'integer', ...integerSchema(name), ...range(facets) }
  switch (name) {
    case 'Boolean':
      return { type: 'boolean' }
    case 'String':
      return { type: 'string', ...lengths(facets.minLength, facets.maxLength), ...pattern(facets) }
    case 'Binary':
      return { type: 'string', ...texts.Binary, ...lengths(undefined, base64Length(facets.maxLength)) }
    case 'Decimal':
      if (facets.scale !== 'floating') return { type: 'number', ...range(facets) }
      return floating(facets)
    case 'Single':
    case 'Double':
      return floating(facets)
    case 'Stream':
      return { type: 'string', format: 'uri' }
    default:
      if (!name.startsWith('Geo')) return { type: 'string', ...texts[name] }
      scope.geoTypes.add(name)
      return refer(scope, `Edm.${name}`)
  }
}

function floating(facets: Facets): JsonObject {
  return { anyOf: [{ type: 'number', ...range(facets) }, { enum: ['-INF', 'INF', 'NaN'] }] }
}

function range({ minimum, maximum }: Facets): JsonObject {
  return jsonObject([
    ['minimum', minimum],
    ['maximum', maximum],
  ])
}

function lengths(minLength: number | undefined, maxLength: number | undefined): JsonObject {
  return jsonObject([
    ['minLength', minLength],
    ['maxLength', maxLength],
  ])
}

function pattern(facets: Facets): JsonObject {
  return jsonObject([['pattern', facets.pattern]])
}

/** The length of a binary is in bytes. Three bytes are four characters, with or without padding at the end. */
function base64Length(bytes: number | undefined): number | undefined {
  return bytes === undefined ? undefined : Math.ceil(bytes / 3) * 4
}

const shapes = ['Point', 'LineString', 'Polygon', 'MultiPoint', 'MultiLineString', 'MultiPolygon'] as const

/** The nesting depth of the coordinates of each shape: `[1,2]` is 1. */
const depths: Readonly<Record<(typeof shapes)[number], number>> = {
  Point: 1,
  LineString: 2,
  Polygon: 3,
  MultiPoint: 2,
  MultiLineString: 3,
  MultiPolygon: 4,
}

/**
 * A geo value in JSON, for `GeographyPoint` and so on. The abstract types allow any shape.
 *
 * @see OData JSON Format 4.01, 7.1, and RFC 7946, 3.1
 */
export function geoSchema(name: string): JsonObject {
  const shape = shapes.find(
    candidate => name.endsWith(candidate) && name.replace(/^Geo(graphy|metry)/, '') === candidate,
  )
  if (shape !== undefined) return geoObject(shape, 'coordinates', coordinates(depths[shape]))
  const any: JsonObject = { type: 'object', required: ['type'], properties: { type: { type: 'string' } } }
  return name.endsWith('Collection')
    ? geoObject('GeometryCollection', 'geometries', { type: 'array', items: any })
    : any
}

function geoObject(type: string, member: string, value: Json): JsonObject {
  return {
    type: 'object',
    required: ['type', member],
    properties: jsonObject([
      ['type', { const: type }],
      [member, value],
    ]),
  }
}

function coordinates(depth: number): JsonObject {
  return { type: 'array', items: depth === 1 ? { type: 'number' } : coordinates(depth - 1) }
}

/** The place of schemas, which determines references between them. */
export interface SchemaScope {
  /** `#/$defs/`, or `#/components/schemas/`. */
  readonly prefix: string
  /** Names of the geo schemas that are referred to. Only these are written. */
  readonly geoTypes: Set<string>
  /** The types that derive from each type. Only bodies need them. */
  readonly derived?: DerivedTypes<StructuredType>
}

export function refer(scope: SchemaScope, name: string): JsonObject {
  return { $ref: scope.prefix + name }
}
