import { expect, it } from 'vitest'
import { splitPath, splitTarget } from './split-path.js'

it.each([
  ['/a/b', '/a/b', ''],
  ['/a?x=1?2', '/a', 'x=1?2'],
  ['/a?', '/a', ''],
  ['/a/../b', '/b', ''],
  ['/a/./b/%2e%2E/c', '/a/c', ''],
  ['/../..', '/', ''],
  ['/a\\b', '/a/b', ''],
  ['/a..b/.c', '/a..b/.c', ''],
  ['//a', '//a', ''],
  ['//a/./b', '//a/b', ''],
])('%s has the path %s', (target, path, query) => {
  expect(splitTarget(target)).toEqual({ path, query })
})

it.each([
  ['/a/b', ['a', 'b']],
  ['/a/b/', ['a', 'b']],
  ['', ['']],
  ['/', ['']],
  ['/a//b', ['a', '', 'b']],
  ['/a%2Fb/c', ['a/b', 'c']],
  ['/%25', ['%']],
  ['/%C3%A9', ['é']],
  ['/a+b', ['a+b']],
  ['/%', undefined],
  ['/%zz', undefined],
  ['/%C3', undefined],
])('%s has the segments %j', (path, segments) => {
  expect(splitPath(path)).toEqual(segments)
})
