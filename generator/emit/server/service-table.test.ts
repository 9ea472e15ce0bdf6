import { ts } from 'ts-morph'
import { describe, expect, it } from 'vitest'
import { type CompactServiceTable, readServiceTable } from '../../../runtime/server/index.js'
import { buildServiceTable, loadSpec, type ServiceTableData } from '../../../spec/language/index.js'
import { dataLiteral } from '../../text/literals.js'
import { compactTable } from './service-table.js'

async function tableOf(spec: string): Promise<ServiceTableData> {
  const { service } = await loadSpec(new URL(`../../../spec/${spec}.yaml`, import.meta.url).pathname)
  if (service === undefined) throw new Error(`spec/${spec}.yaml does not load`)
  return buildServiceTable(service)
}

/** The table as a service has it that runs the generated code. */
const tableInCode = (table: ServiceTableData): CompactServiceTable =>
  new Function(`${ts.transpile(`var table = ${dataLiteral(compactTable(table))}`)}; return table`)()

describe.each(['directory', 'library'])('the generated service table of %s', spec => {
  it('evaluates to the table', async () => {
    const table = await tableOf(spec)
    expect(readServiceTable(tableInCode(table))).toEqual(table)
  })

  it('shares query options as the table does', async () => {
    const table = await tableOf(spec)
    const { routes } = readServiceTable(tableInCode(table))
    const distinct = (all: ServiceTableData['routes'] | typeof routes): number =>
      new Set(all.map(({ query }) => query)).size
    expect(distinct(routes)).toBe(distinct(table.routes))
  })
})

it('a generated service table can contain any text and any name, with every character visible', async () => {
  const table = await tableOf('library')
  const message = 'a\u202eb\u2028c`\\\ud800"\u0007'
  const named = JSON.parse('{ "__proto__": { "status": 400, "code": "x", "message": "y" } }')
  const hostile = { ...table, errors: { ...table.errors, ...named, odd: { status: 400, code: 'odd', message } } }
  const read = readServiceTable(tableInCode(hostile))
  expect(read.errors['odd']?.message).toBe(message)
  expect(Object.keys(read.errors)).toContain('__proto__')
  expect(dataLiteral(compactTable(hostile))).toMatch(/^[\n\x20-\x7e]*$/)
})

it('a service table is rejected if a route names query options that it lacks', async () => {
  const table = tableInCode(await tableOf('library'))
  const queries = Object.fromEntries(Object.entries(table.queries).filter(([name]) => name !== 'books.list'))
  expect(() => readServiceTable({ ...table, queries })).toThrow(
    'books.list refers to the query options of books.list, which are missing in the table.',
  )
})
