import { unfit } from './unfit.js'

const maxGeoNesting = 8

type Check = (json: unknown) => boolean

const isPosition: Check = json => Array.isArray(json) && json.length >= 2 && json.every(Number.isFinite)
const isLine = checkedList(isPosition, 2)
const isPolygon = checkedList(isRing, 1)

/** What `coordinates` have to be, shape by shape. */
const shapes: ReadonlyMap<unknown, Check> = new Map([
  ['Point', isPosition],
  ['LineString', isLine],
  ['Polygon', isPolygon],
  ['MultiPoint', checkedList(isPosition)],
  ['MultiLineString', checkedList(isLine)],
  ['MultiPolygon', checkedList(isPolygon)],
])

const geometryCollection = 'GeometryCollection'

/**
 * Reads a GeoJSON geometry: of the one shape that a type has, `Point`, or of any.
 *
 * @see RFC 7946, 3.1
 */
export function readGeo(json: unknown, shape?: string, nesting: number = maxGeoNesting): unknown {
  if (typeof json !== 'object' || json === null || !('type' in json) || nesting === 0) return unfit
  if (shape !== undefined && json.type !== shape) return unfit
  if (json.type !== geometryCollection) {
    const fits = shapes.get(json.type)
    return fits !== undefined && 'coordinates' in json && fits(json.coordinates) ? json : unfit
  }
  const parts = 'geometries' in json ? json.geometries : undefined
  return Array.isArray(parts) && parts.every(part => readGeo(part, undefined, nesting - 1) !== unfit) ? json : unfit
}

/** The shape of the values of a type, `Edm.GeographyPoint`; undefined: any. */
export function shapeOfType(type: string): string | undefined {
  const shape = type.replace(/^Edm\.Geo(?:graphy|metry)/, '')
  if (shape === 'Collection') return geometryCollection
  return shape === '' ? undefined : shape
}

function checkedList(isItem: Check, least = 0): Check {
  return json => Array.isArray(json) && json.length >= least && json.every(isItem)
}

/** A ring ends where it began. */
function isRing(json: unknown): boolean {
  return Array.isArray(json) && json.length >= 4 && json.every(isPosition) && String(json[0]) === String(json.at(-1))
}
