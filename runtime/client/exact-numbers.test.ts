import { describe, expect, it } from 'vitest'
import { bigIntJson } from './exact-numbers.js'

const json = bigIntJson({
  sums: 'n.sum',
  me: 'n.sum',
  animals: 'n.animal',
  'n.sum': { id: 'Edm.Int64', counts: 'Edm.Int64', part: 'n.part', parts: 'n.part', friends: 'n.sum', pet: 'n.animal' },
  'n.part': { size: 'Edm.Int64' },
  'n.animal': {},
  'n.dog': { weight: 'Edm.Int64' },
  'n.big': 'Edm.Int64',
})
const read = (context: string, body: object): unknown => {
  const annotated = { '@odata.context': `https://service.example/v1/$metadata#${context}`, ...body }
  const { '@odata.context': _, ...rest } = Object(json.parse(JSON.stringify(annotated)))
  return rest
}

describe('JSON with Int64 as bigints', () => {
  it.each<readonly [string, object, object]>([
    ['sums', { value: [{ id: '1', name: '1' }] }, { value: [{ id: 1n, name: '1' }] }],
    ['sums(id,friends(id,name))', { value: [{ id: '-9223372036854775808' }] }, { value: [{ id: -(2n ** 63n) }] }],
    ['sums/$entity', { id: '1', counts: ['1', '2'], value: ['3'] }, { id: 1n, counts: [1n, 2n], value: ['3'] }],
    ['sums/$delta', { value: [{ id: '1', '@removed': {} }] }, { value: [{ id: 1n, '@removed': {} }] }],
    ['me', { id: '1', part: { size: '2' }, parts: null }, { id: 1n, part: { size: 2n }, parts: null }],
    ["sums('a/(b)')/friends", { value: [{ id: '1' }] }, { value: [{ id: 1n }] }],
    ['sums(1)/id', { value: '1' }, { value: 1n }],
    ['sums(1)/counts', { value: ['1'] }, { value: [1n] }],
    ['sums(1)/part', { size: '1' }, { size: 1n }],
    ['sums(1)/name', { value: '1' }, { value: '1' }],
    ['animals/n.dog', { value: [{ weight: '1' }] }, { value: [{ weight: 1n }] }],
    ['Edm.Int64', { value: '1' }, { value: 1n }],
    ['n.big', { value: '1' }, { value: 1n }],
    ['Collection(Edm.Int64)', { value: ['1', null] }, { value: [1n, null] }],
    ['Collection(n.part)', { value: [{ size: 1 }] }, { value: [{ size: 1n }] }],
    ['Collection(Edm.String)', { value: ['1'] }, { value: ['1'] }],
    ['sums(id,total)', { value: [{ id: '1', total: '2' }] }, { value: [{ id: 1n, total: '2' }] }],
  ])('reads %s', (context, body, expected) => {
    expect(read(context, body)).toEqual(expected)
  })

  it('reads the members of derived types, and names that all objects inherit', () => {
    const dog = { '@odata.type': '#n.dog', weight: '1' }
    expect(read('sums/$entity', { id: '1', pet: dog, constructor: '2' })).toEqual({
      ...{ id: 1n, constructor: '2' },
      pet: { '@odata.type': '#n.dog', weight: 1n },
    })
    expect(read('animals', { value: [dog] })).toMatchObject({ value: [{ weight: 1n }] })
  })

  it('leaves other JSON, and what is no integer', () => {
    expect(json.parse('{"error":{"code":"1"}}')).toEqual({ error: { code: '1' } })
    expect(json.parse('[1]')).toEqual([1])
    expect(read('sums/$entity', { id: 'x' })).toEqual({ id: 'x' })
  })

  it('writes bigints as strings', () => {
    expect(json.stringify({ id: 2n ** 63n, name: 'x' })).toBe('{"id":"9223372036854775808","name":"x"}')
    expect(json.stringify(undefined)).toBeUndefined()
  })
})
