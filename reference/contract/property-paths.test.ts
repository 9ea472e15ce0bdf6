import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BothEngines, openBoth, type RequestOptions, type TestResponse } from '../testing/test-service.js'

const isbn = '9780000000001'
const book = `/books/${isbn}`
const records = [
  {
    type: 'book',
    properties: {
      isbn,
      title: 'A tale',
      keywords: ['one', 'two', 'three'],
      summary: 'Much happens.',
      price: '12.50',
      pages: 7,
      edition: { number: 2, publisher: { name: 'House', seat: null } },
    },
  },
  {
    type: 'branch',
    properties: {
      code: 'MAIN',
      name: 'Main',
      address: { street: 'S', city: 'C', postalCode: '1', country: { code: 'DE', name: null } },
      opening: [
        { day: 'monday', opens: '09:00:00', closes: '12:00:00' },
        { day: 'friday', opens: '10:00:00', closes: '20:00:00' },
      ],
    },
  },
]

let both: BothEngines
beforeAll(async () => {
  both = await openBoth('spec/library.yaml', records)
})
afterAll(() => both.stop())

describe.each(['sqlite', 'postgres'] as const)('property paths on %s:', engine => {
  const send = (path: string, options?: RequestOptions): Promise<TestResponse> =>
    both.services[engine].request(path, options)
  const context = 'http://service.test/v1/$metadata#'

  it.each([
    ['a string', `${book}/title`, { '@odata.context': `${context}books('${isbn}')/title`, value: 'A tale' }],
    ['a property that is read on request only', `${book}/summary`, { value: 'Much happens.' }],
    ['a decimal', `${book}/price`, { value: 12.5 }],
    ['a collection', `${book}/keywords`, { value: ['one', 'two', 'three'] }],
    ['a page of a collection', `${book}/keywords?$top=1&$skip=1&$count=true`, { '@odata.count': 3, value: ['two'] }],
    ['a complex value', `${book}/edition`, { number: 2, publisher: { name: 'House', seat: null } }],
    ['a part of a complex value', `${book}/edition?$select=number`, { number: 2 }],
    ['a member of a complex value', `${book}/edition/publisher/name`, { value: 'House' }],
    [
      'a filtered collection',
      `/branches/MAIN/opening?$filter=day eq 'friday'&$select=opens`,
      { value: [{ opens: '10:00:00' }] },
    ],
    [
      'a property of a singleton',
      '/rules/maximumRenewals',
      { '@odata.context': `${context}rules/maximumRenewals`, value: 2 },
    ],
  ])('%s', async (_, path, expected) => {
    const { status, json, headers } = await send(path)
    expect({ status, json }).toMatchObject({ status: 200, json: expected })
    expect(headers.get('content-type')).toContain('application/json;odata.metadata=minimal')
  })

  it.each([
    ['a string', `${book}/title/$value`, 'A tale'],
    ['a number', `${book}/price/$value`, '12.5'],
    ['the number of items', `${book}/keywords/$count`, '3'],
    ['the number of items that match a filter', `/branches/MAIN/opening/$count?$filter=day eq 'friday'`, '1'],
  ])('the raw value of %s', async (_, path, expected) => {
    const { status, text, headers } = await send(path)
    expect({ status, text }).toEqual({ status: 200, text: expected })
    expect(headers.get('content-type')).toBe('text/plain;charset=utf-8')
  })

  it.each([
    ['null', `${book}/subtitle`, 204],
    ['the raw value of null', `${book}/subtitle/$value`, 204],
    ['a member of null', `${book}/edition/publisher/seat/city`, 204],
    ['an unknown property', `${book}/colour`, 404],
    ['the property of an unknown item', '/books/9780000000009/title', 404],
    ['the raw value of a complex property', `${book}/edition/$value`, 404],
    ['an option that does not apply', `${book}/title?$top=1`, 501],
  ])('%s is answered with its status', async (_, path, status) => {
    expect((await send(path)).status).toBe(status)
  })

  it('says the types with full metadata, and the context not at all without', async () => {
    const full = await send(`${book}/price?$format=application/json;metadata=full`)
    expect(full.json).toMatchObject({ '@odata.type': '#library.money', value: 12.5 })
    const none = await send(`${book}/price`, { headers: { accept: 'application/json;metadata=none' } })
    expect(none.json).toEqual({ value: 12.5 })
  })

  it('changes a property and leaves the others as they are', async () => {
    const tag = (await send(book)).headers.get('etag') ?? ''
    const put = await send(`${book}/title`, { method: 'PUT', body: { value: 'New' }, headers: { 'if-match': tag } })
    expect(put.status).toBe(204)
    expect(put.headers.get('etag')).not.toBe(tag)
    const stale = await send(`${book}/title`, { method: 'PUT', body: { value: 'Old' }, headers: { 'if-match': tag } })
    expect(stale.status).toBe(412)
    const any = { 'if-match': '*' }
    const patch = await send(`${book}/edition`, { method: 'PATCH', body: { number: 3 }, headers: any })
    expect(patch.status).toBe(204)
    const replaced = await send(`${book}/edition/publisher`, { method: 'PUT', body: { name: 'Other' }, headers: any })
    expect(replaced.status).toBe(204)
    expect((await send(`${book}/pages`, { method: 'DELETE', headers: any })).status).toBe(204)
    expect((await send(`${book}/keywords`, { method: 'DELETE', headers: any })).status).toBe(204)
    expect((await send(book)).json).toMatchObject({
      title: 'New',
      pages: null,
      keywords: [],
      price: 12.5,
      edition: { number: 3, publisher: { name: 'Other', seat: null } },
    })
  })

  it.each([
    ['a required property that is deleted', 'DELETE', `${book}/title`, undefined, 400],
    ['a read-only property', 'PUT', `${book}/timesBorrowed`, { value: 1 }, 400],
    ['a key', 'PUT', `${book}/isbn`, { value: '9780000000002' }, 400],
    ['a value of another type', 'PUT', `${book}/pages`, { value: 'many' }, 400],
    ['a body without value', 'PUT', `${book}/pages`, {}, 400],
    ['a complex value that lacks a required member', 'PUT', `${book}/edition`, { number: 1 }, 400],
    ['a method that does not apply', 'PATCH', `${book}/title`, { value: 'x' }, 405],
  ])('refuses %s', async (_, method, path, body, status) => {
    expect((await send(path, { method, body, headers: { 'if-match': '*' } })).status).toBe(status)
  })

  it('sets a raw value', async () => {
    const headers = { 'if-match': '*', 'content-type': 'text/plain' }
    const put = (body: string): Promise<TestResponse> => send(`${book}/pages/$value`, { method: 'PUT', body, headers })
    expect((await put('42')).status).toBe(204)
    expect((await put('many')).status).toBe(400)
    expect((await send(`${book}/pages`)).json).toMatchObject({ value: 42 })
  })
})
