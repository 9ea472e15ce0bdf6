import { describe, expect, it } from 'vitest'
import { shop, shopHandlers, shopRequest } from '../testing/shop.js'
import { parseEntityTags, readPrecondition } from './preconditions.js'

const service = shop(shopHandlers)

it.each([
  [null, null, '"1"', true],
  [null, null, null, true],
  ['"1"', null, '"1"', true],
  ['"1"', null, 'W/"1"', true],
  ['W/"1"', null, '"1"', true],
  ['"1"', null, '"2"', false],
  ['"1", "2"', null, '"2"', true],
  ['"1"', null, undefined, false],
  ['"1"', null, null, false],
  ['*', null, undefined, true],
  ['*', null, null, false],
  [null, '*', null, true],
  [null, '*', undefined, false],
  [null, '"1"', '"1"', false],
  [null, '"1"', '"2"', true],
  ['*', '"1"', '"2"', true],
  ['*', '"1"', '"1"', false],
])('If-Match %s and If-None-Match %s, for the current tag %s, hold: %s', (ifMatch, ifNoneMatch, tag, holds) => {
  expect(readPrecondition(ifMatch, ifNoneMatch)?.holds(tag)).toBe(holds)
})

it('a precondition is undefined if a header is malformed', () => {
  expect(readPrecondition('1', null)).toBeUndefined()
  expect(readPrecondition('*', 'x')).toBeUndefined()
})

const strong = (opaque: string): object => ({ weak: false, opaque })
const weak = (opaque: string): object => ({ weak: true, opaque })

it.each([
  ['*', '*'],
  [' * ', '*'],
  ['"1"', [strong('"1"')]],
  ['W/"1"', [weak('"1"')]],
  ['""', [strong('""')]],
  ['"1", W/"2",\t"3"', [strong('"1"'), weak('"2"'), strong('"3"')]],
  ['"a,b"', [strong('"a,b"')]],
  ['"1",,"2"', [strong('"1"'), strong('"2"')]],
  ['"1",', [strong('"1"')]],
  ['', undefined],
  ['1', undefined],
  ['"1', undefined],
  ['w/"1"', undefined],
  ['"1" "2"', undefined],
  ['"1", *', undefined],
  ['*, "1"', undefined],
  ['"a b"', undefined],
  ['W/', undefined],
])('the header value %s is parsed as %o', (value, expected) => {
  expect(parseEntityTags(value)).toEqual(expected)
})

describe('conditional requests', () => {
  const cases: readonly (readonly [string, string, Record<string, string>, number])[] = [
    ['GET', '/books/1', { 'if-none-match': 'W/"1"' }, 304],
    ['GET', '/books/1', { 'if-none-match': '"0", "1"' }, 304],
    ['GET', '/books/1', { 'if-none-match': '*' }, 304],
    ['GET', '/books/1', { 'if-none-match': 'W/"2"' }, 200],
    ['GET', '/books/1', { 'if-none-match': '1' }, 400],
    ['GET', '/books/1', { 'if-match': 'W/"2"' }, 412],
    ['GET', '/me', { 'if-none-match': 'W/"2"' }, 200],
    ['PATCH', '/books/1', { 'if-match': 'W/"1"' }, 200],
    ['PATCH', '/books/1', { 'if-match': '*' }, 200],
    ['PATCH', '/books/1', { 'if-match': 'W/"2", W/"3"' }, 412],
    ['PATCH', '/books/1', { 'if-match': '"1' }, 400],
    ['PATCH', '/books/1', { 'if-none-match': '*' }, 412],
    ['PATCH', '/books/1', {}, 200],
    ['PUT', '/books/1', {}, 428],
    ['DELETE', '/books/1', { 'if-match': '"1"' }, 412],
    ['DELETE', '/books/1', { 'if-match': '*' }, 204],
    ['DELETE', '/books/1', {}, 204],
  ]
  it.each(cases)('%s %s with %o return %i', async (method, path, headers, status) => {
    const body = method === 'PATCH' ? { pages: 1 } : method === 'PUT' ? { title: 'T' } : undefined
    const response = await service(shopRequest(method, path, headers, body))
    expect(response.status).toBe(status)
    if (status === 304) expect([response.headers.get('etag'), await response.text()]).toEqual(['W/"1"', ''])
  })
})
