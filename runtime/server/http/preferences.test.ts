import { expect, it } from 'vitest'
import { parsePrefer } from './preferences.js'

it.each([
  [null, []],
  ['', []],
  ['respond-async', [['respond-async', 'respond-async', '']]],
  ['return=minimal', [['return', 'return', 'minimal']]],
  ['Return = "Minimal" ; a=b', [['return', 'Return', 'Minimal']]],
  ['outlook.body-content-type="text"', [['body-content-type', 'outlook.body-content-type', 'text']]],
  [
    'a="x,y;z", b',
    [
      ['a', 'a', 'x,y;z'],
      ['b', 'b', ''],
    ],
  ],
  ['a="x\\"y"', [['a', 'a', 'x"y']]],
  ['a=1, a=2, x.a=3', [['a', 'a', '1']]],
  ['not a token, ok=1', [['ok', 'ok', '1']]],
])('Prefer: %s is parsed as %j', (field, expected) => {
  expect([...parsePrefer(field)].map(([key, { name, value }]) => [key, name, value])).toEqual(expected)
})
