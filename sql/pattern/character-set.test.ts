import { describe, expect, it } from 'vitest'
import { atomSet } from './character-set.js'

/** Characters around the borders of all classes, and some of each plane. */
const samples = [
  ...Array.from({ length: 0x3_00 }, (_, index) => index),
  ...[0x3a_9, 0x16_80, 0x18_0e, 0x20_00, 0x20_0a, 0x20_0b, 0x20_28, 0x20_29, 0x20_2f, 0x20_5f, 0x21_2a, 0x30_00],
  ...[0xd7_ff, 0xe0_00, 0xfe_fe, 0xfe_ff, 0xff_ff, 0x1_00_00, 0x1_f6_00, 0x1_f6_01, 0x2_00_00, 0x10_ff_ff],
]

describe('the characters of an atom', () => {
  it.each([
    ...['a', '😀', '.', '\\d', '\\D', '\\w', '\\W', '\\s', '\\S', '\\p{L}', '\\P{L}', '\\p{Script=Latin}', '\\p{Any}'],
    ...[
      '\\n',
      '\\t',
      '\\v',
      '\\f',
      '\\r',
      '\\0',
      '\\cA',
      '\\cz',
      '\\x41',
      '\\u0041',
      '\\u{41}',
      '\\uD83D\\uDE00',
      '\\.',
    ],
    ...[
      '[]',
      '[^]',
      '[a]',
      '[^a]',
      '[a-z]',
      '[a-]',
      '[-a]',
      '[--a]',
      '[\\-a]',
      '[.]',
      '[\\]\\\\]',
      '[\\b]',
      '[\\cA-\\cC]',
    ],
    ...['[\\d\\s]', '[^\\d\\s]', '[\\D]', '[^\\D]', '[\\w-]', '[\\p{Lu}x]', '[^\\P{Lu}]', '[\\u{1F600}-\\u{1F601}]'],
    ...['[\\uD83D\\uDE00-\\uD83D\\uDE01]', '[a-cb-e]', '[^^]', '[|(]'],
  ])('%s are those that ECMAScript matches', source => {
    const set = atomSet(source)
    const expression = new RegExp(`^${source}$`, 'u')
    const wanted = samples.filter(code => expression.test(String.fromCodePoint(code)))
    expect(samples.filter(code => set.some(([first, last]) => first <= code && code <= last))).toEqual(wanted)
  })
})
