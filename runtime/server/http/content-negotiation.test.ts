import { expect, it } from 'vitest'
import { negotiate } from './content-negotiation.js'

const minimal = { type: 'json', metadata: 'minimal', ieee754Compatible: false }
const none = { ...minimal, metadata: 'none' }
const full = { ...minimal, metadata: 'full' }

it.each([
  [null, minimal],
  ['', minimal],
  ['*/*', minimal],
  ['application/*', minimal],
  ['application/json', minimal],
  ['APPLICATION/JSON; charset=utf-8', minimal],
  ['application/json;odata.metadata=minimal;odata.streaming=true', minimal],
  ['application/json;odata.metadata=none', none],
  ['application/json;metadata=none', none],
  ['application/json;odata.metadata=none;q=0.1, application/json', minimal],
  ['application/json;q=0.5;odata.metadata="none"', none],
  ['text/html', undefined],
  ['text/html, */*;q=0.1', minimal],
  ['application/json;q=0', undefined],
  ['application/json;q=0, application/*', undefined],
  ['application/json;q=2', undefined],
  ['application/json;odata.metadata=full', full],
  ['application/json;IEEE754Compatible=true', { ...minimal, ieee754Compatible: true }],
  ['application/json;metadata=full;ieee754compatible=true', { ...full, ieee754Compatible: true }],
  ['application/json;IEEE754Compatible=false;ExponentialDecimals=true', minimal],
  ['application/json;odata=verbose', undefined],
  ['application/json;odata.metadata=some', undefined],
  ['application/json;IEEE754Compatible=maybe', undefined],
  ['application/json;odata=verbose, application/json;q=0.1', minimal],
  ['application/json;charset=iso-8859-1', undefined],
  [',,', minimal],
  ['"', minimal],
])('Accept: %s selects %o if JSON is available', (accept, expected) => {
  expect(negotiate(accept, 'json')).toEqual(expected)
})

it.each([
  [null, 'text'],
  ['*/*', 'text'],
  ['text/plain', 'text'],
  ['text/*;q=0.2', 'text'],
  ['application/json', 'json'],
  ['application/json, text/plain;q=0.5', 'json'],
  ['text/plain, application/json', 'text'],
  ['image/png', undefined],
])('Accept: %s selects %s if text is available', (accept, expected) => {
  expect(negotiate(accept, 'text')?.type).toBe(expected)
})
