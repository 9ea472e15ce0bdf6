import { describe, expect, it } from 'vitest'
import { evaluate, parseFilter, type TypeTable } from '../../runtime/query/index.js'
import type { ComparisonSemantics } from './comparison-semantics.js'
import { truthOn } from './evaluate.js'
import { anyTruth, describeTruth, isNull, truthOfBoolean } from './truth-set.js'

const never = { possible: false, certain: false }
const semantics: ComparisonSemantics = {
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
      number: { type: 'Edm.Int32', nullable: true },
      money: { type: 'Edm.Decimal', nullable: true },
      flag: { type: 'Edm.Boolean', nullable: true },
      at: { type: 'Edm.DateTimeOffset', nullable: true },
      day: { type: 'Edm.Date', nullable: true },
      tags: { type: 'Edm.String', collection: true },
    },
    navigation: {},
  },
  special: { kind: 'entityType', key: ['id'], base: 'thing', properties: {}, navigation: {} },
}
const row = {
  id: '1',
  text: 'Abc 7',
  number: 300,
  money: 2.5,
  flag: true,
  at: '2024-02-29T23:30:00-05:00',
  day: '2024-02-29',
  tags: ['a', 'b', 'a'],
}
const nothing = { id: '2', text: null, number: null, money: null, flag: null, at: null, day: null, tags: [] }
const typed = { ...row, '@odata.type': '#ns.special' }
const subject = {
  semantics,
  types,
  type: 'thing',
  properties: new Set(Object.keys(row)),
  now: Date.UTC(2024, 5, 1),
}

describe('rare functions', () => {
  it.each([
    "cast(number,Edm.String) eq '300'",
    "cast(day,Edm.String) eq '2024-02-29'",
    "cast(flag,Edm.String) eq 'true'",
    'cast(number,Edm.Byte) eq null',
    'cast(number,Edm.Int16) eq 300',
    'cast(cast(number,Edm.String),Edm.Int32) gt 299',
    "cast('12',Edm.Int32) eq 12",
    "cast('x',Edm.Int32) eq null",
    'isof(day,Edm.Date)',
    "isof('x',Edm.Int32)",
    'hassubset(tags,["a","b"])',
    'hassubset(tags,["c"])',
    'hassubsequence(tags,["b","a"])',
    'hassubsequence(tags,["b","b"])',
    'hassubsequence(tags,[])',
    "case(text eq 'Abc 7':1,true:2) eq 1",
    'case(number gt 1000:1,flag:2) eq 2',
    'case(number gt 1000:1) eq null',
    "matchespattern(text,'^Abc')",
    "matchespattern(text,'7$')",
    "matchespattern(text,'bc')",
    "matchespattern(text,'x')",
    'at gt mindatetime()',
    'at lt maxdatetime()',
    'at lt mindatetime()',
  ])('agree with the evaluator on %s if they are certain', text => {
    const filter = parseFilter(text)
    for (const each of [row, nothing]) {
      const truth = truthOn(filter, subject)(each)
      const value = evaluate(filter, each, { types, type: 'thing' })
      const found = typeof value === 'boolean' ? truthOfBoolean(value) : isNull
      expect(truth & found, `${text} is ${describeTruth(truth)}, not ${String(value)}`).toBe(found)
    }
    expect(truthOn(filter, subject)(row)).not.toBe(anyTruth)
  })

  it.each([
    ['cast(money,Edm.Int32) eq 3', row],
    ["cast(money,Edm.String) eq '2.5'", row],
    ["cast(' 7',Edm.Int32) eq 7", row],
    ["matchespattern(text,'^A.*7$')", row],
    ["matchespattern(text,'^Abc$')", row],
    ['isof(ns.special)', row],
    ['isof(text,Edm.String)', nothing],
    ['cast(text,Collection(Edm.String)) eq null', row],
  ])('leave open what differs between services: %s', (text, given) => {
    const truth = truthOn(parseFilter(text), subject)(given)
    expect(describeTruth(truth)).toBe(describeTruth(truth | truthOfBoolean(true) | truthOfBoolean(false)))
  })

  it('use the type that a row shows', () => {
    const isSpecial = truthOn(parseFilter('isof(ns.special)'), subject)
    expect(describeTruth(isSpecial(typed))).toBe('true')
    expect(describeTruth(isSpecial({ ...row, '@odata.type': '#ns.thing' }))).toBe('false')
    expect(describeTruth(truthOn(parseFilter('isof(ns.thing)'), subject)(typed))).toBe('true')
  })

  it('treat the offset of a timestamp as shown, or as zero', () => {
    const truth = (minutes: number) =>
      describeTruth(truthOn(parseFilter(`totaloffsetminutes(at) eq ${minutes}`), subject)(row))
    expect([truth(0), truth(-300), truth(60)]).toEqual(['true or false', 'true or false', 'false'])
  })
})
