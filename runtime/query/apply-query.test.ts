import { describe, expect, it } from 'vitest'
import { type ApplyOptions, applyQuery } from './apply-query.js'
import { parseQueryOptions } from './query-string.js'
import { personTypes } from './testing/evaluate-text.js'

const people = [
  {
    '@odata.etag': 'W/"1"',
    id: '1',
    name: 'Ann Lee',
    points: 3,
    secret: 's',
    address: { city: 'Rome', zip: 1 },
    tags: ['a', 'b'],
    manager: { id: '3', name: 'Cy' },
    reports: [],
  },
  {
    id: '2',
    name: 'Bo',
    points: 1,
    secret: null,
    address: null,
    tags: [],
    manager: { id: '1', name: 'Ann Lee', manager: { id: '3', name: 'Cy' } },
    reports: [],
  },
  {
    id: '3',
    name: 'Cy',
    points: 2,
    tags: ['c'],
    manager: null,
    reports: [
      { id: '1', name: 'Ann Lee' },
      { id: '2', name: 'Bo' },
    ],
  },
]

function apply(
  query: string,
  options: ApplyOptions = {},
): { readonly ids: readonly unknown[]; readonly count: number } {
  const { value, count } = applyQuery(people, parseQueryOptions(query).options, options)
  return { ids: value.map(item => item['id']), count }
}

function first(query: string, options: ApplyOptions = {}): unknown {
  return applyQuery(people, parseQueryOptions(query).options, options).value[0]
}

describe('applyQuery', () => {
  it.each([
    ['', ['1', '2', '3'], 3],
    ['$filter=points gt 1', ['1', '3'], 2],
    ['$filter=points gt 1&$orderby=points', ['3', '1'], 2],
    ['$orderby=points desc&$top=1', ['1'], 3],
    ['$orderby=points&$skip=1&$top=1', ['3'], 3],
    ['$top=0', [], 3],
    ['$skip=9', [], 3],
    ['$search=lee', ['1'], 1],
    ['$search="name:bo"', ['2'], 1],
    ["$filter=name eq @n&@n='Bo'", ['2'], 1],
    ['$compute=points mul 2 as double&$filter=double eq 4', ['3'], 1],
  ])('%s returns %j of %d', (query, ids, count) => {
    expect(apply(query)).toEqual({ ids, count })
  })

  it.each([
    ['$select=name', { '@odata.etag': 'W/"1"', name: 'Ann Lee' }],
    ['$select=address/city', { '@odata.etag': 'W/"1"', address: { city: 'Rome' } }],
    ['$select=address/city,address/zip', { '@odata.etag': 'W/"1"', address: { city: 'Rome', zip: 1 } }],
    ['$select=address($select=zip)', { '@odata.etag': 'W/"1"', address: { zip: 1 } }],
    ['$select=unknown', { '@odata.etag': 'W/"1"' }],
    ['$select=name&$expand=manager($select=id)', { '@odata.etag': 'W/"1"', name: 'Ann Lee', manager: { id: '3' } }],
    ['$select=triple&$compute=points mul 3 as triple', { '@odata.etag': 'W/"1"', triple: 9 }],
  ])('%s shapes an item', (query, expected) => {
    expect(first(query)).toEqual(expected)
  })

  describe('with types', () => {
    const options: ApplyOptions = { types: personTypes, type: 'person' }
    const plain = {
      '@odata.etag': 'W/"1"',
      id: '1',
      name: 'Ann Lee',
      points: 3,
      address: { city: 'Rome', zip: 1 },
      tags: ['a', 'b'],
    }

    it.each([
      ['', plain],
      ['$select=*', plain],
      ['$select=id,secret', { '@odata.etag': 'W/"1"', id: '1', secret: 's' }],
      ['$select=id,manager', { '@odata.etag': 'W/"1"', id: '1' }],
      ['$select=id&$expand=manager', { '@odata.etag': 'W/"1"', id: '1', manager: { id: '3', name: 'Cy' } }],
      ['$select=id&$expand=*', { '@odata.etag': 'W/"1"', id: '1', manager: { id: '3', name: 'Cy' }, reports: [] }],
      [
        "$filter=id eq '3'&$select=id&$expand=reports($filter=name eq 'Bo';$count=true;$select=id)",
        { id: '3', 'reports@odata.count': 1, reports: [{ id: '2' }] },
      ],
      ["$filter=id eq '3'&$select=id&$expand=reports/$count", { id: '3', 'reports@odata.count': 2 }],
      [
        "$filter=id eq '3'&$select=id&$expand=reports($filter=id ne $it/id;$orderby=id desc;$top=1;$select=id)",
        { id: '3', reports: [{ id: '2' }] },
      ],
      [
        "$filter=id eq '2'&$select=id&$expand=manager($levels=2;$select=id)",
        { id: '2', manager: { id: '1', manager: { id: '3' } } },
      ],
      ["$filter=id eq '2'&$select=id&$expand=manager($select=id)", { id: '2', manager: { id: '1' } }],
    ])('%s shapes an item', (query, expected) => {
      expect(first(query, options)).toEqual(expected)
    })
  })
})
