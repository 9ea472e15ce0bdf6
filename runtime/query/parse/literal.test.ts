import { describe, expect, it } from 'vitest'
import { boolean, literal, member, nothing, number, path, text } from '../corpus/notation.js'
import { syntaxErrorOf } from '../testing/syntax-error-of.js'
import { parseFilter } from './filter.js'

describe('literals', () => {
  it.each([
    ['null', nothing],
    ['true', boolean(true)],
    ['TRUE', boolean(true)],
    ['fAlSe', boolean(false)],
    ["''", text('')],
    ["'it''s'", text("it's")],
    ["''''''", text("''")],
    ["'\"\\%+&\t'", text('"\\%+&\t')],
    ['0', number('0')],
    ['007', number('007')],
    ['-5', number('-5')],
    ['+5', number('5')],
    ['123456789012345678901234567890', number('123456789012345678901234567890')],
    ['2.50', number('2.50')],
    ['-0.5', number('-0.5')],
    ['1E5', number('1e5')],
    ['1.5e+10', number('1.5e10')],
    ['-1.5E-10', number('-1.5e-10')],
    ['INF', number('INF')],
    ['-INF', number('-INF')],
    ['NaN', number('NaN')],
    ['01234567-89AB-cdef-0123-456789abcdef', literal('Guid', '01234567-89ab-cdef-0123-456789abcdef')],
    ['deadbeef-89ab-cdef-0123-456789abcdef', literal('Guid', 'deadbeef-89ab-cdef-0123-456789abcdef')],
    ['2024-02-29', literal('Date', '2024-02-29')],
    ['-0044-03-15', literal('Date', '-0044-03-15')],
    ['0000-01-01', literal('Date', '0000-01-01')],
    ['12024-01-01', literal('Date', '12024-01-01')],
    ['2024-01-01T00:00Z', literal('DateTimeOffset', '2024-01-01T00:00Z')],
    ['2024-01-01t23:59:60z', literal('DateTimeOffset', '2024-01-01T23:59:60Z')],
    ['2024-01-01T10:20:30.123456789012+14:00', literal('DateTimeOffset', '2024-01-01T10:20:30.123456789012+14:00')],
    ['-2024-01-01T10:20-01:30', literal('DateTimeOffset', '-2024-01-01T10:20-01:30')],
    ['23:59', literal('TimeOfDay', '23:59')],
    ['00:00:60', literal('TimeOfDay', '00:00:60')],
    ['07:59:59.999', literal('TimeOfDay', '07:59:59.999')],
    ["duration'P1DT2H3M4.5S'", literal('Duration', 'P1DT2H3M4.5S')],
    ["Duration'-pt1m'", literal('Duration', '-PT1M')],
    ["binary''", literal('Binary', '')],
    ["BINARY'Zg=='", literal('Binary', 'Zg==')],
    ["ns.Color'Red'", member('ns.Color', 'Red')],
    ["a.b.Color'Red,-1'", member('a.b.Color', 'Red,-1')],
    ["geography'SRID=0;Point(1 2)'", literal('Geography', 'SRID=0;Point(1 2)')],
    ["Geometry'srid=12345;point(-1.5e2 INF 3 4)'", literal('Geometry', 'srid=12345;point(-1.5e2 INF 3 4)')],
    ["geometry'SRID=0;LineString(1 1,2 2)'", literal('Geometry', 'SRID=0;LineString(1 1,2 2)')],
    [
      "geometry'SRID=0;Polygon((1 1,1 1),(1 1,2 2,3 3,1 1))'",
      literal('Geometry', 'SRID=0;Polygon((1 1,1 1),(1 1,2 2,3 3,1 1))'),
    ],
    ["geometry'SRID=0;MultiPoint()'", literal('Geometry', 'SRID=0;MultiPoint()')],
    ["geometry'SRID=0;MultiPoint((1 1),(2 2))'", literal('Geometry', 'SRID=0;MultiPoint((1 1),(2 2))')],
    ["geometry'SRID=0;MultiLineString((1 1,2 2))'", literal('Geometry', 'SRID=0;MultiLineString((1 1,2 2))')],
    ["geometry'SRID=0;MultiPolygon(((1 1,2 2)))'", literal('Geometry', 'SRID=0;MultiPolygon(((1 1,2 2)))')],
    ["geometry'SRID=0;GeometryCollection(Point(1 2))'", literal('Geometry', 'SRID=0;GeometryCollection(Point(1 2))')],
  ])('%s', (written, expected) => {
    expect(parseFilter(written)).toEqual(expected)
  })

  it.each([
    ['NULL', path('NULL')],
    ['nan', path('nan')],
    ['Inf', path('Inf')],
    ['trueish', path('trueish')],
    ['null/x', path('null/x')],
    ['true/x', path('true/x')],
    ['cafe0000', path('cafe0000')],
  ])('%s is a name', (written, expected) => {
    expect(parseFilter(written)).toEqual(expected)
  })

  it.each([
    ["'", 1, "`'`"],
    ["'a''", 4, "`'`"],
    ['1.', 2, 'a digit'],
    ['1e', 2, 'a digit'],
    ['1e+', 3, 'a digit'],
    ['+', 1, 'a digit'],
    ['+x', 1, 'a digit'],
    ['1_000', 1, 'an operator'],
    ['2024-00-01', 0, 'a date'],
    ['2024-01-32', 0, 'a date'],
    ['2023-02-29', 0, 'a date'],
    ['1900-02-29', 0, 'a date'],
    ['2024-01', 0, 'a date'],
    ['02024-01-01', 0, 'a date'],
    ['2024-01-01T00:00', 0, 'a date and time'],
    ['2024-01-01T00:00+1:00', 0, 'a date and time'],
    ['2024-01-01T00:00:00.Z', 0, 'a date and time'],
    ['12:34:61', 0, 'a time of day'],
    ['12:34:56.', 0, 'a time of day'],
    ['24:00', 2, 'an operator'],
    ['01234567-89ab-cdef-0123-456789abcde', 0, 'a Guid'],
    ["duration'P'", 9, 'a duration'],
    ["duration'P1Y'", 9, 'a duration'],
    ["duration'PT'", 9, 'a duration'],
    ["duration'PT1.S'", 9, 'a duration'],
    ["duration'PT1.5M'", 9, 'a duration'],
    ["binary'Z'", 7, 'base64url'],
    ["binary'Zm9v='", 7, 'base64url'],
    ["binary'Zh'", 7, 'base64url'],
    ["ns.Color'Red,'", 9, 'member names'],
    ["Color'Red'", 0, 'a qualified enumeration type'],
    ["X'1a'", 0, 'binary'],
    ["geography'Point(1 2)'", 10, 'a spatial value'],
    ["geography'SRID=0;Point(1)'", 10, 'a spatial value'],
    ["geography'SRID=0;Point(1 2 3 4 5)'", 10, 'a spatial value'],
    ["geography'SRID=0;LineString(1 1)'", 10, 'a spatial value'],
    ["geography'SRID=0;Circle(1 1)'", 10, 'a spatial value'],
    ["geography'SRID=0;constructor(1 1)'", 10, 'a spatial value'],
    ["geography'SRID=0;Point(1 2)x'", 10, 'a spatial value'],
    ['"x"', 0, 'an operand'],
  ])('refuses %s at %d', (written, position, expected) => {
    const error = syntaxErrorOf(() => parseFilter(written))
    expect(error).toMatchObject({ position, option: '$filter', text: written })
    expect(error.message).toContain(expected)
  })
})
