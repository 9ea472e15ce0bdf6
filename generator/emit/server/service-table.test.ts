import { describe, expect, it } from 'vitest'
import { readServiceTable } from '../../../runtime/server/service-table.js'
import { loadSpec } from '../../../spec/language/index.js'
import { buildServiceTable } from '../../../spec/language/table/service-table.js'
import type { ServiceTableData } from '../../../spec/language/table/table-data.js'
import { serviceTableText } from './service-table.js'

async function tableOf(spec: string): Promise<ServiceTableData> {
  const { service } = await loadSpec(new URL(`../../../spec/${spec}.yaml`, import.meta.url).pathname)
  if (service === undefined) throw new Error(`spec/${spec}.yaml does not load`)
  return buildServiceTable(service)
}

describe.each(['directory', 'library'])('the text of the table of %s', spec => {
  it('is read as the table', async () => {
    const table = await tableOf(spec)
    expect(readServiceTable(serviceTableText(table))).toEqual(table)
  })

  it('is read with query options shared as the table shares them', async () => {
    const table = await tableOf(spec)
    const { routes } = readServiceTable(serviceTableText(table))
    const distinct = (all: ServiceTableData['routes'] | typeof routes): number =>
      new Set(all.map(({ query }) => query)).size
    expect(distinct(routes)).toBe(distinct(table.routes))
  })
})

it('means what the table says, whatever that is, and shows all of it', async () => {
  const table = await tableOf('library')
  const message = 'a\u202eb\u2028c`\\\ud800"\u0007'
  const named = JSON.parse('{ "__proto__": { "status": 400, "code": "x", "message": "y" } }')
  const hostile = { ...table, errors: { ...table.errors, ...named, odd: { status: 400, code: 'odd', message } } }
  const text = serviceTableText(hostile)
  expect(readServiceTable(text).errors['odd']?.message).toBe(message)
  expect(text).toMatch(/^[\n\x20-\x7e]*$/)
})

it('is refused when a route names query options that it lacks', async () => {
  const text = serviceTableText(await tableOf('library')).replace('"query": "books.list"', '"query": "other"')
  expect(() => readServiceTable(text)).toThrow('books.list names the query options of other, which the table lacks.')
})
