import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evaluateFilter, parseFilter } from '../../runtime/query/index.js'
import { buildServiceTable } from '../../spec/language/table/service-table.js'
import { sampleService } from '../testing/sample-service.js'
import { type BothEngines, idsOf, openBoth, type TestResponse } from '../testing/test-service.js'

const { types } = buildServiceTable(sampleService())

interface Row {
  readonly id: string
  readonly tags: readonly string[]
  readonly numbers: readonly number[]
  readonly words?: readonly string[]
  readonly next?: string
}

/** Empty collections, repeated items, awkward texts, extreme numbers, and missing relations. */
const given: readonly Row[] = [
  { id: 'empty', tags: [], numbers: [] },
  { id: 'one', tags: ['a'], numbers: [1], words: [] },
  { id: 'twice', tags: ['a', 'a'], numbers: [1, 1], words: ['a'], next: 'empty' },
  { id: 'between', tags: ['a', 'b', 'a'], numbers: [1, 2, 1], words: ['a', 'b', 'a'], next: 'twice' },
  { id: 'order', tags: ['b', 'a', 'b', 'b'], numbers: [2, 1, 2, 2], words: ['b', 'b'], next: 'between' },
  { id: 'texts', tags: ['', "O'Neil", '"q"', 'a\\b', '%', '😀', 'A', 'ä'], numbers: [], words: ['😀', ''] },
  { id: 'limits', tags: ['null'], numbers: [2147483647, -2147483648, 0], next: 'texts' },
]
const rows: readonly Readonly<Record<string, unknown>>[] = given.map(({ words, next: _, ...row }) => ({
  ...row,
  name: row.id,
  part: words === undefined ? null : { words },
}))
const expanded = rows.map((row, index) => ({ ...row, next: rows.find(({ id }) => id === given[index]?.next) ?? null }))

describe('collection functions', () => {
  let both: BothEngines
  beforeAll(async () => {
    both = await openBoth(
      sampleService(),
      rows.map((properties, index) => {
        const next = given[index]?.next
        return { type: 'sample', properties, links: next === undefined ? {} : { next: [[next] as const] } }
      }),
    )
  })
  afterAll(() => both.stop())

  const request = (filter: string): Promise<readonly TestResponse[]> =>
    Promise.all(
      [both.services.sqlite, both.services.postgres].map(service =>
        service.request(`/samples?$select=id&$orderby=id&$top=100&$filter=${encodeURIComponent(filter)}`),
      ),
    )

  /** The ids that both engines return, checked against the evaluator. */
  const found = async (filter: string): Promise<string> => {
    const wanted = expanded.filter(row => evaluateFilter(parseFilter(filter), row, { types, type: 'sample' }))
    for (const response of await request(filter)) {
      expect(response.status, `${filter} ${response.text}`).toBe(200)
      expect(idsOf(response), filter).toEqual(wanted.map(row => String(Object(row)['id'])).toSorted())
    }
    return wanted.map(row => String(Object(row)['id'])).join(' ')
  }

  it.each<[filter: string, holds: string]>([
    ['hassubset(tags,["a"])', 'one twice between order'],
    ['hassubset(tags,["a","a"])', 'twice between'],
    ['hassubset(tags,["b","a"])', 'between order'],
    ['hassubset(tags,["a","b","b"])', 'order'],
    ['hassubset(tags,[])', 'empty one twice between order texts limits'],
    ['hassubset(tags,["null"])', 'limits'],
    ['hassubset(tags,[null])', ''],
    ['hassubset(tags,["ä","😀",""])', 'texts'],
    ['hassubset(tags,["\\"q\\"","a\\\\b","O\'Neil"])', 'texts'],
    ['hassubset(["a","b"],tags)', 'empty one'],
    ['hassubset(["a","a","b",null],tags)', 'empty one twice between'],
    ['hassubset(numbers,[1,1])', 'twice between'],
    ['hassubset(numbers,[1.0])', 'one twice between order'],
    ['hassubset(numbers,[0,-2147483648,2147483647])', 'limits'],
    ['hassubset(numbers,[1.00000000000000000000000000001])', ''],
    ['hassubset([1.00000000000000000000000000001,1,1.0,2.000],numbers)', 'empty one twice between texts'],
    ['hassubset([1,2],[1])', 'empty one twice between order texts limits'],
    ['hassubset([1,1],[1,1,1])', ''],
    ['hassubset(next/tags,["a"])', 'between order'],
    ['not hassubset(next/tags,["a"])', 'twice limits'],
    ['hassubset(next/tags,["a"]) eq null', 'empty one texts'],
    ['hassubset(tags,part/words)', 'one twice between order texts'],
    ['hassubset(tags,part/words) eq null', 'empty limits'],
    ['hassubset(tags,null)', ''],
    ['hassubset(null,tags) eq null', 'empty one twice between order texts limits'],
    ['hassubsequence(tags,["a","b"])', 'between order'],
    ['hassubsequence(tags,["a","a"])', 'twice between'],
    ['hassubsequence(tags,["b","a"])', 'between order'],
    ['hassubsequence(tags,["a","b","a"])', 'between'],
    ['hassubsequence(tags,["b","b","b"])', 'order'],
    ['hassubsequence(tags,[])', 'empty one twice between order texts limits'],
    ['hassubsequence(tags,["","%","ä"])', 'texts'],
    ['hassubsequence(tags,["ä","%"])', ''],
    ['hassubsequence(numbers,[2147483647,0])', 'limits'],
    ['hassubsequence(tags,part/words)', 'one twice between order'],
    ['hassubsequence(["a","b","a","b"],tags)', 'empty one twice between'],
    ['hassubsequence(next/tags,["a","a"])', 'between order'],
    ['not hassubsequence(next/tags,["a","a"])', 'twice limits'],
    ['contains(tags,["b","a"])', 'between order'],
    ['contains(tags,["a","a"])', 'twice'],
    ['contains(tags,[])', 'empty one twice between order texts limits'],
    ['contains(tags,part/words)', 'one twice between order'],
    ['startswith(tags,["a"])', 'one twice between'],
    ['startswith(next/tags,["a"]) eq null', 'empty one texts'],
    ['endswith(tags,["a"])', 'one twice between'],
    ['endswith(tags,["b","b"])', 'order'],
    ['endswith(tags,["x","a"])', ''],
    ['indexof(tags,["b"]) eq 1', 'between'],
    ['indexof(tags,["b","b"]) eq 2', 'order'],
    ['indexof(tags,["c"]) eq -1', 'empty one twice between order texts limits'],
    ['indexof(tags,[]) eq 0', 'empty one twice between order texts limits'],
    ['indexof(next/tags,["a"]) eq null', 'empty one texts'],
    ['length(next/tags) eq null', 'empty one texts'],
    ['length(next/tags) eq 0', 'twice'],
    ['hassubset(tags,["a"]) and not hassubset(numbers,[2])', 'one twice'],
  ])('filter with %s: %s', async (filter, holds) => {
    expect(await found(filter)).toBe(holds)
  })

  it('work inside lambdas, with values of the item and of the row', async () => {
    expect(await found('next/tags/any(t:t eq \'a\' and hassubset([name,t],["order"]))')).toBe('order')
  })

  const long = Array.from({ length: 201 }, (_, index) => `"${index}"`).join(',')
  it.each([
    ['complex values', 'hassubset(parts,parts)'],
    ['items of a relation', 'hassubset(friends,friends)'],
    ['items of two types', 'hassubset(tags,[1])'],
    ['more than 200 listed items', `hassubset(tags,[${long}])`],
    ['collections that are made', 'length(concat(tags,tags)) eq 2'],
  ])('are refused by both engines for %s', async (_, filter) => {
    const [sqlite, postgres] = await request(filter)
    expect(sqlite?.status, sqlite?.text).toBe(501)
    expect(postgres?.text).toBe(sqlite?.text)
  })

  it('agree with the evaluator for any two collections', async () => {
    const item = fc.constantFrom('"a"', '"b"', '"c"', 'null')
    const list = fc.array(item, { maxLength: 4 }).map(items => `[${items.join(',')}]`)
    const collection = fc.oneof(fc.constantFrom('tags', 'part/words', 'next/tags'), list)
    const name = fc.constantFrom('hassubset', 'hassubsequence', 'contains', 'startswith', 'endswith')
    const filter = fc
      .tuple(fc.constantFrom('', 'not '), name, collection, collection)
      .map(([not, call, whole, part]) => `${not}${call}(${whole},${part})`)
    await fc.assert(
      fc.asyncProperty(filter, async text => {
        await found(text)
      }),
      { numRuns: 150 },
    )
  })
})
