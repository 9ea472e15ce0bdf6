import { type Expression, geoLiteral, geoShape, wgs84 } from '../../../runtime/query/index.js'
import type { ValueType } from '../../../spec/language/index.js'
import type { GeoFamily, Sql } from '../engines/engine.js'
import { malformedQuery, unsupportedQuery } from '../query-faults.js'
import { compileOperand } from './expressions.js'
import type { Frame, GeoTraits, Operand, Scalar } from './frame.js'
import { scalar } from './functions.js'

/**
 * A spatial function; null where an argument is null, or not of the shape that the function takes.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.11
 */
export function geoFunction(
  name: 'geo.distance' | 'geo.length' | 'geo.intersects',
  given: readonly Expression[],
  frame: Frame,
): Operand {
  const operands = given.map(expression => compileOperand(expression, frame))
  if (operands.some(operand => operand.kind === 'null')) return { kind: 'null' }
  const [first, second] = operands.map(operand => spatial(operand, name, frame))
  if (first === undefined) return { kind: 'null' }
  const { family } = first.geo
  const { dialect } = frame
  if (name === 'geo.length') return measure(dialect.geoLength(first.sql, family))
  if (second === undefined) return { kind: 'null' }
  requireOneSystem(first.geo, second.geo, name, frame)
  return name === 'geo.distance'
    ? measure(dialect.geoDistance(first.sql, second.sql, family))
    : scalar({ kind: 'boolean' }, dialect.geoIntersects(first.sql, second.sql))
}

function measure(value: Sql): Scalar {
  return { ...scalar({ kind: 'double' }, value), isNumber: true }
}

interface Spatial {
  readonly sql: Sql
  readonly geo: GeoTraits
}

function spatial(operand: Operand, name: string, frame: Frame): Spatial {
  if (operand.kind !== 'scalar' || operand.geo === undefined) {
    throw unsupportedQuery(frame.option, `'${name}' is supported for spatial properties and literals only.`)
  }
  const { sql, geo } = operand
  if (geo.family === 'geography' && geo.srid !== undefined && geo.srid !== wgs84) {
    throw unsupportedQuery(
      frame.option,
      `'${name}' is supported for geographies of SRID ${wgs84} only, not of ${geo.srid}.`,
    )
  }
  return { sql, geo }
}

function requireOneSystem(first: GeoTraits, second: GeoTraits, name: string, frame: Frame): void {
  if (first.family !== second.family) {
    throw malformedQuery(frame.option, `'${name}' needs two geographies or two geometries, not one of each.`)
  }
  if (first.srid === undefined || second.srid === undefined || first.srid === second.srid) return
  const found = `SRID ${first.srid} and ${second.srid}`
  throw malformedQuery(frame.option, `'${name}' needs values of one spatial reference system, but found ${found}.`)
}

/** What is known of the values of a spatial type, or of a property of it; undefined: it is none. */
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

/** A literal that functions take, as JSON; undefined: a shape that they do not take, which compares with null alone. */
export function geoConstant(text: string, family: GeoFamily, { dialect, option }: Frame): Scalar | undefined {
  const literal = geoLiteral(text)
  if (literal === undefined) {
    if (!supportedShape.test(text)) return undefined
    throw malformedQuery(
      option,
      `'${text}' is no shape: its numbers have to be finite, and its rings to end where they begin.`,
    )
  }
  if (geoShape(literal.json) === undefined) return undefined
  const sql = dialect.json(dialect.bind(JSON.stringify(literal.json), 'text'))
  return { kind: 'scalar', type: { kind: 'json' }, sql, nullable: false, geo: { family, srid: literal.srid } }
}

const supportedShape = /;(?:Point|LineString|Polygon)\(/i
