import { describe, expect, expectTypeOf, it } from 'vitest'
import { parseFilter } from '../query/index.js'
import type { Filter } from './filter.js'
import { date, quoted } from './path.js'
import { boundFunction, unboundFunction } from './query-functions.js'

const isOverdue = boundFunction<{ readonly on: string; readonly strictly?: boolean | undefined }, boolean>(
  'shop.isOverdue',
  { on: date },
)
const label = boundFunction<object, string>('shop.label', {})
const twice = unboundFunction<{ readonly value: number }, number>('shop.twice', {})
const named = unboundFunction<{ readonly name: string | null }, boolean>('shop.named', { name: quoted })

describe('a function of the service in a filter', () => {
  it.each([
    [isOverdue('$it', { on: '2024-01-31' }), '$it/shop.isOverdue(on=2024-01-31)'],
    [isOverdue('x/loan', { on: '2024-01-31', strictly: true }), 'x/loan/shop.isOverdue(on=2024-01-31,strictly=true)'],
    [isOverdue('$it', { on: '2024-01-31', strictly: undefined }), '$it/shop.isOverdue(on=2024-01-31)'],
    [isOverdue('$it', { on: { text: 'due' } }), '$it/shop.isOverdue(on=due)'],
    [label('author'), 'author/shop.label()'],
    [twice({ value: twice({ value: 2 }) }), 'shop.twice(value=shop.twice(value=2))'],
    [named({ name: "O'N" }), "shop.named(name='O''N')"],
    [named({ name: null }), 'shop.named(name=null)'],
  ])('is written as %j', ({ text }, expected) => {
    expect(text).toBe(expected)
    expect(() => parseFilter(text)).not.toThrow()
  })

  it('rejects an argument that is not a value of the type', () => {
    expect(() => isOverdue('$it', { on: 'today' })).toThrow('a Date')
  })

  it('is a filter if it returns a Boolean, and has typed arguments', () => {
    expectTypeOf(isOverdue('$it', { on: '2024-01-31' })).toExtend<Filter>()
    expectTypeOf(twice({ value: 1 })).not.toExtend<Filter>()
    // @ts-expect-error: `on` is missing
    expect(isOverdue('$it', {}).text).toBe('$it/shop.isOverdue()')
    // @ts-expect-error: a number is not a date
    expect(isOverdue('$it', { on: 1 }).text).toBe('$it/shop.isOverdue(on=1)')
  })
})
