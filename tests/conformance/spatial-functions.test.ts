import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Report, runConformance } from '../../conformance/index.js'
import { createReferenceService, type ReferenceService } from '../../reference/index.js'
import { loadSpecText } from '../../spec/language/index.js'

// The suite checks spatial functions, which neither described service declares.

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
      hidden: { type: GeographyPoint, nullable: true }
      yard: { type: GeographyPoint, nullable: true }
      moon: { type: GeographyPoint, nullable: true, srid: 30100 }
container: { places: { entitySet: place } }
queryOptions:
  all:
    filter:
      operators: [eq, lt, gt, and, or, not]
      functions: [geo.distance, geo.length, geo.intersects]
      properties: { hidden: none, yard: { functions: [geo.intersects] } }
paths:
  /places: { get: { returns: collection, query: all } }
  /places/{id}: { get: { returns: item } }
errors:
  notFound: { status: 404, code: notFound, message: None. }
`,
  'places.yaml',
)
if (service === undefined) throw new Error('The spec has errors.')

const point = (x: number, y: number): unknown => ({ type: 'Point', coordinates: [x, y] })
const cities: readonly (readonly [string, number, number])[] = [
  ['berlin', 13.4, 52.5],
  ['hamburg', 9.99, 53.55],
  ['munich', 11.58, 48.14],
  ['lisbon', -9.14, 38.72],
  ['quito', -78.47, -0.18],
  ['sydney', 151.21, -33.87],
  ['here', 13.401, 52.5],
]
const records = [
  ...cities.map(([id, x, y], index) => ({
    id,
    at: point(x, y),
    spot: point(x, y),
    moon: point(x, y),
    hidden: point(x, y),
    yard: point(x, y),
    way: {
      type: 'LineString',
      coordinates: [
        [x, y],
        [x + index + 1, y],
        [x + index + 1, y + 2],
      ],
    },
  })),
  { id: 'nowhere' },
]

let reference: ReferenceService
beforeAll(async () => {
  reference = await createReferenceService({
    spec: service,
    store: 'sqlite::memory:',
    authenticate: () => ({ id: 'me', scopes: [] }),
  })
  await reference.load(records.map(properties => ({ type: 'place', set: 'places', properties })))
})
afterAll(() => reference.close())

/** @param misread changes the filter before the service gets it */
const reportOf = (misread: (filter: string) => string = filter => filter): Promise<Report> =>
  runConformance({
    spec: service,
    seed: 1,
    requests: 200,
    only: ['filter-spatial'],
    target: request => {
      const url = new URL(request.url)
      const filter = url.searchParams.get('$filter')
      if (filter !== null) url.search = `?$filter=${encodeURIComponent(misread(filter))}`
      return reference.fetch(new Request(url, request))
    },
  })

describe('the conformance suite, with spatial functions,', () => {
  it('reports nothing for a conforming service, and checks each function', async () => {
    const asked: string[] = []
    const report = await reportOf(filter => {
      asked.push(filter)
      return filter
    })
    expect(report.violations).toEqual([])
    const forms = [
      'geo.distance(at,geography',
      'geo.distance(spot,geometry',
      'geo.length(way)',
      'geo.intersects(at,',
      'geo.intersects(spot,',
    ]
    expect(forms.filter(form => !asked.some(filter => filter.startsWith(form)))).toEqual([])
    expect(asked.filter(filter => /moon|hidden|distance\(yard/.test(filter))).toEqual([])
    expect(asked.filter(filter => filter.startsWith('geo.intersects(yard,'))).not.toEqual([])
  })

  it.each<[string, (filter: string) => string]>([
    ['latitude before longitude', filter => filter.replace(/Point\((\S+) ([^\s)]+)\)/, 'Point($2 $1)')],
    ['kilometres', filter => filter.replace(/(distance\(at.*|length.*) (lt|gt) (\S+)$/, '$1 $2 $3000')],
    ['near for far', filter => filter.replace(/ (lt|gt) /, (_, name) => (name === 'lt' ? ' gt ' : ' lt '))],
    [
      'only the first point',
      filter =>
        filter.replace(/intersects\((\w+),(\w+'SRID=\d+;)Polygon\(\(([^,]+),.*$/, "distance($1,$2Point($3)') lt 0.001"),
    ],
  ])('detects a service that takes %s', async (_, misread) => {
    const { violations } = await reportOf(misread)
    expect(violations.map(({ rule }) => rule)).toContain('filter-spatial')
  })
})
