import { describe, expect, it } from 'vitest'
import { EvaluationError } from '../../evaluation-error.js'
import { evaluateText } from '../../testing/evaluate-text.js'
import { sampleTypes } from '../../testing/sample-types.js'

const now = (): Date => new Date(Date.UTC(2024, 5, 1, 12))

describe('canonical functions', () => {
  it.each([
    ["concat('a','b')", 'ab'],
    ['concat([1],[2,3]) eq [1,2,3]', true],
    ["contains('Alfreds','fre')", true],
    ["contains('Alfreds','FRE')", false],
    ["contains('x','')", true],
    ['contains([1,2,3],[2,3])', true],
    ['contains([1,2,3],[1,3])', false],
    ["endswith('Futterkiste','kiste')", true],
    ['endswith([1,2,3],[2,3])', true],
    ['endswith([3],[2,3])', false],
    ["indexof('Alfreds','lfr')", 1],
    ["indexof('Alfreds','z')", -1],
    ["indexof('😀x','x')", 1],
    ['indexof([1,2,3],[2,3])', 1],
    ["length('😀')", 1],
    ["length('')", 0],
    ['length([1,2])', 2],
    ["startswith('Alfreds','Alf')", true],
    ['startswith([1,2],[1])', true],
    ["substring('Alfreds',1)", 'lfreds'],
    ["substring('Alfreds',1,2)", 'lf'],
    ["substring('😀abc',1,1)", 'a'],
    ["substring('abc',9)", ''],
    ["substring('abc',-2)", 'bc'],
    ["substring('abc',1,99)", 'bc'],
    ['substring([1,2,3],1,1) eq [2]', true],
    ['hassubset([4,1,3],[3,1])', true],
    ['hassubset([4,1,3,1],[1,1])', true],
    ['hassubset([1,2],[1,1,2])', false],
    ['hassubset([1],[])', true],
    ['hassubsequence([4,1,3],[4,3])', true],
    ['hassubsequence([4,1,3,1],[1,1])', true],
    ['hassubsequence([4,1,3],[3,1])', false],
    ['hassubsequence([1,2],[1,1,2])', false],
    ["matchespattern('Alfreds','^A.*s$')", true],
    ["tolower('ÄB')", 'äb'],
    ["toupper('äß')", 'ÄSS'],
    ["trim(' \u00a0\u3000x y\t')", 'x y'],
    ['year(2024-02-29)', 2024],
    ['year(-0044-03-15)', -44],
    ['month(2024-02-29)', 2],
    ['day(2024-02-29T23:30:00-05:00)', 29],
    ['hour(2024-02-29T23:30:15.5-05:00)', 23],
    ['minute(23:30:15)', 30],
    ['second(2024-01-01T00:00:59.9Z)', 59],
    ['fractionalseconds(00:00:01.25)', 0.25],
    ["totalseconds(duration'PT1M0.5S')", 60.5],
    ['date(2024-01-01T00:30:00+01:00)', '2024-01-01'],
    ['time(2024-01-01T00:30:00+01:00)', '00:30:00'],
    ['totaloffsetminutes(2024-01-01T00:00:00-05:30)', -330],
    ['now()', '2024-06-01T12:00:00Z'],
    ['mindatetime() lt now()', true],
    ['maxdatetime() gt now()', true],
    ['round(2.5)', 3],
    ['round(-2.5)', -3],
    ['round(0.5e0)', 1],
    ['round(-0.5e0)', -1],
    ['round(7)', 7],
    ['floor(-1.5)', -2],
    ['floor(1.9e0)', 1],
    ['ceiling(-1.5)', -1],
    ['ceiling(1.1)', 2],
    ['case(1 gt 2:1,2 gt 1:2,true:3)', 2],
    ["year('2024-02-29T00:00:00Z')", 2024],
    ["round('2.5')", 3],
  ])('%s is %s', (text, expected) => {
    expect(evaluateText(text, {}, { now })).toBe(expected)
  })

  it.each([
    ["contains(1,'1')"],
    ["contains([1],'1')"],
    ['tolower(1)'],
    ['length(true)'],
    ["substring('abc','1')"],
    ["substring('abc',0,-1)"],
    ["year('soon')"],
    ['year(1)'],
    ['hour(2024-01-01)'],
    ['totalseconds(1)'],
    ["round('x')"],
    ['round(true)'],
    ["hassubset('a','b')"],
    ["matchespattern('a','(')"],
    ["case('x':1)"],
    ["geo.length(geography'SRID=0;LineString(1 1,2 2)')"],
    ["ns.custom('a')"],
    ['ns.custom(a=1)'],
  ])('refuses %s', text => {
    expect(() => evaluateText(text)).toThrow(EvaluationError)
  })
})

describe('cast and isof', () => {
  const options = { types: sampleTypes, type: 'person' }
  const row = { '@odata.type': '#ns.boss', id: '1', rights: 'all', bonus: 5, manager: { id: '2' } }

  it.each([
    ['cast(5,Edm.String)', '5'],
    ['cast(true,Edm.String)', 'true'],
    ['cast(2.5,Edm.Int32)', 3],
    ['cast(300,Edm.Byte)', null],
    ["cast('12',Edm.Int64)", 12],
    ["cast('x',Edm.Int64)", null],
    ["cast('1.50',Edm.Decimal)", 1.5],
    ["cast('INF',Edm.Double)", 'INF'],
    ['cast(0.1,Edm.Single) gt 0.1', true],
    ["cast('2024-01-01',Edm.Date)", '2024-01-01'],
    ["cast('2024-01-01T10:00:00',Edm.DateTimeOffset)", '2024-01-01T10:00:00Z'],
    ["cast('true',Edm.Boolean)", true],
    ['cast(1,Edm.Boolean)', null],
    ['cast(rights,Edm.Int32)', 3],
    ['cast(1,ns.rights)', 'read'],
    ['cast(99,ns.mood)', null],
    ["cast('high',ns.mood)", 'high'],
    ['cast(["1","2"],Collection(Edm.Int32)) eq [1,2]', true],
    ['cast(5,Collection(Edm.Int32))', null],
    ['isof(5,Edm.Int32)', true],
    ["isof('x',Edm.Int32)", false],
    ['isof(ns.boss)', true],
    ['isof(ns.person)', true],
    ['isof(manager,ns.boss)', false],
    ['isof($it,ns.address)', false],
    ['ns.boss/bonus eq 5', true],
    ['manager/ns.boss/bonus eq null', true],
    ['isof(missing,ns.boss) eq null', true],
  ])('%s is %s', (text, expected) => {
    expect(evaluateText(text, { ...row, missing: null }, options)).toBe(expected)
  })

  it.each([['isof(ns.boss)'], ['cast(5,ns.unheard)'], ['isof(5,Edm.Stream)']])('without types, refuses %s', text => {
    expect(() => evaluateText(text, { id: 1 })).toThrow(EvaluationError)
  })
})
