import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evaluate, evaluateFilter, parseFilter } from '../../runtime/query/index.js'
import { loadSpecText } from '../../spec/language/index.js'
import { buildServiceTable } from '../../spec/language/table/service-table.js'
import { compileOperand } from '../../sql/filter/expressions.js'
import { orderSql, sortKeys } from '../../sql/read/keyset-pagination.js'
import { queryContext, queryFrame } from '../../sql/read/query-frame.js'
import { openStore } from '../store/open-store.js'
import type { Store } from '../store/store.js'
import { loadRecords } from '../store/write/load-records.js'
import { engineNames, type StoreMaker, storeMaker } from '../testing/engines.js'
import { type BothEngines, idsOf, linkOf, openBoth } from '../testing/test-service.js'

const spec = `
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
      area: { type: GeographyPolygon, nullable: true }
      any: { type: Geography, nullable: true }
      spot: { type: spot, nullable: true }
      path: { type: GeometryLineString, nullable: true }
      room: { type: GeometryPolygon, nullable: true }
      mercator: { type: GeometryPoint, nullable: true, srid: 3857 }
      moon: { type: GeographyPoint, nullable: true, srid: 30100 }
      detail: { type: detail, nullable: true }
      stops: { type: GeographyPoint, collection: true }
    navigation:
      next: { to: place, nullable: true }
      all: { to: place, collection: true }
  detail: { kind: complexType, properties: { at: { type: GeographyPoint, nullable: true } } }
  spot: { kind: typeDefinition, type: GeometryPoint }
container:
  places: { entitySet: place }
operations:
  near:
    kind: function
    binding: place
    parameters: { from: { type: GeographyPoint }, metres: { type: Double } }
    returns: { type: place, collection: true }
    meaning:
      of: all
      filter: geo.distance(at,@from) le @metres
      orderby: geo.distance(at,@from)
queryOptions:
  near: { top: { default: 2, max: 1000, above: clamp } }
  places.list:
    select: true
    filter:
      operators: [eq, ne, gt, ge, lt, le, and, or, not, add, mul]
      functions: [geo.distance, geo.length, geo.intersects, round, cast]
      lambdas: [any, all]
      properties: { next: true }
    orderby: true
    top: { default: 100, max: 1000, above: clamp }
paths:
  /places: { get: { returns: collection, query: places.list }, post: { creates: place } }
  /places/{id}: { get: { returns: item }, patch: { updates: item } }
  /places/{id}/near(from={from},metres={metres}): { get: { calls: near, query: near } }
errors:
  notFound: { status: 404, code: not-found, message: There is no such item. }
`

const { service, diagnostics } = loadSpecText(spec, 'places.yaml')
if (service === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
const found = service
const { types } = buildServiceTable(found)

const point = (...coordinates: readonly number[]) => ({ type: 'Point', coordinates })
const line = (...coordinates: readonly (readonly number[])[]) => ({ type: 'LineString', coordinates })
const polygon = (...coordinates: readonly (readonly (readonly number[])[])[]) => ({ type: 'Polygon', coordinates })

const ring = (from: number, to: number): readonly (readonly number[])[] => [
  [from, from],
  [to, from],
  [to, to],
  [from, to],
  [from, from],
]
const holed = polygon(ring(0, 10), [...ring(4, 6)].reverse())

/** Extreme numbers, both sides of the date line, poles, diagonal edges, shapes of the wrong kind, and null. */
const rows: readonly Readonly<Record<string, unknown>>[] = [
  { id: 'none' },
  {
    id: 'berlin',
    at: point(13.4, 52.5),
    any: point(13.4, 52.5),
    detail: { at: point(13.4, 52.5) },
    way: line([13.4, 52.5], [11.575, 48.1375], [11.575, 48.1375]),
    area: polygon(ring(0, 60)),
  },
  {
    id: 'munich',
    at: point(11.575, 48.1375, 520),
    any: line([0, 0], [1, 1]),
    way: line([0, 0], [90, 0]),
    area: holed,
    stops: [point(13.4, 52.5), point(0, 0)],
  },
  {
    id: 'fiji',
    at: point(179.9, -17),
    any: holed,
    way: line([179.5, 0], [-179.5, 0]),
    stops: [point(-179.9, -17)],
    area: polygon([
      [0, 0],
      [1, 3],
      [-1, 3],
      [0, 0],
    ]),
  },
  { id: 'pole', at: point(0, 90), detail: {}, way: line([0, 90], [120, 90]), area: polygon(ring(-180, 180)) },
  {
    id: 'tiny',
    at: point(1e-323, 5e-324),
    way: line([1e-323, 0], [0, 1e-200], [1e-120, 0]),
    spot: point(5e-324, -5e-324),
    path: line([0, 0], [5e-324, 1e-323]),
    room: polygon(ring(0, 5e-324)),
  },
  {
    id: 'huge',
    at: point(1.7e308, 1.7e308),
    way: line([-1.7e308, 1], [1.7e308, 1]),
    spot: point(1.7e308, -1.7e308),
    path: line([-1.7e308, 0], [1.7e308, 0]),
    room: polygon(ring(-1.7e308, 1.7e308)),
  },
  {
    id: 'plane',
    spot: point(0.1, 0.3),
    path: line([0, 0], [3, 4], [3, 5.5]),
    room: polygon([
      [0, 0],
      [1, 3],
      [-1, 3],
      [0, 0],
    ]),
    mercator: point(1, 2),
    moon: point(1, 2),
  },
  { id: 'holed', spot: point(5, 5), path: line([0.1, 0.2], [0.3, 0.7]), room: holed },
]

const berlin = "geography'SRID=4326;Point(13.4 52.5)'"
const everyId = rows.map(({ id }) => id).join(' ')
const square = 'Polygon((0 0,10 0,10 10,0 10,0 0),(4 4,4 6,6 6,6 4,4 4))'

describe('spatial functions', () => {
  let both: BothEngines
  beforeAll(async () => {
    both = await openBoth(
      found,
      rows.map((properties, index) => ({
        type: 'place',
        properties,
        links: index === 0 ? { next: [['berlin']], all: rows.map(({ id }) => [String(id)] as const) } : {},
      })),
    )
  })
  afterAll(() => both.stop())

  const request = async (path: string, request = {}) => {
    const [sqlite, postgres] = [
      await both.services.sqlite.request(path, request),
      await both.services.postgres.request(path, request),
    ]
    expect(postgres.text, path).toBe(sqlite.text)
    return sqlite
  }
  const filtered = (filter: string) => request(`/places?$select=id&$orderby=id&$filter=${encodeURIComponent(filter)}`)

  it.each<[filter: string, ids: string]>([
    [`geo.distance(at,${berlin}) lt 1`, 'berlin'],
    [`geo.distance(at,${berlin}) lt 503000`, 'berlin munich'],
    [`geo.distance(${berlin},at) gt 502000 and geo.distance(at,${berlin}) lt 502100`, 'munich'],
    [`not (geo.distance(at,${berlin}) lt 503000)`, 'fiji none pole tiny huge plane holed'],
    [`geo.distance(at,${berlin}) eq null`, 'none plane holed'],
    [`geo.distance(any,${berlin}) lt 1`, 'berlin'],
    [`geo.distance(any,${berlin}) eq null`, 'fiji munich none pole tiny huge plane holed'],
    [`geo.distance(detail/at,${berlin}) lt 1`, 'berlin'],
    [`geo.distance(next/at,${berlin}) lt 1`, 'none'],
    ["geo.distance(at,geography'SRID=4326;Point(-179.9 -17)') lt 22000", 'fiji'],
    [`stops/any(s:geo.distance(s,${berlin}) lt 1)`, 'munich'],
    [`stops/all(s:geo.distance(s,${berlin}) gt 1e6)`, 'fiji berlin none pole tiny huge plane holed'],
    [`geo.distance(at,${berlin}) mul 0.001 lt 503`, 'berlin munich'],
    [`round(geo.distance(at,${berlin})) eq 502052`, 'munich'],
    ["geo.distance(geography'SRID=4326;Point(0 -88.32)',geography'SRID=4326;Point(180 268.32)') lt 1", everyId],
    ["geo.distance(spot,geometry'SRID=0;Point(0.1 0.3)') eq 0", 'plane'],
    ["geo.distance(spot,geometry'SRID=0;Point(0 0)') gt 7", 'holed huge'],
    ["geo.distance(spot,geometry'SRID=0;Point(0 0)') gt 0", 'tiny huge plane holed'],
    ["geo.distance(mercator,geometry'SRID=3857;Point(4 6)') eq 5", 'plane'],
    ['geo.length(path) eq 6.5', 'plane'],
    ['geo.length(path) eq INF', 'huge'],
    ['geo.length(path) gt 0', 'tiny huge plane holed'],
    ['geo.length(way) eq 0', 'tiny'],
    ['geo.length(way) gt 10000000 and geo.length(way) lt 10010000', 'munich'],
    ["geo.length(geometry'SRID=0;LineString(0 0,3 4)') eq 5 and id eq 'none'", 'none'],
    [`geo.intersects(at,geography'SRID=4326;${square}')`, 'tiny'],
    [`geo.intersects(spot,geometry'SRID=0;${square}')`, 'plane'],
    [`not geo.intersects(spot,geometry'SRID=0;${square}')`, 'tiny huge holed'],
    [`geo.intersects(spot,geometry'SRID=0;${square}') eq null`, 'none berlin munich fiji pole'],
    ["geo.intersects(geometry'SRID=0;Point(0.1 0.3)',room)", 'huge plane holed'],
    ["geo.intersects(geometry'SRID=0;Point(5 5)',room)", 'huge'],
    ["geo.intersects(geometry'SRID=0;Point(4 5)',room)", 'huge holed'],
    ['geo.intersects(spot,room)', 'huge plane'],
    ['geo.intersects(at,area)', 'berlin pole'],
    [`geo.intersects(${berlin},any)`, ''],
    ["geo.intersects(geography'SRID=4326;Point(1 1)',any)", 'fiji'],
    ['geo.distance(at,null) eq null', everyId],
    [`geo.distance(at,@p) lt 1&@p=${berlin}`, 'berlin'],
  ])('filter with %s: %s', async (filter, ids) => {
    const [text = '', alias] = filter.split('&')
    const response = await request(
      `/places?$select=id&$orderby=id&$filter=${encodeURIComponent(text)}${alias === undefined ? '' : `&${encodeURI(alias)}`}`,
    )
    expect(response.status, response.text).toBe(200)
    expect(idsOf(response)).toEqual(
      ids
        .split(' ')
        .filter(id => id !== '')
        .toSorted(),
    )
    if (alias !== undefined || filter.includes('next/')) return
    const wanted = rows
      .map(row => ({ stops: [], next: null, ...row }))
      .filter(row => evaluateFilter(parseFilter(text), row, { types, type: 'place' }))
    expect(wanted.map(row => String(Object(row)['id'])).toSorted()).toEqual(idsOf(response))
  })

  it.each<[status: number, filter: string]>([
    [400, "geo.distance(at,geometry'SRID=0;Point(1 1)') lt 1"],
    [400, "geo.distance(mercator,geometry'SRID=0;Point(1 1)') lt 1"],
    [400, "geo.distance(spot,geometry'SRID=0;Point(1 NaN)') lt 1"],
    [400, "geo.intersects(at,geography'SRID=4326;Polygon((0 0,1 0,1 1))')"],
    [400, "geo.intersects(at,geography'SRID=4326;Polygon((0 0,1 0,0 0))')"],
    [400, 'geo.length(at) gt 1'],
    [400, "geo.distance(at,geography'SRID=4326;MultiPoint((1 1))') lt 1"],
    [400, "geo.distance(at,'Point(1 1)') lt 1"],
    [501, "geo.distance(moon,geography'SRID=30100;Point(1 1)') lt 1"],
    [501, "geo.distance(at,geography'SRID=4258;Point(1 1)') lt 1"],
  ])('are refused with %i: %s', async (status, filter) => {
    const response = await filtered(filter)
    expect(response.status, response.text).toBe(status)
  })

  it.each([berlin, '@p'])('accept a spatial parameter, and order the pages of an operation: %s', async from => {
    const alias = from === berlin ? '' : `?@p=${encodeURIComponent(JSON.stringify(point(13.4, 52.5)))}`
    for (const each of Object.values(both.services)) {
      const ids: unknown[] = []
      let link: string | undefined = `/places/none/near(from=${from},metres=2e7)${alias}`
      for (; link !== undefined && ids.length < 20; ) {
        const response = await each.request(link)
        expect(response.status, response.text).toBe(200)
        ids.push(...idsOf(response))
        link = linkOf(response, 'nextLink')
      }
      expect(ids.slice(0, 3)).toEqual(['berlin', 'munich', 'pole'])
      expect(ids.toSorted()).toEqual(rows.flatMap(({ id, at }) => (at === undefined ? [] : [id])).toSorted())
    }
  })

  it.each([
    "geography'SRID=4258;Point(1 1)'",
    "geometry'SRID=0;Point(1 1)'",
    "geography'SRID=4326;LineString(1 1,2 2)'",
    '1',
  ])('reject other values for a spatial parameter: %s', async from => {
    const response = await request(`/places/none/near(from=${from},metres=1)`)
    expect(response.status, response.text).toBe(400)
  })

  it('agree with the evaluator for any point and polygon, including edges and corners', async () => {
    const coordinate = fc.constantFrom(-1, 0, 0.1, 0.3, 1, 2.5, 3)
    const position = fc.tuple(coordinate, coordinate)
    const written = (positions: readonly (readonly number[])[]): string =>
      positions.map(each => each.join(' ')).join(',')
    const closed = fc
      .array(position, { minLength: 3, maxLength: 5 })
      .map(corners => `(${written([...corners, ...corners.slice(0, 1)])})`)
    const rings = fc.array(closed, { minLength: 1, maxLength: 2 })
    await fc.assert(
      fc.asyncProperty(position, rings, async (at, polygonRings) => {
        const filter = `geo.intersects(geometry'SRID=0;Point(${at.join(' ')})',geometry'SRID=0;Polygon(${polygonRings.join(',')})')`
        const holds = evaluateFilter(parseFilter(filter), {})
        expect(idsOf(await filtered(filter)).length, filter).toBe(holds ? rows.length : 0)
      }),
      { numRuns: 150 },
    )
  })
})

describe('spatial values', () => {
  let both: BothEngines
  beforeAll(async () => {
    both = await openBoth(found, [])
  })
  afterAll(() => both.stop())

  it.each([
    ['at', point(13.4, 52.5)],
    ['at', point(1e-7, -180.5, 8000)],
    ['way', line([0, 0], [1.5, 2])],
    ['area', holed],
    ['any', { type: 'MultiPoint', coordinates: [[1, 2]] }],
    ['spot', { type: 'Point', coordinates: [1, 2], bbox: [1, 2, 1, 2] }],
    ['detail', { at: point(1, 2) }],
    ['stops', [point(1, 2), point(3, 4)]],
  ])('are returned as they were written: %s', async (name, value) => {
    for (const [engine, each] of Object.entries(both.services)) {
      const id = `${engine} ${JSON.stringify(value)}`.slice(0, 60)
      const created = await each.request('/places', { method: 'POST', body: { id, [name]: value } })
      expect(created.status, created.text).toBe(201)
      const read = await each.request(`/places/${encodeURIComponent(id)}`)
      expect(read.json).toMatchObject({ [name]: value })
    }
  })

  it.each([
    ['a point with one coordinate', { at: { type: 'Point', coordinates: [1] } }],
    ['texts', { at: { type: 'Point', coordinates: ['1', '2'] } }],
    ['another shape', { at: line([0, 0], [1, 1]) }],
    ['a line of one position', { way: line([0, 0]) }],
    [
      'a ring that is open',
      {
        area: polygon([
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 1],
        ]),
      },
    ],
    ['well-known text', { at: 'SRID=4326;Point(1 2)' }],
    ['no shape', { any: { type: 'Circle', coordinates: [1, 2] } }],
  ])('are rejected with 400 by both engines if they are invalid: %s', async (_, value) => {
    const request = { method: 'POST', body: { id: 'x', ...value } }
    const response = await both.services.sqlite.request('/places', request)
    expect([response.status, response.text]).toEqual([400, expect.stringContaining('GeoJSON')])
    expect((await both.services.postgres.request('/places', request)).text).toBe(response.text)
  })
})

describe.each(engineNames)('distances and lengths on %s', engine => {
  let maker: StoreMaker
  let store: Store
  beforeAll(async () => {
    maker = await storeMaker(engine)
    store = await openStore({ spec: found, store: await maker.make(), now: () => new Date(0) })
    await loadRecords(
      store,
      rows.map(properties => ({ type: 'place', properties, links: {} })),
    )
  })
  afterAll(async () => {
    await store.engine.close()
    await maker.stop()
  })

  const selected = async (expression: string) => {
    const type = store.schema.typeOf('place')
    const operand = compileOperand(parseFilter(expression), queryFrame(type, 't', store, queryContext(undefined), true))
    if (operand.kind !== 'scalar') throw new TypeError(`${expression} is no scalar.`)
    const statement = store.engine.compile(sql`SELECT t.id, ${operand.sql} FROM place AS t ORDER BY t.id`)
    return store.engine.read(async session => session.all(statement))
  }

  it('agree with the evaluator except for the last digits', async () => {
    const coordinate = fc.oneof(fc.double({ min: -180, max: 180, noNaN: true }), fc.integer({ min: -90, max: 90 }))
    const position = fc.tuple(coordinate, coordinate).map(pair => pair.map(each => each.toExponential()).join(' '))
    const family = fc.constantFrom("geography'SRID=4326;", "geometry'SRID=0;")
    const positions = fc.array(position, { minLength: 2, maxLength: 5 })
    const expression = fc.oneof(
      fc.tuple(family, position, position).map(([of, a, b]) => `geo.distance(${of}Point(${a})',${of}Point(${b})')`),
      fc.tuple(family, positions).map(([of, all]) => `geo.length(${of}LineString(${all.join(',')})')`),
    )
    await fc.assert(
      fc.asyncProperty(expression, async text => {
        const wanted = Number(evaluate(parseFilter(text), {}))
        const [[, value] = []] = await selected(text)
        // Near the antipode, an angle has half as many digits as its sine.
        const tolerance = Math.max(Math.abs(wanted) * (wanted > 19_000_000 ? 5e-8 : 1e-12), 1e-6)
        expect(Math.abs(Number(value) - wanted), text).toBeLessThanOrEqual(tolerance)
      }),
      { numRuns: 100 },
    )
  })

  it('agree with the evaluator for stored items', async () => {
    for (const text of [
      `geo.distance(at,${berlin})`,
      'geo.length(way)',
      "geo.distance(spot,geometry'SRID=0;Point(1 1)')",
      'geo.length(path)',
    ]) {
      const values = new Map(await selected(text).then(all => all.map(([id, value]) => [id, value])))
      for (const row of rows) {
        const wanted = evaluate(parseFilter(text), row, { types, type: 'place' })
        const value = values.get(row['id'])
        const label = `${text} of ${row['id']}`
        if (wanted === null) expect(value, label).toBeNull()
        else if (wanted === 'INF') expect(value, label).toBe(Number.POSITIVE_INFINITY)
        else
          expect(
            Math.abs(Number(value) / Number(wanted) - 1) < 1e-12 || value === wanted,
            `${label}: ${value} for ${wanted}`,
          ).toBe(true)
      }
    }
  })

  it('order items', async () => {
    const type = store.schema.typeOf('place')
    const frame = queryFrame(type, 't', store, queryContext(undefined), true)
    const nearest = { expression: parseFilter(`geo.distance(at,${berlin})`), direction: 'asc' as const }
    const keys = sortKeys([nearest], store.schema.tableOf(type), 't', frame)
    const order = orderSql(keys, store.engine.dialect)
    const statement = store.engine.compile(sql`SELECT t.id FROM place AS t ORDER BY ${order}`)
    const ids = (await store.engine.read(async session => session.all(statement))).map(([id]) => id)
    expect(ids.slice(0, 5)).toEqual(['holed', 'none', 'plane', 'berlin', 'munich'])
  })
})
