import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Expression, type OrderbyItem, orderRows, printOrderby } from '../../runtime/query/index.js'
import { buildServiceTable } from '../../spec/language/service-table.js'
import { type EngineName, type StoreMaker, storeMaker } from '../testing/engines.js'
import { idsOf, linkOf, openService, type TestedService } from '../testing/open-service.js'
import { expandedRows, sampleRecords, sampleRows } from '../testing/sample-rows.js'
import { sampleService } from '../testing/sample-spec.js'

const rows = sampleRows(40)
const expanded = expandedRows(rows)
const { types } = buildServiceTable(sampleService())

const path = (text: string): Expression => ({
  kind: 'path',
  segments: text.split('/').map(name => ({ kind: 'property', name })),
})
const keys = [
  ...[
    'name',
    'note',
    'flag',
    'count',
    'big',
    'price',
    'score',
    'code',
    'day',
    'moment',
    'clock',
    'span',
    'mood',
    'rights',
  ],
  ...['part/label', 'part/weight', 'part/made', 'part/lasts', 'part/mood'],
]
const orderby: fc.Arbitrary<readonly OrderbyItem[]> = fc.uniqueArray(
  fc.record({
    expression: fc.constantFrom(...keys).map(path),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
  }),
  { maxLength: 3, selector: item => JSON.stringify(item.expression) },
)

async function walk(service: TestedService, query: string): Promise<readonly unknown[]> {
  const ids: unknown[] = []
  let link: string | undefined = `/samples?${query}`
  while (link !== undefined) {
    const page = await service.ask(link)
    expect(page.status, page.text).toBe(200)
    ids.push(...idsOf(page))
    link = linkOf(page, 'nextLink')
  }
  return ids
}

describe.each<{ engine: EngineName; runs: number }>([
  { engine: 'sqlite', runs: 150 },
  { engine: 'postgres', runs: 60 },
])('pages on $engine', ({ engine, runs }) => {
  let maker: StoreMaker
  let service: TestedService

  beforeAll(async () => {
    maker = await storeMaker(engine)
    service = await openService(sampleService(), await maker.make(), sampleRecords(rows))
  })
  afterAll(async () => {
    await service.reference.close()
    await maker.stop()
  })

  it('follow each other in the order of all keys, and then of the items’ own', async () => {
    await fc.assert(
      fc.asyncProperty(
        orderby,
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 0, max: 5 }),
        async (wanted, top, skip) => {
          const ordered = orderRows(expanded, [...wanted, { expression: path('id'), direction: 'asc' }], {
            types,
            type: 'sample',
          })
          const order = wanted.length === 0 ? '' : `&$orderby=${encodeURIComponent(printOrderby(wanted))}`
          const found = await walk(service, `$select=id&$top=${top}&$skip=${skip}${order}`)
          expect(found, order).toEqual(ordered.slice(skip).map(row => row['id']))
        },
      ),
      { numRuns: runs },
    )
  })

  it('neither repeat nor pass over an item when others come and go', async () => {
    const first = await service.ask('/samples?$top=5&$orderby=note desc&$select=id')
    const seen = [...idsOf(first)]
    const added = await service.ask('/samples', {
      method: 'POST',
      body: { id: 'new', name: 'new', note: '\u{10ffff}' },
    })
    expect(added.status, added.text).toBe(201)
    expect((await service.ask(`/samples/${String(seen[2])}`, { method: 'DELETE' })).status).toBe(204)
    for (let link = linkOf(first, 'nextLink'); link !== undefined; ) {
      const page = await service.ask(link)
      seen.push(...idsOf(page))
      link = linkOf(page, 'nextLink')
    }
    expect([...new Set(seen)].toSorted()).toEqual(rows.map(row => row['id']))
    expect(seen.length).toBe(rows.length)
  })
})
