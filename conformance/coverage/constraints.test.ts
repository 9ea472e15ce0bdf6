import { describe, expect, it } from 'vitest'
import { type Endpoint, loadSpecText } from '../../spec/language/index.js'
import { siteOf } from '../discover/site.js'
import type { TestRequest, TestResponse } from '../http/message.js'
import { type ConstraintKeyword, createConstraintRecord } from './constraints.js'

const { service, diagnostics } = loadSpecText(
  `
specwright: 1
service: { name: shop, title: Shop, namespace: shop, version: v1 }
authentication: { scheme: none }
resources:
  colour: { kind: enumType, members: { red: 0, green: 1 } }
  size: { kind: complexType, properties: { width: { type: Int32, nullable: true, minimum: 1 } } }
  shirt:
    kind: entityType
    key: [id]
    properties:
      id: { type: String, computed: true, assumed: It may have another form. }
      name: { type: String, maxLength: 5, nullable: true }
      colour: { type: colour, nullable: true }
      size: { type: size, nullable: true }
      tags: { type: String, collection: true, maxItems: 2 }
      note: { type: String, maxLength: 3, assumed: The limit is ours. }
container: { shirts: { entitySet: shirt } }
queryOptions: { all: { top: { default: 2, max: 4, above: clamp } } }
paths:
  /shirts: { get: { returns: collection, query: all }, post: { creates: shirt } }
  /shirts/{id}: { get: { returns: item, errors: [gone] } }
errors:
  gone: { status: 410, code: gone, message: It is gone. }
`,
  'shop.yaml',
)
if (service === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
const { endpoints } = service

const endpointNamed = (name: string): Endpoint => {
  const found = endpoints.find(each => each.name === name)
  if (found === undefined) throw new Error(`no ${name} among ${endpoints.map(each => each.name)}`)
  return found
}

/** The coverage after one exchange with an endpoint, as `checked/broken`. */
const tally = (
  name: string,
  json: unknown,
  { status = 200, ...request }: Partial<TestRequest> & { readonly status?: number } = {},
): Partial<Record<ConstraintKeyword, string>> => {
  const endpoint = endpointNamed(name)
  const record = createConstraintRecord(service, () => endpoint)
  const { method } = endpoint
  const response: TestResponse = {
    testRequest: { method, path: '/shirts', ...request },
    request: { method, url: 'http://shop.test/shirts', headers: {} },
    status,
    headers: {},
    text: '',
    json,
    number: 1,
    milliseconds: 1,
  }
  record.recordExchange(response, siteOf(endpoint))
  return Object.fromEntries(
    record.coverage().map(({ keyword, checked, broken, stated }) => [keyword, `${checked} of ${stated}, ${broken}`]),
  )
}

describe('the constraints of a spec', () => {
  it('are those that it does not assume', () => {
    expect(tally('shirts.list', { value: [] })).toEqual({
      members: '0 of 2, 0',
      maxLength: '0 of 1, 0',
      minimum: '0 of 1, 0',
      maxItems: '0 of 1, 0',
      top: '0 of 1, 0',
      error: '0 of 2, 0',
    })
  })

  it('are checked by the values of a response', () => {
    const row = { id: '1', name: 'x', colour: 'red', size: { width: 3 }, tags: ['a'], note: 'n' }
    expect(tally('shirts.list', { value: [row] })).toMatchObject({
      members: '1 of 2, 0',
      maxLength: '1 of 1, 0',
      minimum: '1 of 1, 0',
      maxItems: '1 of 1, 0',
    })
  })

  it('are not checked by null', () => {
    const row = { id: '1', name: null, colour: null, size: null, tags: [] }
    expect(tally('shirts.list', { value: [row] })).toMatchObject({ members: '0 of 2, 0', maxLength: '0 of 1, 0' })
  })

  it.each<[string, Record<string, string | string[] | { width: number }>, ConstraintKeyword, string]>([
    ['a long text', { name: 'xxxxxx' }, 'maxLength', '1 of 1, 1'],
    ['a number in a complex value', { size: { width: 0 } }, 'minimum', '1 of 1, 1'],
    ['a long list', { tags: ['a', 'b', 'c'] }, 'maxItems', '1 of 1, 1'],
    ['an unknown member', { colour: 'blue' }, 'members', '2 of 2, 2'],
  ])('are broken by %s in the body of a create', (_, body, keyword, expected) => {
    expect(tally('shirts.create', undefined, { body, status: 400 })).toMatchObject({ [keyword]: expected })
  })

  it('are not broken by the values of a response', () => {
    expect(tally('shirts.list', { value: [{ id: '1', name: 'xxxxxx' }] })).toMatchObject({ maxLength: '1 of 1, 0' })
  })

  it.each([
    [3, '0 of 1, 0'],
    [4, '1 of 1, 0'],
    [5, '1 of 1, 1'],
  ])('include the greatest $top, for a query with $top=%i', (top, expected) => {
    expect(tally('shirts.list', { value: [] }, { options: { top } })).toMatchObject({ top: expected })
  })

  it('include the errors of an endpoint', () => {
    expect(tally('shirts.get', { error: { code: 'gone', message: 'x' } }, { status: 410 })).toMatchObject({
      error: '1 of 2, 1',
    })
    expect(tally('shirts.get', { error: { code: 'other', message: 'x' } }, { status: 409 })).toMatchObject({
      error: '0 of 2, 0',
    })
  })
})
