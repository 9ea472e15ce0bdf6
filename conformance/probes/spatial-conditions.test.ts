import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluateFilter, parseFilter, printFilter } from '../../runtime/query/index.js'
import { loadSpecText } from '../../spec/language/index.js'
import { buildServiceTable } from '../../spec/language/table/service-table.js'
import type { Site, Snapshot } from '../discover/site.js'
import type { Row } from '../json.js'
import { isFalse, isNull, isTrue } from '../oracle/truth-set.js'
import { type SpatialCondition, spatialConditions } from './spatial-conditions.js'

const { service } = loadSpecText(
  `
specwright: 1
service: { name: places, title: Places, namespace: places, version: v1 }
authentication: { scheme: none }
resources:
  place:
    kind: entityType
    key: [id]
    properties:
      id: { type: String }
      at: { type: GeographyPoint, nullable: true }
      way: { type: GeographyLineString, nullable: true }
      spot: { type: GeometryPoint, nullable: true }
      path: { type: GeometryLineString, nullable: true }
container: { places: { entitySet: place } }
queryOptions: { all: { filter: { operators: [lt, gt], functions: [geo.distance, geo.length, geo.intersects] } } }
paths: { /places: { get: { returns: collection, query: all } } }
errors: { notFound: { status: 404, code: notFound, message: None. } }
`,
  'places.yaml',
)
const endpoint = service?.endpoints.find(({ kind }) => kind === 'collection')
const type = service?.entityTypes.find(({ name }) => name === 'place')
if (service === undefined || endpoint === undefined || type === undefined) throw new Error('The spec has errors.')
const { types } = buildServiceTable(service)
const site: Site = { id: 'places.list', endpoint, keys: {}, path: '/places', type }

function atomsOf(rows: readonly Row[], operators: readonly string[] = ['lt', 'gt']): readonly SpatialCondition[] {
  const has = (name: string): boolean => name.startsWith('geo.') || operators.includes(name)
  const snapshot: Snapshot = {
    site,
    rows,
    byKey: new Map(rows.map(row => [String(row['id']), row])),
    complete: true,
    properties: new Set(['id', 'at', 'way', 'spot', 'path']),
  }
  return spatialConditions({ terms: [], collections: [], has, hasAt: (_, name) => has(name), maxNodes: 60 }, snapshot)
}

const point = (...coordinates: readonly number[]): unknown => ({ type: 'Point', coordinates })
const line = (...coordinates: readonly (readonly number[])[]): unknown => ({ type: 'LineString', coordinates })

/** A service that keeps coordinates as they are, and one that keeps them as single-precision numbers. */
const services: Readonly<Record<string, (coordinate: number) => number>> = {
  double: value => value,
  single: Math.fround,
}

function kept(json: unknown, keep: (coordinate: number) => number): unknown {
  return JSON.parse(JSON.stringify(json), (_, value: unknown) => (typeof value === 'number' ? keep(value) : value))
}

function disagreements(rows: readonly Row[]): readonly string[] {
  return atomsOf(rows).flatMap(({ filter, truth }) =>
    Object.entries(services).flatMap(([name, keep]) => {
      const read = printFilter(filter).replace(/(?<=[( ,])-?\d+(?:\.\d+)?(?=[ ,)])/g, text =>
        String(keep(Number(text))),
      )
      return rows.flatMap(row => {
        const wanted = truth(row)
        if (wanted === undefined) return []
        const given = evaluateFilter(parseFilter(read), kept(row, keep), { types, type: 'place' })
        return given === (wanted === isTrue) ? [] : [`${name}: ${read} on ${JSON.stringify(row)} is ${given}`]
      })
    }),
  )
}

describe('spatial conditions', () => {
  it.each([1e-12, 1e-9, 1e-6, 1e-3, 1, 1e3, 1e7, 1e12, 1e18])(
    'have the same result in every service, on planes with the unit %d',
    unit => {
      const coordinate = fc.integer({ min: -2000, max: 2000 }).map(value => (value / 1000) * unit)
      const position = fc.tuple(coordinate, coordinate)
      const offset = fc.constantFrom(0, unit, 1e6 * unit)
      fc.assert(
        fc.property(fc.array(position, { minLength: 2, maxLength: 6 }), offset, (positions, away) => {
          const rows = positions.map(([x, y], id) => ({
            id: String(id),
            spot: point(x + away, y + away),
            path: line([x + away, y + away], ...positions),
          }))
          expect(disagreements([...rows, { id: 'nowhere', spot: null, path: null }])).toEqual([])
        }),
        { numRuns: 60 },
      )
    },
  )

  it('have the same result in every service, on the globe', () => {
    const position = fc.tuple(
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.double({ min: -90, max: 90, noNaN: true }),
    )
    fc.assert(
      fc.property(fc.array(position, { minLength: 2, maxLength: 6 }), fc.constantFrom(1, 1e-3, 1e-6), (given, size) => {
        const positions = given.map(([x, y]) => [x * size, y * size])
        const rows = positions.map((position, id) => ({
          id: String(id),
          at: point(...position),
          way: line(position, ...positions),
        }))
        expect(disagreements([...rows, { id: 'nowhere', at: null, way: null }])).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  const berlin = point(13.4, 52.5)
  it.each<[why: string, place: unknown]>([
    ['has an elevation, which may count in distances', point(13.4, 52.5, 8000)],
    ['is beyond the poles', point(13.4, 127.5)],
    ['is beyond the date line', point(373.4, 52.5)],
    ['has a custom format', 'POINT (13.4 52.5)'],
    ['has no coordinates', { type: 'Point', coordinates: [] }],
  ])('are not used if a point %s', (_, place) => {
    const rows = [
      { id: 'a', at: berlin },
      { id: 'b', at: point(-9.14, 38.72) },
      { id: 'c', at: null },
    ]
    expect(atomsOf(rows)).not.toEqual([])
    expect(atomsOf([...rows, { id: 'd', at: place }])).toEqual([])
  })

  it('allow lines along great circles and straight lines of GeoJSON', () => {
    const rows = [
      { id: 'parallel', way: line([0, 60], [90, 60]) },
      { id: 'over the date line', way: line([179, 0], [-179, 0]) },
      { id: 'short', way: line([0, 0], [1, 0]) },
      { id: 'meridian', way: line([0, 0], [0, 40.5]) },
    ]
    const open = rows.map(row => atomsOf(rows).map(({ truth }) => truth(row)))
    expect(open[2]).toEqual([isTrue, isFalse])
    expect(atomsOf(rows.slice(0, 1).concat({ id: 'between', way: line([0, 0], [0, 43]) }))).toEqual([])
  })

  it('use operators that the spec declares', () => {
    const rows = [
      { id: 'a', spot: point(0, 0) },
      { id: 'b', spot: point(500, 0) },
      { id: 'c', spot: null },
    ]
    expect(atomsOf(rows, ['gt']).filter(({ filter }) => printFilter(filter).includes(' lt '))).toEqual([])
    const [far] = atomsOf(rows, ['gt'])
    expect(rows.map(row => far?.truth(row))).toEqual([isFalse, isTrue, isFalse | isNull])
  })
})
