import { expect, it } from 'vitest'
import { parseEntityTags } from './entity-tag.js'

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
