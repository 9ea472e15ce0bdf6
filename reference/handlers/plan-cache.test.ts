import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseQueryOptions } from '../../runtime/query/index.js'
import { sampleService } from '../testing/sample-service.js'
import { idsOf, linkOf, openService, type TestedService } from '../testing/test-service.js'
import { queryShape } from './plan-cache.js'

const shapeOf = (query: string) => queryShape(parseQueryOptions(query).options)
const guid = (last: string): string => `0fffffff-0000-4000-8000-00000000000${last}`

describe('the shape of a query', () => {
  it.each([
    ['$filter=moment ge 2024-01-01T00:00:00Z', '$filter=moment ge 2025-06-01T12:00:00Z'],
    ['$filter=day eq 2024-01-01&$top=5', '$filter=day eq 2024-01-02&$skip=3'],
    [`$filter=code in (${guid('1')},${guid('2')})`, `$filter=code in (${guid('3')},${guid('4')})`],
    ['$expand=next($filter=clock lt 12:00)', '$expand=next($filter=clock lt 13:00)'],
  ])('is the same for %s and %s', (one, other) => {
    expect(shapeOf(one).key).toBe(shapeOf(other).key)
    expect(shapeOf(one).literals).not.toEqual(shapeOf(other).literals)
  })

  it.each([
    ['$filter=moment ge 2024-01-01T00:00:00Z', '$filter=moment gt 2024-01-01T00:00:00Z'],
    ['$filter=moment ge 2024-01-01T00:00:00Z', '$filter=day ge 2024-01-01'],
    ["$filter=name eq 'a'", "$filter=name eq 'b'"],
    ['$filter=count eq 1', '$filter=count eq 2'],
    ['$filter=moment eq null', '$filter=moment eq 2024-01-01T00:00:00Z'],
    [`$filter=code in (${guid('1')})`, `$filter=code in (${guid('1')},${guid('2')})`],
  ])('differs between %s and %s', (one, other) => {
    expect(shapeOf(one).key).not.toBe(shapeOf(other).key)
  })
})

describe('queries with the same shape', () => {
  let service: TestedService
  beforeAll(async () => {
    const days = ['2024-01-01', '2024-01-02', '2024-01-03']
    const records = days.map((day, index) => ({
      type: 'sample',
      properties: {
        id: String(index),
        name: 'x',
        day,
        moment: `${day}T12:00:00Z`,
        clock: `1${index}:00`,
        code: guid(String(index)),
        tags: [],
        numbers: [],
        parts: [],
      },
    }))
    service = await openService(sampleService(), 'sqlite::memory:', records)
  })
  afterAll(() => service.reference.close())

  it.each([
    ['moment ge 2024-01-02T00:00:00Z', ['1', '2']],
    ['moment ge 2024-01-03T13:00:00+01:00', ['2']],
    ['moment ge 2024-01-03T12:00:01Z', []],
    ['day eq 2024-01-01', ['0']],
    ['day eq 2024-01-03', ['2']],
    ['clock lt 11:00', ['0']],
    ['clock lt 12:00', ['0', '1']],
    [`code in (${guid('0')},${guid('2')})`, ['0', '2']],
    [`code in (${guid('1')},${guid('7').toUpperCase()})`, ['1']],
    ['day eq @d&@d=2024-01-02', ['1']],
    ['day eq @d&@d=2024-01-03', ['2']],
    ['moment gt 2024-01-01T12:00:00Z and moment lt 2024-01-03T12:00:00Z', ['1']],
    ['moment gt 2023-01-01T12:00:00Z and moment lt 2024-01-02T12:00:00Z', ['0']],
  ])('are answered with their own values: %s', async (filter, ids) => {
    expect(idsOf(await service.request(`/samples?$filter=${filter.replaceAll('+', '%2B')}`))).toEqual(ids)
  })

  it('do not share next links', async () => {
    const first = await service.request('/samples?$filter=day ge 2024-01-01&$top=1')
    const [, token] = linkOf(first, 'nextLink')?.split('$skiptoken=') ?? []
    expect(token).toBeDefined()
    const other = await service.request(`/samples?$filter=day ge 2024-01-02&$top=1&$skiptoken=${token}`)
    expect(other.status).toBe(400)
  })
})
