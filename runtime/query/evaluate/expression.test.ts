import { describe, expect, it } from 'vitest'
import { parseFilter } from '../expressions.js'
import { evaluateText } from '../testing/evaluate-text.js'
import { evaluateFilter } from './evaluate.js'

const row = { n: null, t: true, f: false, one: 1, s: 'x', list: ['a', null], empty: [] }

describe('null in expressions', () => {
  it.each([
    // Comparisons with null are two-valued.
    ['null eq null', true],
    ['null ne null', false],
    ['n eq null', true],
    ['missing eq null', true],
    ["n eq 'x'", false],
    ["n ne 'x'", true],
    ['s ne null', true],
    ['s eq null', false],
    ['n gt 1', false],
    ['n ge 1', false],
    ['n lt 1', false],
    ['n le 1', false],
    ['null ge null', false],
    ['null le null', false],
    ['not (n gt 1)', true],
    // Logic is three-valued.
    ['null and false', false],
    ['false and null', false],
    ['null and true', null],
    ['true and null', null],
    ['null and null', null],
    ['null or true', true],
    ['true or null', true],
    ['null or false', null],
    ['false or null', null],
    ['null or null', null],
    ['not null', null],
    ['not true', false],
    ['true and true', true],
    ['true and false', false],
    ['false or false', false],
    // What is done to null is null.
    ["contains(n,'x')", null],
    ["not contains(n,'x')", null],
    ['contains(s,null)', null],
    ['tolower(n)', null],
    ['length(n) eq 0', false],
    ['length(n) ne 0', true],
    ['n add 1', null],
    ['1 mul null', null],
    ['-n', null],
    ["n has ns.Color'Red'", null],
    ['year(n)', null],
    ['cast(n,Edm.String)', null],
    ['isof(n,Edm.String)', null],
    // Membership counts null as a value.
    ["n in ('x',null)", true],
    ["n in ('x')", false],
    ["s in ('x',null)", true],
    ["'b' in list", false],
    ['null in list', true],
    ['s in ()', false],
    ['s in n', null],
    // Paths and lambdas
    ['n/a/b', null],
    ['n/a/b eq null', true],
    ['n/$count', null],
    ["n/any(x:x eq 'a')", false],
    ['n/any()', false],
    ["n/all(x:x eq 'a')", true],
    ['empty/any()', false],
    ['list/any()', true],
    ["list/any(x:x eq 'z')", false],
    ["list/all(x:x ne 'z')", true],
    ["list/any(x:contains(x,'z'))", false],
    ["list/all(x:contains(x,'a'))", false],
    ['case(null:1,true:2)', 2],
    ['case(false:1)', null],
  ])('%s is %s', (text, expected) => {
    expect(evaluateText(text, row)).toBe(expected)
  })

  it.each([
    ["contains(n,'x')", false],
    ["not contains(n,'x')", false],
    ["not (n eq 'x')", true],
    ["n ne 'x'", true],
    ['null', false],
    ['t', true],
    ['f', false],
  ])('makes the filter %s keep the row: %s', (text, kept) => {
    expect(evaluateFilter(parseFilter(text), row)).toBe(kept)
  })
})
