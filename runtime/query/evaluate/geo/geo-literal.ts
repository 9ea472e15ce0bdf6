import { isGeo } from '../../lexical/geo.js'

/** What a literal `geography'SRID=4326;Point(13.4 52.5)'` stands for. */
export interface GeoLiteral {
  /** The number of its spatial reference system. */
  readonly srid: number
  /** The shape in GeoJSON. */
  readonly json: { readonly type: 'Point' | 'LineString' | 'Polygon'; readonly coordinates: readonly unknown[] }
}

const parts = /^SRID=([0-9]+);(Point|LineString|Polygon)\((.*)\)$/is

/**
 * The shape that a literal writes, given what stands between its quotes; undefined when it is none that functions take: not a
 * point, line or polygon, with numbers that are not finite, or with a ring that does not end where it began.
 *
 * @see OData ABNF, `fullPointLiteral`, `fullLineStringLiteral`, `fullPolygonLiteral`
 */
export function geoLiteral(text: string): GeoLiteral | undefined {
  const [, srid, shape, inner] = (isGeo(text) ? parts.exec(text) : null) ?? []
  if (srid === undefined || shape === undefined || inner === undefined) return undefined
  const json = geoJson(shape.toLowerCase(), inner)
  return json === undefined ? undefined : { srid: Number(srid), json }
}

function geoJson(shape: string, inner: string): GeoLiteral['json'] | undefined {
  if (shape === 'polygon') {
    const rings = [...inner.matchAll(/\(([^()]*)\)/g)].map(([, positions = '']) => positionsOf(positions))
    return rings.every(ring => areFinite(ring) && isClosed(ring)) ? { type: 'Polygon', coordinates: rings } : undefined
  }
  const positions = positionsOf(inner)
  if (!areFinite(positions)) return undefined
  const [first = []] = positions
  return shape === 'point' ? { type: 'Point', coordinates: first } : { type: 'LineString', coordinates: positions }
}

type Positions = readonly (readonly number[])[]

function positionsOf(text: string): Positions {
  return text.split(',').map(position => position.trim().split(/ +/).map(Number))
}

function areFinite(positions: Positions): boolean {
  return positions.every(position => position.every(Number.isFinite))
}

function isClosed(ring: Positions): boolean {
  const [first] = ring
  return ring.length >= 4 && String(first) === String(ring.at(-1))
}
