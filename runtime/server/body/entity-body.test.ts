import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shopTable } from '../testing/shop-table.js'
import { type BodyPurpose, readEntity, readLongLists } from './entity-body.js'

const read = (json: unknown, purpose: BodyPurpose, type = 'book'): object => {
  const { value, problems } = readEntity(json, type, purpose, shopTable)
  return problems.length === 0 ? value : problems.map(problem => `${problem.target}: ${problem.message}`)
}

describe('a valid body', () => {
  const cases: readonly (readonly [BodyPurpose, unknown, unknown])[] = [
    ['create', { isbn: '1', title: 'T' }, { isbn: '1', title: 'T', genre: 'novel' }],
    [
      'create',
      { isbn: '1', title: 'T', genre: 'POETRY', sold: '12' },
      { isbn: '1', title: 'T', genre: 'poetry', sold: 12 },
    ],
    [
      'create',
      { isbn: '1', title: 'T', '@odata.type': '#shop.book', 'title@x.y': 1 },
      { isbn: '1', title: 'T', genre: 'novel' },
    ],
    [
      'create',
      { isbn: '1', title: 'T', size: { width: 1, inner: { width: 2, unit: 'm' } }, boxes: [{ width: 3 }] },
      {
        isbn: '1',
        title: 'T',
        genre: 'novel',
        size: { width: 1, unit: 'cm', inner: { width: 2, unit: 'm' } },
        boxes: [{ width: 3, unit: 'cm' }],
      },
    ],
    ['update', {}, {}],
    [
      'update',
      { pages: null, size: { unit: 'm' }, boxes: [{ width: 1 }] },
      { pages: null, size: { unit: 'm' }, boxes: [{ width: 1, unit: 'cm' }] },
    ],
    ['replace', { isbn: '2', title: 'T', updatedAt: 'x' }, { title: 'T', genre: 'novel' }],
  ]
  it.each(cases)('%s with %j returns %j', (purpose, json, expected) => {
    expect(read(json, purpose)).toEqual(expected)
  })

  it('can have a derived type, which it names', () => {
    expect(read({ '@odata.type': '#shop.writer', penName: 'x' }, 'create', 'person')).toEqual({
      '@odata.type': '#shop.writer',
      penName: 'x',
    })
  })
})

describe('the problems of a body', () => {
  const cases: readonly (readonly [BodyPurpose, unknown, readonly string[]])[] = [
    ['create', {}, ['isbn: isbn is required.', 'title: title is required.']],
    ['create', 1, [': The body must be an object.']],
    ['create', [], [': The body must be an object.']],
    ['create', { isbn: '1', title: null }, ['title: title must not be null.']],
    ['create', { isbn: '1', title: 'T', isbm: 1 }, ['isbm: The property "isbm" does not exist on type book.']],
    [
      'create',
      { isbn: '1', title: 'T', author: {} },
      ['author: author is a navigation property and cannot be set here.'],
    ],
    [
      'create',
      { isbn: '1', title: 'T', 'author@odata.bind': 'x' },
      ['author@odata.bind: author@odata.bind: navigation properties cannot be set here.'],
    ],
    ['create', { isbn: '1', title: 'T', updatedAt: 'x' }, ['updatedAt: updatedAt is read-only and cannot be set.']],
    [
      'create',
      { isbn: '1', title: 'T', '@odata.type': '#shop.person' },
      ['@odata.type: @odata.type must name book or a type derived from it.'],
    ],
    ['update', { isbn: '1' }, ['isbn: isbn can only be set when the item is created.']],
    ['update', { genre: 'crime' }, ['genre: genre must be one of novel, poetry, science.']],
    ['update', { genre: 1 }, ['genre: genre must be one of novel, poetry, science.']],
    ['update', { tags: 'a' }, ['tags: tags must be a list.']],
    ['update', { tags: null }, ['tags: tags must be a list.']],
    [
      'update',
      { tags: ['a', null, 'toolong'] },
      ['tags/1: tags/1 must not be null.', 'tags/2: tags/2 must have at most 5 characters.'],
    ],
    ['update', { tags: ['a', 'b', 'c', 'd'] }, ['tags: tags must have at most 3 items.']],
    ['update', { size: [] }, ['size: size must be an object.']],
    [
      'update',
      { size: { width: 'x', depth: 1 } },
      [
        'size/width: size/width must be a number, "INF", "-INF" or "NaN".',
        'size/depth: The property "depth" does not exist on type dimensions.',
      ],
    ],
    ['update', { boxes: [{}] }, ['boxes/0/width: boxes/0/width is required.']],
    ['update', { price: 1.234 }, ['price: price must have at most 2 digits after the point.']],
    ['update', JSON.parse('{"__proto__":1}'), ['__proto__: The property "__proto__" does not exist on type book.']],
    ['update', { constructor: 1 }, ['constructor: The property "constructor" does not exist on type book.']],
  ]
  it.each(cases)('are all reported: %s with %j', (purpose, json, problems) => {
    expect(read(json, purpose)).toEqual(problems)
  })

  it('include values that are nested too deeply', () => {
    let size: object = { width: 1 }
    for (let depth = 0; depth < 60; depth++) size = { width: 1, inner: size }
    expect(read({ size }, 'update')).toEqual([expect.stringContaining('is nested too deep.')])
  })
})

it('reading a body never throws and never changes Object.prototype', () => {
  const before = Object.keys(Object.prototype)
  fc.assert(
    fc.property(fc.json(), fc.constantFrom('create', 'update', 'replace'), (json, purpose) => {
      readEntity(JSON.parse(json), 'book', purpose, shopTable)
      readEntity({ size: JSON.parse(json), tags: JSON.parse(json) }, 'book', purpose, shopTable)
    }),
  )
  expect(Object.keys(Object.prototype)).toEqual(before)
})

describe('properties that only the service, or only a create, sets', () => {
  const rules = { ...shopTable, choices: { readOnlyInBody: 'ignored' } }
  const cases: readonly (readonly [BodyPurpose, object, object])[] = [
    ['create', { isbn: '1', title: 'T', updatedAt: 'no time' }, { isbn: '1', title: 'T', genre: 'novel' }],
    ['update', { isbn: '2', title: 'T', updatedAt: 1 }, { title: 'T' }],
    ['replace', { isbn: '2', title: 'T', updatedAt: null }, { title: 'T', genre: 'novel' }],
  ]
  it.each(cases)('are ignored in a body for %s, if the service chose so: %j', (purpose, json, expected) => {
    expect(readEntity(json, 'book', purpose, rules)).toEqual({ value: expected, problems: [], related: 0 })
  })
})

describe('a long list of a body', () => {
  const boxes = Array.from({ length: 2_500 }, (_, index) => ({ width: index }))
  const book = { isbn: '1', title: 'T' }
  it.each<[what: string, json: object]>([
    ['of complex values', { ...book, boxes }],
    [
      'with mistakes',
      { ...book, boxes: boxes.map((box, index) => (index % 999 === 0 ? { width: 'x', more: 1 } : box)) },
    ],
    ['of another type', { ...book, boxes: boxes.map(() => 1) }],
    ['with null', { ...book, boxes: [...boxes, null] }],
  ])('%s is read in several steps with the same result', async (_, json) => {
    let turns = 0
    const longLists = await readLongLists(json, 'book', shopTable, async () => {
      turns++
    })
    expect([turns, longLists.size]).toEqual([3, 1])
    const whole = readEntity(json, 'book', 'create', shopTable)
    expect(readEntity(json, 'book', 'create', { ...shopTable, longLists })).toEqual(whole)
  })
})
