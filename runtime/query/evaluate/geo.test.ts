import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluateText } from '../testing/evaluate-text.js'
import { geographyDistance, geometryDistance, intersects, orientation, type Position } from './geo.js'

const berlin = "geography'SRID=4326;Point(13.4 52.5)'"
const munich = "geography'SRID=4326;Point(11.575 48.1375)'"
const plane = (shape: string): string => `geometry'SRID=0;${shape}'`
const globe = (shape: string): string => `geography'SRID=4326;${shape}'`

/** A square with a square hole, from 0 to 10 and from 4 to 6. */
const square = 'Polygon((0 0,10 0,10 10,0 10,0 0),(4 4,4 6,6 6,6 4,4 4))'

/** A quarter of the way round the sphere. */
const quarter = (Math.PI / 2) * 6_371_008.8

describe('geo.distance', () => {
  it.each([
    [`geo.distance(${berlin},${berlin})`, 0],
    [`geo.distance(${berlin},${munich})`, 502_051.9625],
    [`geo.distance(${globe('Point(0 0)')},${globe('Point(90 0)')})`, quarter],
    [`geo.distance(${globe('Point(0 0)')},${globe('Point(0 90)')})`, quarter],
    [`geo.distance(${globe('Point(179.5 0)')},${globe('Point(-179.5 0)')})`, quarter / 90],
    [`geo.distance(${globe('Point(0 90)')},${globe('Point(123 90)')})`, 0],
    [`geo.distance(${globe('Point(0 0)')},${globe('Point(180 0)')})`, quarter * 2],
    [`geo.distance(${globe('Point(0 -88.32)')},${globe('Point(180 268.32)')})`, 0],
    [`geo.distance(${globe('Point(0 0 8000)')},${globe('point(0 0)')})`, 0],
    [`geo.distance(${plane('Point(1 1)')},${plane('Point(4 5)')})`, 5],
    [`geo.distance(${plane('Point(1e300 0)')},${plane('Point(-1e300 0)')})`, 2e300],
    [`geo.distance(${plane('Point(0.1 0)')},${plane('Point(0.3 0)')})`, 0.2],
    [`geo.distance(place,${berlin})`, 0],
    [`geo.distance(other,${berlin})`, null],
    [`geo.distance(place,null)`, null],
  ])('%s is %d', (text, expected) => {
    const row = {
      place: { type: 'Point', coordinates: [13.4, 52.5] },
      other: { type: 'LineString', coordinates: [[13.4, 52.5]] },
    }
    const found = evaluateText(text, row, {})
    if (expected === null) expect(found).toBeNull()
    else expect(Math.abs(Number(found) - expected)).toBeLessThanOrEqual(Math.max(0.1, expected * 1e-15))
  })

  it('is symmetric and satisfies the triangle inequality', () => {
    const position = fc.tuple(
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.double({ min: -90, max: 90, noNaN: true }),
    )
    fc.assert(
      fc.property(position, position, position, (a, b, c) => {
        // Between opposite ends of the Earth the last bit of a sine is some centimetres.
        for (const [distance, rounding] of [[geographyDistance, 1] as const, [geometryDistance, 1e-6] as const]) {
          expect(Math.abs(distance(a, b) - distance(b, a))).toBeLessThanOrEqual(rounding)
          expect(distance(a, b)).toBeLessThanOrEqual(distance(a, c) + distance(c, b) + rounding)
        }
      }),
    )
  })
})

describe('geo.length', () => {
  it.each([
    [`geo.length(${plane('LineString(0 0,3 4,3 5)')})`, 6],
    [`geo.length(${globe('LineString(0 0,45 0,90 0)')})`, quarter],
    [`geo.length(place)`, null],
    [`geo.length(null)`, null],
  ])('%s is %d', (text, expected) => {
    const found = evaluateText(text, { place: { type: 'Point', coordinates: [1, 2] } }, {})
    if (expected === null) expect(found).toBeNull()
    else expect(Math.abs(Number(found) - expected)).toBeLessThan(1e-6)
  })
})

describe('geo.intersects', () => {
  it.each([
    ['inside', 'Point(1 1)', true],
    ['outside', 'Point(11 1)', false],
    ['beside a corner', 'Point(-1 0)', false],
    ['at a corner', 'Point(0 0)', true],
    ['on an edge', 'Point(10 3)', true],
    ['in the hole', 'Point(5 5)', false],
    ['on the boundary of the hole', 'Point(4 5)', true],
    ['in line with the edges of the hole', 'Point(2 4)', true],
  ])('of a point %s', (_, point, expected) => {
    for (const family of [plane, globe]) {
      expect(evaluateText(`geo.intersects(${family(point)},${family(square)})`, {}, {})).toBe(expected)
    }
  })

  it('is exact on slanting edges: coordinates are decimal numbers as written', () => {
    const triangle: readonly Position[] = [
      [0, 0],
      [1, 3],
      [-1, 3],
      [0, 0],
    ]
    expect(intersects([0.1, 0.3], [triangle])).toBe(true)
    expect(intersects([0.1, 0.29999999999999993], [triangle])).toBe(false)
    expect(orientation([0, 0], [1e-200, 3e-200], [1e-201, 3e-201])).toBe(0)
    expect(orientation([0, 0], [1e300, 3e300], [1e299, 3e299])).toBe(0)
  })

  it('does not depend on the direction or start of a ring', () => {
    const coordinate = fc.integer({ min: -6, max: 6 })
    const position = fc.tuple(coordinate, coordinate)
    fc.assert(
      fc.property(fc.array(position, { minLength: 3, maxLength: 6 }), position, (corners, point) => {
        const ring = [...corners, ...corners.slice(0, 1)]
        const moved = [...corners.slice(1), ...corners.slice(0, 2)]
        const expected = intersects(point, [ring])
        expect(intersects(point, [ring.toReversed()])).toBe(expected)
        expect(intersects(point, [moved])).toBe(expected)
      }),
    )
  })
})
