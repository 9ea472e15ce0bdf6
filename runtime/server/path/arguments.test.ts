import { expect, it } from 'vitest'
import { calledSegment, parseCallArguments } from './arguments.js'

it.each([
  ['users', undefined],
  ["users('x')", { name: 'users', arguments: "'x'" }],
  ['f()', { name: 'f', arguments: '' }],
  ["f('a)b')", { name: 'f', arguments: "'a)b'" }],
  ['(x)', undefined],
  ['f(x', undefined],
])('%s is called as %o', (segment, called) => {
  expect(calledSegment(segment)).toEqual(called)
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
])('%s has the arguments %j', (text, expected) => {
  const given = parseCallArguments(text)
  expect(given === undefined ? undefined : { single: given.single, named: [...given.named] }).toEqual(expected)
})
