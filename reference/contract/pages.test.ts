import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { orderRows, printOrderby } from '../../runtime/query/index.js'
import { buildServiceTable } from '../../spec/language/table/service-table.js'
import { enginesWithRuns, type StoreMaker, storeMaker } from '../testing/engines.js'
import { orderbyArbitrary, pathTo } from '../testing/query-arbitraries.js'
import { expandedRows, type SampleRow, sampleRecords, sampleRows } from '../testing/sample-rows.js'
import { sampleService } from '../testing/sample-service.js'
import { idsOf, linkOf, openService, type TestedService } from '../testing/test-service.js'

const rows = sampleRows(40)
const expanded = expandedRows(rows)
const { types } = buildServiceTable(sampleService())

/**
 * Follows next links to the end.
 *
 * @param between runs after each page
 */
async function walk(
  service: TestedService,
  query: string,
  between: () => Promise<void> = async () => undefined,
): Promise<readonly unknown[]> {
  const ids: unknown[] = []
  let link: string | undefined = `/samples?${query}`
  while (link !== undefined) {
    const page = await service.request(link)
    expect(page.status, page.text).toBe(200)
    ids.push(...idsOf(page))
    link = linkOf(page, 'nextLink')
    await between()
  }
  return ids
}

/** Items to create, with these values, and items to delete, by their index. */
const happening = fc.record({
  created: fc.array(fc.constantFrom(...rows), { maxLength: 3 }),
  deleted: fc.array(fc.nat(), { maxLength: 3 }),
})

describe.each(enginesWithRuns(150, 60))('pages on $engine', ({ engine, runs }) => {
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

  it('are ordered by all sort keys, then by the entity key in the direction of the last sort key', async () => {
    await fc.assert(
      fc.asyncProperty(
        orderbyArbitrary(),
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 0, max: 5 }),
        async (wanted, top, skip) => {
          const direction = wanted.at(-1)?.direction ?? 'asc'
          const ordered = orderRows(expanded, [...wanted, { expression: pathTo('id'), direction }], {
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

  it('neither repeat nor skip an item while other items are created and deleted', async () => {
    const present = new Set<unknown>(rows.map(row => row['id']))
    let count = 0
    const create = async (row: SampleRow): Promise<void> => {
      const id = `n${++count}`
      const { status, text } = await service.request('/samples', { method: 'POST', body: { ...row, id } })
      expect(status, text).toBe(201)
      present.add(id)
    }
    const remove = async (place: number): Promise<void> => {
      const id = [...present][place % present.size]
      expect((await service.request(`/samples/${String(id)}`, { method: 'DELETE' })).status).toBe(204)
      present.delete(id)
    }
    await fc.assert(
      fc.asyncProperty(
        orderbyArbitrary(),
        fc.integer({ min: 1, max: 15 }),
        fc.array(happening, { minLength: 1, maxLength: 6 }),
        async (wanted, top, happenings) => {
          const before = [...present]
          const order = wanted.length === 0 ? '' : `&$orderby=${encodeURIComponent(printOrderby(wanted))}`
          const coming = happenings.values()
          const seen = await walk(service, `$select=id&$top=${top}${order}`, async () => {
            const { created = [], deleted = [] } = coming.next().value ?? {}
            for (const row of created) await create(row)
            for (const place of deleted) if (present.size > 20) await remove(place)
          })
          expect(seen.length, order).toBe(new Set(seen).size)
          const stayed = before.filter(id => present.has(id))
          expect(
            stayed.filter(id => !seen.includes(id)),
            order,
          ).toEqual([])
        },
      ),
      { numRuns: Math.round(runs / 3) },
    )
  })
})
