import { expect, it } from 'vitest'
import { parseEntityTags, readPrecondition } from './preconditions.js'

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
])('If-Match %s and If-None-Match %s on the tag %s hold: %s', (ifMatch, ifNoneMatch, tag, holds) => {
  expect(readPrecondition(ifMatch, ifNoneMatch)?.holds(tag)).toBe(holds)
})

it('is undefined when a header is malformed', () => {
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
])('of %s reads %o', (value, expected) => {
  expect(parseEntityTags(value)).toEqual(expected)
})
