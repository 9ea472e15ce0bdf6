import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Expression, evaluate, parseFilter, type TypeTable } from '../../runtime/query/index.js'
import type { Row } from '../json.js'
import type { ComparisonSemantics } from './comparison-semantics.js'
import { truthOn } from './evaluate.js'
import { describeTruth } from './truth-set.js'

const never = { possible: false, certain: false }
const open = { possible: true, certain: false }
const always = { possible: true, certain: true }

const plain: ComparisonSemantics = {
  equalityFoldsCase: never,
  relationalFoldsCase: never,
  relationalIsByLocale: never,
  functionsFoldCase: never,
  accentsFold: never,
  trailingSpacesFold: never,
  normalizationFolds: never,
  emptyIsNull: never,
  equalityIsThreeValued: never,
  relationalIsThreeValued: never,
  functionIsTwoValued: never,
  absentIsDistinct: never,
  instantsAreFiner: never,
  enumsOrderByName: never,
  orderFoldsCase: never,
  orderIsByLocale: never,
}

const types: TypeTable = {
  thing: {
    kind: 'entityType',
    key: ['id'],
    properties: {
      id: { type: 'Edm.String' },
      text: { type: 'Edm.String', nullable: true },
      other: { type: 'Edm.String', nullable: true },
      flag: { type: 'Edm.Boolean', nullable: true },
      number: { type: 'Edm.Int32', nullable: true },
      long: { type: 'Edm.Int64', nullable: true },
      money: { type: 'Edm.Decimal', nullable: true },
      single: { type: 'Edm.Single', nullable: true },
      at: { type: 'Edm.DateTimeOffset', nullable: true },
      day: { type: 'Edm.Date', nullable: true },
      time: { type: 'Edm.TimeOfDay', nullable: true },
      span: { type: 'Edm.Duration', nullable: true },
      guid: { type: 'Edm.Guid', nullable: true },
      level: { type: 'level', nullable: true },
      genres: { type: 'genre', nullable: true },
      tags: { type: 'Edm.String', collection: true },
      places: { type: 'place', collection: true },
      place: { type: 'place', nullable: true },
    },
    navigation: { parent: { type: 'thing', nullable: true }, children: { type: 'thing', collection: true } },
  },
  place: { kind: 'complexType', key: [], properties: { city: { type: 'Edm.String', nullable: true } }, navigation: {} },
  level: { kind: 'enumType', members: { low: 0, normal: 1, high: 2 } },
  genre: { kind: 'enumType', flags: true, members: { none: 0, fiction: 1, history: 2, science: 4 } },
}

function evaluated(filter: string | Expression, row: Row, semantics: Partial<ComparisonSemantics> = {}): string {
  const expression = typeof filter === 'string' ? parseFilter(filter) : filter
  const properties = new Set(Object.keys({ ...row }))
  const subject = { semantics: { ...plain, ...semantics }, types, type: 'thing', properties, now: Date.UTC(2024, 0, 1) }
  return describeTruth(truthOn(expression, subject)(row))
}

describe('an expression on a row, with all choices known', () => {
  it.each<[string, Row, string]>([
    ["text eq 'x'", { text: 'x' }, 'true'],
    ["text eq 'X'", { text: 'x' }, 'false'],
    ["text ne 'x'", { text: null }, 'true'],
    ["text gt 'x'", { text: null }, 'false'],
    ["not (text gt 'x')", { text: null }, 'true'],
    ["contains(text,'x')", { text: null }, 'null'],
    ["not contains(text,'x')", { text: null }, 'null'],
    ["contains(text,'x') or flag eq true", { text: null, flag: true }, 'true'],
    ["contains(text,'x') and flag eq true", { text: null, flag: false }, 'false'],
    ['text eq null', { text: null }, 'true'],
    ['text ne null', { text: null }, 'false'],
    ["text eq 'a' or text eq 'b' and flag eq true", { text: 'a', flag: false }, 'true'],
    ["text in ('a','b')", { text: 'b' }, 'true'],
    ["text in ('a','b')", { text: 'c' }, 'false'],
    ["contains(text,'%')", { text: 'abc' }, 'false'],
    ["startswith(text,'ab')", { text: 'abc' }, 'true'],
    ["endswith(text,'ab')", { text: 'abc' }, 'false'],
    ["tolower(text) eq 'äb'", { text: 'ÄB' }, 'true'],
    ["toupper(text) eq 'SS'", { text: 'ß' }, 'true or false'],
    ["concat(text,other) eq 'ab'", { text: 'a', other: 'b' }, 'true'],
    ["indexof(text,'b') eq 1", { text: 'ab' }, 'true'],
    ["indexof(text,'b') eq 1", { text: '😀b' }, 'true or false'],
    ['length(text) eq 2', { text: 'ab' }, 'true'],
    ["substring(text,1) eq 'b'", { text: 'ab' }, 'true'],
    ["substring(text,0,1) eq 'a'", { text: 'ab' }, 'true'],
    ["trim(text) eq 'a'", { text: ' a ' }, 'true'],
    ['number gt 9', { number: 10 }, 'true'],
    ['number add 1 eq 11', { number: 10 }, 'true'],
    ['number div 3 eq 3', { number: 10 }, 'true'],
    ['number mod 3 eq 1', { number: 10 }, 'true'],
    ['-number eq -10', { number: 10 }, 'true'],
    ['number div 0 eq 1', { number: 10 }, 'unknown'],
    ['long eq 9007199254740993', { long: '9007199254740993' }, 'true'],
    ['long eq 9007199254740992', { long: '9007199254740993' }, 'false'],
    ['long eq 9007199254740992', { long: 9007199254740992 }, 'unknown'],
    ['money eq 1.5', { money: 1.5 }, 'true'],
    ['money eq 1.50', { money: '1.5' }, 'true'],
    ['single eq 4.1', { single: 4.1 }, 'true or false'],
    ['single eq 4.5', { single: 4.5 }, 'true'],
    ['round(money) eq 3', { money: 2.5 }, 'true'],
    ['floor(money) eq -3', { money: -2.5 }, 'true'],
    ['ceiling(money) eq -2', { money: -2.5 }, 'true'],
    ['at eq 2024-05-01T12:00:00Z', { at: '2024-05-01T12:00:00.000+00:00' }, 'true'],
    ['at eq 2024-05-01T12:00:00Z', { at: '2024-05-01T14:00:00+02:00' }, 'true'],
    ['at gt 2024-05-01T12:00:00Z', { at: '2024-05-01T12:00:00.0000001Z' }, 'true'],
    ['date(at) eq 2024-05-01', { at: '2024-05-01T12:00:00Z' }, 'true'],
    ['date(at) eq 2024-05-01', { at: '2024-05-01T00:30:00+02:00' }, 'true or false'],
    ['year(at) eq 2024', { at: '2024-05-01T12:00:00Z' }, 'true'],
    ['hour(at) eq 12 and minute(at) eq 30 and second(at) eq 5', { at: '2024-05-01T12:30:05Z' }, 'true'],
    ['fractionalseconds(at) eq 0.25', { at: '2024-05-01T12:30:05.25Z' }, 'true'],
    ['at lt now()', { at: '2023-05-01T12:30:05.25Z' }, 'true'],
    ['day lt 2024-05-02', { day: '2024-05-01' }, 'true'],
    ['time ge 12:00:00', { time: '12:00:00.0' }, 'true'],
    ["span eq duration'PT90M'", { span: 'PT1H30M' }, 'true'],
    ['totalseconds(span) eq 5400', { span: 'PT1H30M' }, 'true'],
    ['guid eq 0AF5AA5E-6fe5-48d5-b286-6a65302a1e28', { guid: '0af5aa5e-6fe5-48d5-b286-6a65302a1e28' }, 'true'],
    ["guid eq '0AF5AA5E-6fe5-48d5-b286-6a65302a1e28'", { guid: '0af5aa5e-6fe5-48d5-b286-6a65302a1e28' }, 'true'],
    ["level gt 'low'", { level: 'high' }, 'true'],
    ["level eq 'high'", { level: 'high' }, 'true'],
    ["level eq 'High'", { level: 'high' }, 'unknown'],
    ["genres has ns.genre'history'", { genres: 'fiction,history' }, 'true'],
    ["genres has ns.genre'science'", { genres: 'fiction,history' }, 'false'],
    ["tags/any(t:t eq 'a')", { tags: ['b', 'a'] }, 'true'],
    ["tags/any(t:t eq 'a')", { tags: [] }, 'false'],
    ["tags/all(t:t eq 'a')", { tags: [] }, 'true'],
    ["tags/all(t:t eq 'a')", { tags: ['a', 'b'] }, 'false'],
    ['tags/any()', { tags: ['a'] }, 'true'],
    ['tags/$count gt 1', { tags: ['a', 'b'] }, 'true'],
    ["places/any(p:p/city eq 'x' or p/city eq text)", { places: [{ city: 'y' }], text: 'y' }, 'true'],
    ["place/city eq 'x'", { place: { city: 'x' } }, 'true'],
    ['place/city eq null', { place: null }, 'true'],
    ["parent/text eq 'x'", {}, 'unknown'],
    ["parent/text eq 'x'", { parent: { text: 'x' } }, 'true'],
    ["children/any(c:c/text eq 'x')", { children: [{ text: 'x' }] }, 'true'],
    ["missing eq 'x'", { missing: 'x' }, 'unknown'],
    ["text eq 'x'", {}, 'unknown'],
    ["service.own(text) eq 'x'", { text: 'x' }, 'unknown'],
  ])('%s on %j is %s', (filter, row, expected) => {
    expect(evaluated(filter, row)).toBe(expected)
  })
})

describe('an open choice adds possible results', () => {
  it.each<[string, Row, Partial<ComparisonSemantics>, string]>([
    ["text eq 'X'", { text: 'x' }, { equalityFoldsCase: open }, 'true or false'],
    ["text eq 'X'", { text: 'x' }, { equalityFoldsCase: always }, 'true'],
    ["text eq 'Y'", { text: 'x' }, { equalityFoldsCase: open }, 'false'],
    ["text eq 'É'", { text: 'é' }, { equalityFoldsCase: always }, 'true or false'],
    ["contains(text,'X')", { text: 'x' }, { functionsFoldCase: always }, 'true'],
    ["contains(text,'X')", { text: 'x' }, { equalityFoldsCase: always }, 'false'],
    ["text eq 'e'", { text: 'é' }, { accentsFold: open }, 'true or false'],
    ["text eq 'a '", { text: 'a' }, { trailingSpacesFold: always }, 'true'],
    ["text eq 'e\u0301'", { text: 'é' }, { normalizationFolds: always }, 'true'],
    ["text eq ''", { text: null }, { emptyIsNull: open }, 'true or false'],
    ['text eq null', { text: '' }, { emptyIsNull: always }, 'false'],
    ["text ne 'x'", { text: null }, { equalityIsThreeValued: always }, 'null'],
    ["not (text eq 'x')", { text: null }, { equalityIsThreeValued: open }, 'true or null'],
    ['text eq null', { text: null }, { equalityIsThreeValued: always }, 'true'],
    ['text eq other', { text: null, other: null }, { equalityIsThreeValued: always }, 'true or null'],
    ["text gt 'x'", { text: null }, { relationalIsThreeValued: open }, 'false or null'],
    ["contains(text,'x')", { text: null }, { functionIsTwoValued: always }, 'false'],
    ['at eq 2024-05-01T12:00:00Z', { at: '2024-05-01T12:00:00Z' }, { instantsAreFiner: open }, 'true or false'],
    ['at lt 2024-05-01T12:00:02Z', { at: '2024-05-01T12:00:00Z' }, { instantsAreFiner: open }, 'true'],
    ["level gt 'low'", { level: 'high' }, { enumsOrderByName: open }, 'true or false'],
    ["genres eq 'science'", { genres: 'science,none' }, {}, 'true'],
    ["genres eq 'science'", { genres: 'science,none' }, { enumsOrderByName: open }, 'true or false'],
  ])('%s on %j', (filter, row, semantics, expected) => {
    expect(evaluated(filter, row, semantics)).toBe(expected)
  })
})

describe('the oracle and the query runtime', () => {
  const text = fc.constantFrom('a', 'b', 'A', "o'n", '', 'ab')
  const literal = text.map(value => ({ kind: 'literal', type: 'String', value }) as const)
  const name = fc.constantFrom('text', 'other')
  const path = name.map(each => ({ kind: 'path', segments: [{ kind: 'property', name: each }] }) as const)
  const operator = fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le')
  const comparison = fc
    .tuple(operator, path, literal)
    .map(([op, left, right]): Expression => ({ kind: 'binary', operator: op, left, right }))
  const call = fc
    .tuple(fc.constantFrom('contains', 'startswith', 'endswith'), path, literal)
    .map(([fn, whole, part]): Expression => ({ kind: 'call', function: fn, arguments: [whole, part] }))
  const { tree } = fc.letrec<{ tree: Expression }>(tie => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      comparison,
      call,
      fc
        .tuple(fc.constantFrom('and', 'or'), tie('tree'), tie('tree'))
        .map(([op, left, right]): Expression => ({ kind: 'binary', operator: op, left, right })),
      tie('tree').map((operand): Expression => ({ kind: 'unary', operator: 'not', operand })),
    ),
  }))
  const row = fc.record({ text: fc.option(text), other: fc.option(text) })

  it('agree if all choices are known', () => {
    fc.assert(
      fc.property(tree, row, (expression, values) => {
        expect(evaluated(expression, values)).toBe(String(evaluate(expression, values)))
      }),
      { seed: 1, numRuns: 500 },
    )
  })

  it('agree that open choices include the default', () => {
    const semantics = Object.fromEntries(Object.keys(plain).map(each => [each, open]))
    fc.assert(
      fc.property(tree, row, (expression, values) => {
        expect(evaluated(expression, values, semantics)).toMatch(new RegExp(`${evaluate(expression, values)}|unknown`))
      }),
      { seed: 1, numRuns: 500 },
    )
  })
})
