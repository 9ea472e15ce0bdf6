import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { buildServiceTable } from '../../spec/language/index.js'
import { loadValid } from '../../spec/language/testing/valid-spec.js'
import { type FilterField, filterFields } from './filter-fields.js'

async function fieldsOf(spec: string, name: string): Promise<readonly FilterField[]> {
  const service = await loadValid(spec)
  const endpoint = service.endpoints.find(each => each.name === name)
  const { routes, types } = buildServiceTable(service)
  const query = routes.find(route => route.name === name)?.query
  if (endpoint === undefined || !('type' in endpoint) || query === undefined) throw new Error(`no list ${name}`)
  return filterFields(query, endpoint.type, types).fields
}

const nameOf = ({ path, collection }: FilterField): string => [collection?.path ?? [], path || []].flat().join('/')

const spec = (filter: string): string => `specwright: 1
service: { name: shop, version: v1 }
resources:
  order:
    kind: entityType
    key: [id]
    properties:
      id: { type: String, computed: true }
      note: { type: String, nullable: true }
      total: { type: Decimal, scale: 2 }
      placed: { type: DateTimeOffset }
      tags: { type: String, collection: true }
      to: { type: address }
      photo: { type: Stream, nullable: true }
    navigation: { lines: { to: line, collection: true } }
  line: { kind: entityType, key: [id], properties: { id: { type: String, computed: true }, amount: { type: Int32 } } }
  address: { kind: complexType, properties: { town: { type: String } } }
container: { orders: { entitySet: order } }
queryOptions: { orders: { filter: ${filter} } }
paths: { /orders: { get: { returns: collection, query: orders } } }
errors: {}
`

describe('filterFields', () => {
  it('offers the properties, also of complex values and of items of lists that a lambda reaches', async () => {
    const text = spec('{ operators: [eq, gt], lambdas: [any], properties: { note: false, lines: true } }')
    expect((await fieldsOf(text, 'orders.list')).map(nameOf)).toEqual([
      ...['id', 'total', 'placed', 'tags', 'to/town'],
      ...['lines/id', 'lines/amount'],
    ])
  })

  it('offers no items of lists without a lambda, and no relation that the spec does not name', async () => {
    expect((await fieldsOf(spec('{ operators: [eq] }'), 'orders.list')).map(nameOf)).toEqual([
      ...['id', 'note', 'total', 'placed', 'to/town'],
    ])
  })

  it('offers the operators and functions that are declared, for the types that they take', async () => {
    const text = spec('{ operators: [eq, in, gt], functions: [startswith, tolower, year, round] }')
    const fields = await fieldsOf(text, 'orders.list')
    expect(fields.find(({ path }) => path === 'note')).toEqual({
      path: 'note',
      type: 'String',
      nullable: true,
      operands: [
        { form: 'text', operators: ['eq', 'gt', 'in'] },
        { function: 'tolower', form: 'text', operators: ['eq', 'gt', 'in'] },
      ],
      predicates: ['startswith'],
    })
    const functions = fields.map(({ path, operands }) => [path, operands.flatMap(each => each.function ?? [])])
    expect(functions).toContainEqual(['placed', ['year']])
    expect(functions).toContainEqual(['total', ['round']])
  })

  it('keeps to what the spec declares for one property', async () => {
    const text = spec(
      '{ operators: [eq, gt], functions: [startswith], properties: { note: { operators: [eq], functions: [] } } }',
    )
    const note = (await fieldsOf(text, 'orders.list')).find(({ path }) => path === 'note')
    expect(note).toMatchObject({ operands: [{ operators: ['eq'] }], predicates: [] })
  })

  it('has the members of an enumeration', async () => {
    const fields = await fieldsOf(await readFile('spec/directory.yaml', 'utf8'), 'me.messages.list')
    expect(fields.find(({ path }) => path === 'importance')?.members).toEqual(['low', 'normal', 'high'])
  })
})
