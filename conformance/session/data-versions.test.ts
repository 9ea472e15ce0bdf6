import { describe, expect, it } from 'vitest'
import { loadSpecText } from '../../spec/language/index.js'
import { createDataVersions, createWriteClassifier, versionedCache } from './data-versions.js'

const { service } = loadSpecText(
  `
specwright: 1
service: { name: shop, title: Shop, namespace: shop, version: v1 }
authentication: { scheme: bearer }
resources:
  item: { kind: entityType, abstract: true, key: [id], properties: { id: { type: String, computed: true } } }
  book: { kind: entityType, base: item, properties: { title: { type: String } } }
  order:
    kind: entityType
    key: [id]
    properties: { id: { type: String, computed: true } }
    navigation: { books: { to: book, collection: true } }
container: { items: { entitySet: item }, orders: { entitySet: order } }
paths:
  /items: { get: { returns: collection } }
  /orders: { get: { returns: collection }, post: { creates: order } }
  /orders/{id}: { get: { returns: item }, delete: { deletes: item } }
  /orders/{id}/pay: { post: { calls: pay } }
  /orders/{id}/booksOf: { post: { calls: booksOf } }
operations:
  pay: { kind: action, binding: order }
  booksOf: { kind: action, binding: order, returns: { type: String, collection: true }, meaning: { of: books, value: id } }
errors:
  notFound: { status: 404, code: notFound, message: None. }
`,
  'shop.yaml',
)
const types = new Map(service?.entityTypes.map(type => [type.name, type]))
const [item, book, order] = ['item', 'book', 'order'].map(name => types.get(name))

describe('a data version', () => {
  it.each([
    ['of the written type ends', [order], order, false],
    ['of another type lasts', [item], order, true],
    ['of both ends', [item, order], order, false],
    ['of all types ends', [], order, false],
    ['of an unknown type ends', [undefined], order, false],
    ['of the base type of the written item ends', [item], book, false],
    ['of a derived type ends', [book], item, false],
    ['of any type ends if anything may have been written', [item], undefined, false],
  ])('%s', (_, of, written, lasts) => {
    const readings = createDataVersions()
    const before = readings.current(...of)
    expect(readings.current(...of)).toBe(before)
    readings.invalidate(written)
    expect(readings.current(...of) === before).toBe(lasts)
  })
})

describe('a request may have changed', () => {
  const writtenBy = service === undefined ? undefined : createWriteClassifier(service, 'http://host/shop/v1')
  it.each([
    ['POST', '/shop/v1/orders', 201, 'order'],
    ['POST', '/shop/v1/orders', 400, 'nothing'],
    ['POST', '/shop/v1/orders', 503, 'order'],
    ['DELETE', '/shop/v1/orders/a%2Fb', 204, 'order'],
    ['PATCH', '/shop/v1/orders/a', 200, 'anything'],
    ['POST', '/shop/v1/orders/a/pay', 200, 'anything'],
    ['POST', '/shop/v1/orders/a/booksOf', 200, 'nothing'],
    ['DELETE', '/elsewhere/orders/a', 204, 'anything'],
    ['GET', '/shop/v1/orders', 200, 'nothing'],
  ])('%s %s, answered %i: %s', (method, path, status, expected) => {
    const what = writtenBy?.({
      testRequest: { method: 'GET', path },
      request: { method, url: `http://host${path}`, headers: {} },
      status,
      headers: {},
      text: '',
      json: undefined,
      number: 1,
      milliseconds: 1,
    })
    expect(what?.kind === 'items' ? what.type.name : what?.kind).toBe(expected)
  })
})

const counter = (): (() => Promise<number>) => {
  let count = 0
  return async () => ++count
}

describe('a versioned cache', () => {
  it('reads a value once per data version', async () => {
    const { getOrRead } = versionedCache<number>(() => true)
    const read = counter()
    const [first, second] = [{}, {}]
    expect(await getOrRead(first, 'a', read)).toBe(1)
    expect(await getOrRead(first, 'a', read)).toBe(1)
    expect(await getOrRead(first, 'b', read)).toBe(2)
    expect(await getOrRead(second, 'a', read)).toBe(3)
  })

  it('does not keep failures', async () => {
    const { getOrRead, set } = versionedCache<number>(value => value > 1)
    const [reading, read] = [{}, counter()]
    expect(await getOrRead(reading, 'a', read)).toBe(1)
    expect(await getOrRead(reading, 'a', read)).toBe(2)
    set(reading, 'b', 0)
    expect(await getOrRead(reading, 'b', read)).toBe(3)
  })

  it('does not keep errors', async () => {
    const { getOrRead } = versionedCache<number>(() => true)
    const reading = {}
    await expect(getOrRead(reading, 'a', () => Promise.reject(new Error('no request is left')))).rejects.toThrow()
    expect(await getOrRead(reading, 'a', async () => 1)).toBe(1)
  })

  it('keeps a value that was read elsewhere', async () => {
    const { getOrRead, set } = versionedCache<number>(() => true)
    const reading = {}
    set(reading, 'a', 5)
    expect(await getOrRead(reading, 'a', counter())).toBe(5)
  })
})
