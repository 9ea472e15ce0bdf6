import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseOrderby } from '../options.js'
import { evaluateText, personTypes } from '../testing/evaluate-text.js'
import { compareCodePoints } from './compare.js'
import { compareValues, orderRows } from './evaluate.js'
import { EvaluationError } from './value.js'

describe('comparisons without types', () => {
  it.each([
    // Strings by code points
    [{ s: 'b' }, "s gt 'a'", true],
    [{ s: 'a' }, "s gt 'B'", true],
    [{ s: 'a' }, "s eq 'A'", false],
    [{ s: '\uffff' }, "s lt '😀'", true],
    [{ s: '😀' }, "s gt '\ue000'", true],
    [{ s: 'ab' }, "s gt 'a'", true],
    [{ s: 'é' }, "s eq 'e\u0301'", false],
    // Numbers exactly
    [{ v: '9007199254740993' }, 'v eq 9007199254740993', true],
    [{ v: '9007199254740993' }, 'v eq 9007199254740992', false],
    [{ v: '9007199254740993' }, 'v gt 9007199254740992', true],
    [{ v: 2.5 }, 'v eq 2.50', true],
    [{ v: 5 }, 'v eq 5.00', true],
    [{ v: 0.1 }, 'v add 0.2 eq 0.3', true],
    [{ v: '0.1000000000000000000001' }, 'v gt 0.1', true],
    [{ v: 1e21 }, 'v eq 1e21', true],
    [{ v: 1e-7 }, 'v lt 0.1', true],
    [{}, 'INF gt 1e308', true],
    [{}, '-INF lt -1', true],
    [{}, 'INF eq INF', true],
    [{}, 'NaN eq NaN', false],
    [{}, 'NaN ne NaN', true],
    [{}, 'NaN ge NaN', false],
    [{}, '1 lt NaN', false],
    // Booleans
    [{ b: true }, 'b gt false', true],
    [{ b: false }, 'b eq false', true],
    // Instants by time, whatever the zone
    [{ d: '2024-01-01T00:00:00Z' }, 'd eq 2024-01-01T01:00:00+01:00', true],
    [{ d: '2024-01-01T00:00:00.123456789012Z' }, 'd gt 2024-01-01T00:00:00.123456789011Z', true],
    [{ d: '2024-01-01T00:00:00.000Z' }, 'd eq 2024-01-01T00:00Z', true],
    [{ d: '2023-12-31T23:59:59Z' }, 'd lt 2024-01-01T00:00:00Z', true],
    [{ d: '-0044-03-15T12:00:00Z' }, 'd lt 0001-01-01T00:00:00Z', true],
    [{ d: '2016-12-31T23:59:60Z' }, 'd eq 2017-01-01T00:00:00Z', true],
    [{ d: '2024-02-29' }, 'd lt 2024-03-01', true],
    [{ t: '09:30' }, 't eq 09:30:00.000', true],
    [{ p: 'PT90M' }, "p eq duration'PT1H30M'", true],
    [{ p: 'P1D' }, "p gt duration'-P2D'", true],
    [{}, "duration'P1DT2H3M4.5S' eq duration'PT93784.5S'", true],
    // Guids in any case, quoted or not
    [{ g: '184EFA21-98C3-4E5D-95AB-D07053A96E67' }, 'g eq 184efa21-98c3-4e5d-95ab-d07053a96e67', true],
    [{}, "184efa21-98c3-4e5d-95ab-d07053a96e67 eq '184EFA21-98C3-4E5D-95AB-D07053A96E67'", true],
    // Enumerations by name
    [{ c: 'Red,Blue' }, "c eq ns.Color'Blue,Red'", true],
    [{ c: 'Red' }, "c ne ns.Color'Blue'", true],
    [{ c: 'Red,Blue' }, "c has ns.Color'Blue'", true],
    [{ c: 'Red' }, "c has ns.Color'Red,Blue'", false],
    // Collections and structured values
    [{ l: ['a', 'b'] }, 'l eq ["a","b"]', true],
    [{ l: ['a', 'b'] }, 'l eq ["b","a"]', false],
    [{ a: { city: 'X', zip: 1 } }, 'a eq {"zip":1,"city":"X"}', true],
    [{ a: { city: 'X', '@odata.type': '#ns.t' } }, 'a eq {"city":"X"}', true],
    [{ a: { city: 'X' } }, 'a eq {"city":"X","zip":null}', false],
    [{ a: 'x', b: 'y' }, '[a,b] in [["x","y"],["p","q"]]', true],
    [{ n: 2 }, 'n in (1,2)', true],
    [{}, "binary'Zg' eq binary'Zg=='", true],
    [{}, "binary'_-8=' ne binary'_-8'", false],
    [{}, "binary'Zg' eq binary'Zw'", false],
  ])('in %j, %s is %s', (row, text, expected) => {
    expect(evaluateText(text, row)).toBe(expected)
  })

  it.each([
    ["true eq 'true'"],
    ['1 eq true'],
    ["'abc' eq 1"],
    ['2024-01-01 eq 2024-01-01T00:00:00Z'],
    ["'x' eq 2024-01-01"],
    ["binary'Zg' gt binary'Zg'"],
    ["geography'SRID=0;Point(1 2)' eq geography'SRID=0;Point(1 2)'"],
    ["ns.Color'Red' gt ns.Color'Blue'"],
    ['[1] gt [0]'],
    ['{} lt {}'],
    ["1 in 'x'"],
    ['not 1'],
    ["'x' and true"],
    ["1 has ns.Color'Red'"],
  ])('rejects %s because of its types', text => {
    expect(() => evaluateText(text)).toThrow(EvaluationError)
  })
})

describe('comparisons with types', () => {
  const options = { types: personTypes, type: 'person' }

  it.each([
    [{ rights: 'read,write' }, "rights eq ns.rights'all'", true],
    [{ rights: 3 }, "rights has ns.rights'write'", true],
    [{ rights: 'read' }, "rights has 'write'", false],
    [{ rights: 'all' }, "rights has ns.rights'2'", true],
    [{ mood: 'high' }, "mood gt ns.mood'low'", true],
    [{ mood: 'high' }, "mood eq 'high'", true],
    [{ mood: 'unheard-of' }, "mood ne 'high'", true],
    [{ salary: '10.10' }, 'salary eq 10.1', true],
    [{ salary: 7 }, 'salary div 2 eq 3.5', true],
    [{ points: 7 }, 'points div 2 eq 3', true],
    [{}, '9223372036854775807 div 2 mod 1 eq 0', true],
    [{}, '9223372036854775809 div 2 mod 1 eq 0.5', true],
    [{}, '-9223372036854775809 div 2 mod 1 eq -0.5', true],
    [{ points: '9223372036854775807' }, 'points eq 9223372036854775807', true],
    [{ score: 'INF' }, 'score gt 1', true],
    [{ score: 0.1 }, 'score eq 0.1', true],
    [{ seen: '2024-01-01T00:00:00Z' }, "seen eq '2024-01-01T01:00:00+01:00'", true],
    [{ seen: '2024-01-01T00:00:00Z', born: '2023-01-01' }, 'year(seen) sub year(born) eq 1', true],
    [{ mail: 'a@b.c' }, "endswith(mail,'.c')", true],
    [{ sku: '184EFA21-98C3-4E5D-95AB-D07053A96E67' }, "sku in ('184efa21-98c3-4e5d-95ab-d07053a96e67')", true],
    [{ address: { city: 'X', extra: 1 } }, 'address/extra eq 1', true],
    [{ tags: undefined }, 'tags/$count eq 0', true],
  ])('in %j, %s is %s', (row, text, expected) => {
    expect(evaluateText(text, row, options)).toBe(expected)
  })

  it.each([
    [{ name: 'x' }, 'nme eq 1'],
    [{ name: 'x' }, 'name eq 1'],
    [{ name: 1 }, "name eq 'x'"],
    [{ born: 'yesterday' }, 'born eq null'],
    [{ points: 1.5 }, 'points eq 1'],
    [{ mood: 'unheard-of' }, "mood gt 'low'"],
    [{ name: 'x' }, 'name/length eq 1'],
    [{ reports: [] }, "reports/name eq 'x'"],
  ])('in %j, refuses %s', (row, text) => {
    expect(() => evaluateText(text, row, options)).toThrow(EvaluationError)
  })
})

describe('compareCodePoints', () => {
  it('orders texts like arrays of their code points', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', 'é', '\ud7ff', '\ue000', '\uffff', '😀', '𐀀', '\u{10ffff}'),
      maxLength: 4,
    })
    fc.assert(
      fc.property(text, text, (left, right) => {
        expect(Math.sign(compareCodePoints(left, right))).toBe(orderOfCodePoints(left, right))
      }),
    )
  })
})

function orderOfCodePoints(left: string, right: string): number {
  const a = Array.from(left, character => character.codePointAt(0) ?? 0)
  const b = Array.from(right, character => character.codePointAt(0) ?? 0)
  const index = a.findIndex((code, place) => code !== b[place])
  if (index === -1) return Math.sign(a.length - b.length)
  return index >= b.length ? 1 : Math.sign((a[index] ?? 0) - (b[index] ?? 0))
}

describe('compareValues', () => {
  it.each([
    [[true, null, false], [null, false, true], undefined],
    [[10, 9, null, 2.5], [null, 2.5, 9, 10], undefined],
    [['b', 'a', 'B', null, '😀', '\uffff'], [null, 'B', 'a', 'b', '\uffff', '😀'], undefined],
    [[1, 'NaN', 'INF', '-INF'], ['NaN', '-INF', 1, 'INF'], 'Edm.Double'],
    [
      ['2024-01-01T01:00:00+02:00', '2024-01-01T00:00:00Z'],
      ['2024-01-01T01:00:00+02:00', '2024-01-01T00:00:00Z'],
      'Edm.DateTimeOffset',
    ],
    [['9', '10'], ['9', '10'], 'Edm.Int64'],
    [['10', '9'], ['10', '9'], 'Edm.String'],
    [['PT1H', 'PT30M'], ['PT30M', 'PT1H'], 'Edm.Duration'],
  ])('orders %j as %j', (values, expected, type) => {
    expect([...values].sort((a, b) => compareValues(a, b, type))).toEqual(expected)
  })
})

describe('orderRows', () => {
  const rows = [
    { id: 1, name: 'b', n: 1 },
    { id: 2, name: null, n: 1 },
    { id: 3, name: 'a', n: 2 },
    { id: 4, name: 'b', n: 0 },
  ]

  it.each([
    ['name', [2, 3, 1, 4]],
    ['name desc', [1, 4, 3, 2]],
    ['name,n', [2, 3, 4, 1]],
    ['n desc,name desc', [3, 1, 2, 4]],
    ['n mul -1', [3, 1, 2, 4]],
    ["startswith(name,'a') desc", [3, 1, 4, 2]],
  ])('by %s results in %j', (orderby, expected) => {
    expect(orderRows(rows, parseOrderby(orderby)).map(({ id }) => id)).toEqual(expected)
  })

  it('orders enumeration members by number', () => {
    const moods = [{ mood: 'high' }, { mood: 'low' }]
    const options = { types: personTypes, type: 'person' }
    expect(orderRows(moods, parseOrderby('mood'), options)).toEqual([{ mood: 'low' }, { mood: 'high' }])
  })
})
