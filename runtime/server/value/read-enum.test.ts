import { expect, it } from 'vitest'
import { readEnum } from './read-enum.js'
import { unfit } from './unfit.js'

const single = { kind: 'enumType', members: { low: 0, high: 2 } } as const
const flags = { ...single, flags: true } as const

it.each([
  [single, 'low', 'low'],
  [single, 'HIGH', 'high'],
  [single, '2', 'high'],
  [single, '1', unfit],
  [single, 'low,high', unfit],
  [single, '', unfit],
  [single, 'constructor', unfit],
  [flags, 'Low, high', 'low,high'],
  [flags, 'low,low', 'low'],
  [flags, 'low,', unfit],
])('of %o reads %s as %s', (type, text, expected) => {
  expect(readEnum(text, type)).toBe(expected)
})
