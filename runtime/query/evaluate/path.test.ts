import { describe, expect, it } from 'vitest'
import { parseFilter } from '../expressions.js'
import { evaluateText, personTypes } from '../testing/evaluate-text.js'
import { EvaluationError } from './value.js'

const row = {
  name: 'Ann',
  x: 'row',
  'price@Measures.Currency': 'EUR',
  price: 5,
  '@Core.Messages': [{ severity: 'error' }],
  from: { emailAddress: { address: 'a@b.c' } },
  tags: ['red', 'blue'],
  orders: [
    { id: 1, total: 10, items: [{ price: 3 }, { price: 8 }] },
    { id: 2, total: 20, items: [] },
  ],
}

describe('evaluating paths', () => {
  it.each([
    ['from/emailAddress/address', 'a@b.c'],
    ["$it/name eq 'Ann'", true],
    ['$this/name eq name', true],
    ['orders/$count', 2],
    ['orders/$count($filter=total gt 15)', 1],
    ['orders/$filter(total gt 5)/$count', 2],
    ['orders/$filter($it/price gt 4)/$count', 2],
    ['tags/$count($search=red)', 1],
    ['orders/any(o:o/total gt 15)', true],
    ['orders/all(o:o/total gt 15)', false],
    ['orders/any(o:o/items/any(i:i/price gt 7 and o/total eq 10))', true],
    ['orders/any(o:o/items/any(o:o/price gt 7))', true],
    ['orders/any(o:o/total eq price)', false],
    ["tags/any(x:x eq 'red')", true],
    ["tags/any(t:$it/name eq 'Ann' and t eq 'blue')", true],
    ['orders(id=2)/total', 20],
    ['price/@Measures.Currency', 'EUR'],
    ['price/@Measures.Unit', null],
    ["@Core.Messages/any(m:m/severity eq 'error')", true],
    ['unknown/any()', false],
    ['constructor', null],
    ['__proto__/x', null],
  ])('%s is %s', (text, expected) => {
    expect(evaluateText(text, row)).toBe(expected)
  })

  it('reaches other collections through $root', () => {
    const root = { people: [{ id: 'a', name: 'Ann' }] }
    expect(evaluateText("name eq $root/people(id='a')/name", row, { root })).toBe(true)
    expect(evaluateText("$root/people(id='b')/name eq null", row, { root })).toBe(true)
  })

  it('finds an item by a single key if the type is known', () => {
    const options = { types: personTypes, type: 'person' }
    expect(evaluateText("reports('2')/name", { reports: [{ id: '2', name: 'Bo' }] }, options)).toBe('Bo')
  })

  it('takes `$it` from the options for a nested collection', () => {
    expect(evaluateText('$it/total eq total', { total: 1 }, { it: { total: 2 } })).toBe(false)
  })

  it.each([
    ['orders/total'],
    ['name/first'],
    ['orders(1)/total'],
    ['name/$count'],
    ['name/any()'],
    ['ns.t/name'],
    ['$it/ns.f()'],
  ])('rejects %s', text => {
    expect(() => evaluateText(text, row)).toThrow(EvaluationError)
  })
})

describe('parameter aliases', () => {
  it.each([
    ['name eq @p', true],
    ['@unknown eq null', true],
    ['@twice eq 10', true],
    ['@one/emailAddress/address', 'a@b.c'],
    ['price in @list', true],
  ])('%s is %s', (text, expected) => {
    const aliases = {
      p: parseFilter("'Ann'"),
      twice: parseFilter('price mul 2'),
      one: parseFilter('from'),
      list: parseFilter('[4,5]'),
    }
    expect(evaluateText(text, row, { aliases })).toBe(expected)
  })

  it('rejects an alias that refers to itself', () => {
    const aliases = { a: parseFilter('@b add 1'), b: parseFilter('@a') }
    expect(() => evaluateText('@a eq 1', row, { aliases })).toThrow(EvaluationError)
  })

  it('evaluates each alias once, however often aliases use each other', () => {
    const names = Array.from({ length: 60 }, (_, index) => `p${index}`)
    const aliases = Object.fromEntries(
      names.map((name, index) => [name, parseFilter(index === 59 ? '1' : `@p${index + 1} add @p${index + 1}`)]),
    )
    expect(evaluateText('@p0', row, { aliases })).toBe(String(2n ** 59n))
  })
})

describe('long and deep expressions', () => {
  it('evaluates a chain of any length', () => {
    expect(evaluateText(Array(20_000).fill('price eq 1').join(' or '), row)).toBe(false)
  })

  it('rejects a tree that is too deep instead of overflowing the stack', () => {
    let tree = parseFilter('true')
    for (let depth = 0; depth < 100_000; depth += 1) tree = { kind: 'unary', operator: 'not', operand: tree }
    expect(() => evaluateText('true and @deep', row, { aliases: { deep: tree } })).toThrow(EvaluationError)
  })
})
