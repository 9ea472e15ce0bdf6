import { describe, expect, it } from 'vitest'
import { parseSource } from './parse-source.js'

const text = `a: 1
b:
  - x
  - { c/d: y, "e~f": [1, 2] }
g: &anchor
  h: z
i: *anchor
empty:
`

function at(pointer: string, part?: 'key' | 'value', of = text): string {
  const { source } = parseSource(of, 'spec.yaml')
  const location = source.at(pointer, part)
  return `${location.line}:${location.column} ${source.text.slice(location.offset, location.offset + location.length)}`
}

describe('a source knows where each part of its data stands', () => {
  const rows: readonly [pointer: string, part: 'key' | 'value', expected: string][] = [
    ['/a', 'value', '1:4 1'],
    ['/a', 'key', '1:1 a'],
    ['/b', 'key', '2:1 b'],
    ['/b', 'value', '2:1 b'],
    ['/b/0', 'value', '3:5 x'],
    ['/b/1', 'value', '4:5 { c/d: y, "e~f": [1, 2] }'],
    ['/b/1/c~1d', 'key', '4:7 c/d'],
    ['/b/1/c~1d', 'value', '4:12 y'],
    ['/b/1/e~0f', 'key', '4:15 "e~f"'],
    ['/b/1/e~0f/1', 'value', '4:26 2'],
    ['/g/h', 'value', '6:6 z'],
    ['/i/h', 'value', '6:6 z'],
    ['/i', 'value', '7:4 *anchor'],
    ['/empty', 'value', '8:1 empty'],
    ['/a/nowhere', 'value', '1:1 a'],
    ['/b/1/nowhere/at/all', 'value', '4:5 { c/d: y, "e~f": [1, 2] }'],
    ['/b/7', 'value', '2:1 b'],
  ]

  it.each(rows)('%s, %s: %s', (pointer, part, expected) => {
    expect(at(pointer, part)).toBe(expected)
  })

  it('line breaks may be CRLF, and a byte order mark does not count', () => {
    const windows = `\uFEFF${text.replaceAll('\n', '\r\n')}`
    expect(at('/b/1/c~1d', 'value', windows)).toBe('4:12 y')
    expect(at('/b/1', 'value', windows)).toBe('4:5 { c/d: y, "e~f": [1, 2] }')
  })

  it('a value of several lines is marked on its first', () => {
    expect(at('/a', 'value', 'a: >-\n  one\n  two\n')).toBe('1:4 >-')
  })
})

describe('the data of a source is plain', () => {
  const data = (yaml: string): unknown => parseSource(yaml, 'spec.yaml').source.document

  it.each([
    ['a: yes', { a: 'yes' }],
    ['a: 0o17', { a: 15 }],
    ['a: 017', { a: 17 }],
    ['a: 1e3', { a: 1000 }],
    ['a: ~', { a: null }],
    ['a: 2001-12-14', { a: '2001-12-14' }],
    ['404: x\ntrue: y\n1.0: z', { '404': 'x', true: 'y', '1.0': 'z' }],
    ['a: &x [1]\nb: *x', { a: [1], b: [1] }],
    ['constructor: 1\ntoString: 2', { constructor: 1, toString: 2 }],
  ])('%j', (yaml, expected) => {
    expect(JSON.stringify(data(yaml))).toBe(JSON.stringify(expected))
  })

  it('objects inherit nothing', () => {
    const object = data('a: {}')
    expect(typeof object === 'object' && object !== null && Object.getPrototypeOf(object)).toBeNull()
  })

  it('nesting beyond what the parser can take is a diagnostic', () => {
    const { diagnostics } = parseSource(`a: ${'['.repeat(200_000)}`, 'spec.yaml')
    expect(diagnostics.map(({ code }) => code)).toEqual(['yaml/too-deep'])
  })

  it('a text that is no YAML at all is told in a few diagnostics', () => {
    const { diagnostics } = parseSource('{ ] : - "'.repeat(2000), 'spec.yaml')
    expect(diagnostics.length).toBeGreaterThan(0)
    expect(diagnostics.length).toBeLessThanOrEqual(50)
  })

  it('reads a long text in plain style, and refuses one that needs the full parser', () => {
    const long = `text: ${'x'.repeat(5 * 1024 * 1024)}\n`
    expect(parseSource(long, 'spec.yaml').diagnostics).toEqual([])
    expect(parseSource(`a: &a b\n${long}`, 'spec.yaml').diagnostics).toMatchObject([{ code: 'yaml/too-long' }])
  })
})
