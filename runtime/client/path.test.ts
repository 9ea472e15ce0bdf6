import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseFilter } from '../query/index.js'
import {
  binary,
  date,
  dateTimeOffset,
  duration,
  guid,
  inline,
  keyPredicate,
  number,
  quoted,
  segment,
  timeOfDay,
} from './path.js'

describe('a key as a path segment', () => {
  it.each([
    ['1', '1'],
    ['a/b?c#d e%', 'a%2Fb%3Fc%23d%20e%25'],
    ['AAMk+/=', 'AAMk%2B%2F%3D'],
    ['...', '...'],
    ['é', '%C3%A9'],
    [7, '7'],
  ])('%j is written as %s', (key, text) => {
    expect(segment(key)).toBe(text)
  })

  it.each(['', '.', '..', undefined, null])('%j is rejected, because it would address another resource', key => {
    expect(() => segment(key)).toThrow(TypeError)
  })
})

describe('named values in a path', () => {
  it.each([
    [{ isbn: "9'7", number: 2 }, "(isbn='9''7',number=2)"],
    [{ number: 2, isbn: '9/7' }, "(isbn='9%2F7',number=2)"],
  ])('%j are written as %s, in the declared order', (values, text) => {
    expect(inline(values, { isbn: quoted, number: quoted })).toBe(text)
  })

  it('omit absent optional values', () => {
    expect(inline({ on: '2024-01-31', limit: undefined }, { on: date }, { limit: quoted })).toBe('(on=2024-01-31)')
    expect(inline({ on: '2024-01-31', limit: 3 }, { on: date }, { limit: quoted })).toBe('(on=2024-01-31,limit=3)')
    expect(inline(undefined, {}, { limit: quoted })).toBe('()')
  })

  it('are rejected if a required value is missing or a value is not a literal of its type', () => {
    expect(() => inline({ isbn: '1' }, { isbn: quoted, number: quoted })).toThrow(TypeError)
    expect(() => inline(undefined, { isbn: quoted })).toThrow(TypeError)
    expect(() => inline({ on: '2024-01-31)/x(' }, { on: date })).toThrow(TypeError)
  })
})

const id = '01234567-89ab-cdef-0123-456789abcdef'

describe('a key in parentheses', () => {
  it.each([
    [7, quoted, '(7)'],
    ["O'Neil/x ?", quoted, "('O''Neil%2Fx%20%3F')"],
    ['', quoted, "('')"],
    [id, guid, `(${id})`],
  ])('%j', (key, format, text) => {
    expect(keyPredicate(key, format)).toBe(text)
  })

  it.each([
    [undefined, quoted],
    [{ id }, quoted],
    ['1', guid],
  ])('%j is rejected', (key, format) => {
    expect(() => keyPredicate(key, format)).toThrow(TypeError)
  })
})

const formats = { binary, date, dateTimeOffset, duration, guid, number, quoted, timeOfDay }
type Name = keyof typeof formats

const accepted: readonly (readonly [Name, string, string])[] = [
  ['dateTimeOffset', '2024-01-31T12:00Z', '2024-01-31T12:00Z'],
  ['dateTimeOffset', '2024-01-31T12:00:00.123456789012+05:30', '2024-01-31T12:00:00.123456789012+05:30'],
  ['dateTimeOffset', '-0044-03-15T12:00:00-01:00', '-0044-03-15T12:00:00-01:00'],
  ['date', '2024-01-31', '2024-01-31'],
  ['timeOfDay', '12:30', '12:30'],
  ['timeOfDay', '12:30:15.5', '12:30:15.5'],
  ['guid', '184EFA21-98c3-4e5d-95ab-d07053a96e67', '184EFA21-98c3-4e5d-95ab-d07053a96e67'],
  ['duration', 'P1DT12H30M5.5S', "duration'P1DT12H30M5.5S'"],
  ['duration', '-PT1M', "duration'-PT1M'"],
  ['binary', 'AQ-_', "binary'AQ-_'"],
  ['binary', 'AQ==', "binary'AQ=='"],
  ['binary', '', "binary''"],
  ['number', '9007199254740993', '9007199254740993'],
  ['number', '-2.50', '-2.50'],
  ['number', 'INF', 'INF'],
  ['quoted', "O'Neil", "'O''Neil'"],
  ['quoted', '', "''"],
]

const refused: readonly (readonly [Name, string])[] = [
  ['dateTimeOffset', '2024-01-31'],
  ['dateTimeOffset', '2024-01-31T12:00:00'],
  ['dateTimeOffset', '2024-01-31T12:00:00Z '],
  ['dateTimeOffset', '2024-01-31T12:00:00Z\n'],
  ['dateTimeOffset', ''],
  ['date', '2024-1-31'],
  ['date', '2024-01-31 or true'],
  ['timeOfDay', '12'],
  ['guid', '184efa21'],
  ['guid', 'displayName'],
  ['duration', '1D'],
  ['duration', 'P'],
  ['duration', 'P1DT'],
  ['duration', "P1D' or true or p eq 'P1D"],
  ['binary', "x' or '"],
  ['binary', 'a+b/'],
  ['binary', 'S'],
  ['number', '1 or true'],
  ['number', '0x10'],
]

/** The types of the literals that each format can print. */
const types: Readonly<Record<Name, readonly string[]>> = {
  binary: ['Binary'],
  date: ['Date'],
  dateTimeOffset: ['DateTimeOffset'],
  duration: ['Duration'],
  guid: ['Guid'],
  number: ['Integer', 'Decimal', 'Double'],
  quoted: ['String'],
  timeOfDay: ['TimeOfDay'],
}

const literalType = (text: string): string | undefined => {
  const tree = parseFilter(`p eq ${text}`)
  return tree.kind === 'binary' && tree.right.kind === 'literal' ? tree.right.type : undefined
}

/** Text similar to literals, so that some of it is valid. */
const nearText = fc.oneof(
  fc.constantFrom(...accepted.map(([, text]) => text), ...refused.map(([, text]) => text)),
  fc.stringMatching(/^-?\d{4,6}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d))?$/),
  fc.stringMatching(/^[-+.:'\dDHMPSTZ ]{0,12}$/),
  fc.string(),
)

describe('a literal format', () => {
  it.each(accepted)('%s writes %s as %s', (name, text, literal) => {
    expect(formats[name](text)).toBe(literal)
    expect(types[name]).toContain(literalType(literal))
  })

  it.each(refused)('%s rejects %j', (name, text) => {
    expect(() => formats[name](text)).toThrow(TypeError)
  })

  it('writes exactly one literal for any text, or throws', () => {
    fc.assert(
      fc.property(fc.constantFrom<Name[]>('binary', 'duration', 'guid', 'number', 'quoted'), nearText, (name, text) => {
        let literal: string
        try {
          literal = formats[name](text)
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError)
          return
        }
        expect(types[name]).toContain(literalType(literal))
      }),
      { numRuns: 1000 },
    )
  })

  it('rejects text that could end an unquoted literal', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<Name[]>('date', 'dateTimeOffset', 'guid', 'number', 'timeOfDay'),
        nearText,
        (name, text) => {
          try {
            expect(formats[name](text)).toMatch(/^[-+.:\w]+$/)
          } catch (error) {
            expect(error).toBeInstanceOf(TypeError)
          }
        },
      ),
    )
  })
})
