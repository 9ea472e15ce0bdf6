import { expect, it } from 'vitest'
import { parseCallArguments, parseSegmentCall, splitPath, splitTarget } from './path.js'

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
])('the target %s has the path %s', (target, path, query) => {
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
])('the path %s has the segments %j', (path, segments) => {
  expect(splitPath(path)).toEqual(segments)
})

it.each([
  ['users', undefined],
  ["users('x')", { name: 'users', arguments: "'x'" }],
  ['f()', { name: 'f', arguments: '' }],
  ["f('a)b')", { name: 'f', arguments: "'a)b'" }],
  ['(x)', undefined],
  ['f(x', undefined],
])('the segment %s is parsed as the call %o', (segment, called) => {
  expect(parseSegmentCall(segment)).toEqual(called)
})

it.each([
  ['', { single: undefined, named: [] }],
  ["'x'", { single: "'x'", named: [] }],
  ["'a=b'", { single: "'a=b'", named: [] }],
  [
    "a='x',b=2",
    {
      single: undefined,
      named: [
        ['a', "'x'"],
        ['b', '2'],
      ],
    },
  ],
  [
    " a = 'x , y' , b=@p ",
    {
      single: undefined,
      named: [
        ['a', "'x , y'"],
        ['b', '@p'],
      ],
    },
  ],
  [
    'a=\'it\'\'s\',b=[1,{"c":"],\\""}]',
    {
      single: undefined,
      named: [
        ['a', "'it''s'"],
        ['b', '[1,{"c":"],\\""}]'],
      ],
    },
  ],
  ['é=1', { single: undefined, named: [['é', '1']] }],
  ['a=1,a=2', undefined],
  ["'x','y'", undefined],
  ['a=', undefined],
  ["a='x", undefined],
  ['a=(1', undefined],
  ['a=1)', undefined],
  ['a=1,', undefined],
])('the text %s has the arguments %j', (text, expected) => {
  const given = parseCallArguments(text)
  expect(given === undefined ? undefined : { single: given.single, named: [...given.named] }).toEqual(expected)
})
