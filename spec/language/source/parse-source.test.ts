import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDocument, stringify } from 'yaml'
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

describe('a source knows the place of each part of its data', () => {
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

  it('the location of a value of several lines is on its first line', () => {
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

  it('objects have no prototype', () => {
    const object = data('a: {}')
    expect(typeof object === 'object' && object !== null && Object.getPrototypeOf(object)).toBeNull()
  })

  it.each([
    ['- a: 1\n  b: 2\n- c: { d: [e, "f, g", \'h\'] }\n', [{ a: 1, b: 2 }, { c: { d: ['e', 'f, g', 'h'] } }]],
    ['a: { b: 1,\n     c: [2,\n       3], } # last\n# end\n', { a: { b: 1, c: [2, 3] } }],
    ['a: >-\n  one\n  two\n\n  three\nb: |\n  x\n  y\n\nc: 1\n', { a: 'one two\nthree', b: 'x\ny\n', c: 1 }],
    ['a: one\n  two\nb: "three\n  four"\n', { a: 'one two', b: 'three four' }],
    ["a: \"b \\\"c\\\" \\n\\\\\"\n'd e': 'it''s'\n", { a: 'b "c" \n\\', 'd e': "it's" }],
    ['/users/{id}: { get: { returns: item } }\n', { '/users/{id}': { get: { returns: 'item' } } }],
    ['a: http://x/y#z # c\nb: 1.50\nc: -0.5e3\nd: 0x1F\n', { a: 'http://x/y#z', b: 1.5, c: -500, d: 31 }],
    ['a: !!str 1\nb: !!int "2"\nc: !!seq []\n', { a: '1', b: 2, c: [] }],
    ['a: { b:\t1,\tc: "d\te" }\n', { a: { b: 1, c: 'd\te' } }],
    ['a: &x { b: 1 }\nc: &x 2\nd: [*x]\n', { a: { b: 1 }, c: 2, d: [2] }],
  ])('%j is read as YAML 1.2', (yaml, expected) => {
    expect(parseSource(yaml, 'spec.yaml').diagnostics).toEqual([])
    expect(JSON.parse(JSON.stringify(data(yaml)))).toEqual(expected)
  })

  it('a long text is read, with anchors or without', () => {
    const long = `text: ${'x'.repeat(5 * 1024 * 1024)}\n`
    expect(parseSource(long, 'spec.yaml').diagnostics).toEqual([])
    expect(parseSource(`a: &a b\n${long}`, 'spec.yaml').diagnostics).toEqual([])
  })
})

describe('an error in a YAML text is a diagnostic', () => {
  const found = (yaml: string): readonly string[] =>
    parseSource(yaml, 'spec.yaml').diagnostics.map(
      ({ code, location }) => `${location.line}:${location.column} ${code}`,
    )

  it.each([
    ['a: [b', ['1:6 yaml/bad-indent']],
    ['a: 1\n b: 2', ['1:4 yaml/block-as-implicit-key', '1:4 yaml/multiline-implicit-key']],
    ['a: @b', ['1:4 yaml/bad-scalar-start']],
    ['a: 1\na: 2', ['2:1 yaml/duplicate-key']],
    ['? [a]\n: b', ['1:3 yaml/key-not-text']],
    ['null: 1', ['1:1 yaml/key-not-text']],
    ['? ', ['1:1 yaml/key-not-text']],
    ['a: !!int b', ['1:10 yaml/tag']],
    ['a: !!map [b]', ['1:10 yaml/tag']],
    ['a: *b\nc: &b 1', ['1:4 yaml/unknown-anchor']],
    ['a: &b { c: *b }', ['1:12 yaml/recursive-alias']],
    ['a: 1\n---\nb: 2', ['2:1 yaml/multiple-documents']],
    ['', ['1:1 yaml/empty']],
    ['---\n', ['1:1 yaml/empty']],
  ])('%j', (yaml, expected) => {
    expect(found(yaml)).toEqual(expected)
  })

  it('nesting beyond the limit', () => {
    expect(found(`a: ${'['.repeat(70)}${']'.repeat(70)}`)).toEqual(['1:68 yaml/too-deep'])
    expect(found(`a: ${'['.repeat(200_000)}`).map(text => text.replace(/.* /, ''))).toEqual(['yaml/too-deep'])
  })

  it('the first errors of a text that is not YAML at all', () => {
    const { diagnostics } = parseSource('{ ] : - "'.repeat(2000), 'spec.yaml')
    expect(diagnostics.length).toBeGreaterThan(0)
    expect(diagnostics.length).toBeLessThanOrEqual(50)
  })

  it('the first error of a long text', () => {
    expect(found(`a: [\n${'x'.repeat(2 * 1024 * 1024)}`)).toEqual(['2:1 yaml/syntax'])
  })
})

const language = join(dirname(fileURLToPath(import.meta.url)), '..')
const specs = [join(language, 'broken'), join(language, '..')].flatMap(folder =>
  readdirSync(folder).flatMap(name => (name.endsWith('.yaml') ? [readFileSync(join(folder, name), 'utf8')] : [])),
)

/** A text that both parsers accept has the same data in both. */
function expectAgreement(text: string): boolean {
  const { source, diagnostics } = parseSource(text, 'spec.yaml')
  const document = parseDocument(text, { version: '1.2', schema: 'core', stringKeys: true, logLevel: 'error' })
  if (diagnostics.length > 0 || document.errors.length > 0) return false
  expect(JSON.stringify(source.document)).toBe(JSON.stringify(document.toJS({ maxAliasCount: -1 })))
  return true
}

describe('the data of a source equals that of the package yaml', () => {
  it('for every spec of this repository that is YAML', () => {
    expect(specs.filter(expectAgreement).length).toBeGreaterThan(90)
  })

  it('for any text that the package prints', () => {
    fc.assert(
      fc.property(fc.object({ maxDepth: 4 }), fc.boolean(), (data, isFlow) => {
        const text = stringify(data, { collectionStyle: isFlow ? 'flow' : 'block', lineWidth: isFlow ? 40 : 0 })
        // Prototypes and merge keys are not data of a spec.
        if (!/__proto__|<</.test(text)) expect(expectAgreement(text)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  it('for truncated or corrupted specs that both accept', () => {
    const pieces = fc.constantFrom(
      ...[
        '\n',
        '\r\n',
        ' ',
        '  ',
        '\n  ',
        '\n\n',
        '\t',
        ': ',
        ':',
        '- ',
        '-',
        '#',
        ' #',
        '# ',
        ', ',
        ',',
        '{',
        '}',
        '[',
      ],
      ...[
        ']',
        '"',
        "'",
        "''",
        '>-\n',
        '>',
        '|',
        '|-\n',
        '&a ',
        '*a',
        '!',
        '? ',
        '...\n',
        '%',
        '@',
        '`',
        '\\',
        '~',
        'null',
      ],
      ...['1', '.5', '0x1', 'a: b', '\n- a: b\n', '<<', '\u00A0', '\u2028', 'é', '😀'],
    )
    const slices = fc.tuple(fc.nat(), fc.integer({ min: 1, max: 400 }))
    const edits = fc.array(fc.record({ at: fc.nat(), remove: fc.nat(4), add: fc.oneof(pieces, fc.constant('')) }), {
      maxLength: 4,
    })
    fc.assert(
      fc.property(fc.constantFrom(...specs), slices, edits, (spec, [from, length], changes) => {
        const lineStart = spec.lastIndexOf('\n', from % spec.length) + 1
        let text = spec.slice(lineStart, lineStart + length)
        for (const { at, remove, add } of changes) {
          const start = at % (text.length + 1)
          text = text.slice(0, start) + add + text.slice(start + remove)
        }
        // A carriage return alone breaks a line (YAML 1.2, 5.4), but not for the package yaml.
        if (!/\r(?!\n)/.test(text)) expectAgreement(text)
      }),
      { numRuns: 2000 },
    )
  })
})
