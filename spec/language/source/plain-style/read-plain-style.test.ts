import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { parseYamlTree } from '../yaml-tree.js'
import { readPlainStyle } from './read-plain-style.js'

const language = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const specs = [join(language, 'broken'), join(language, '..')].flatMap(folder =>
  readdirSync(folder).flatMap(name => (name.endsWith('.yaml') ? [readFileSync(join(folder, name), 'utf8')] : [])),
)

/** What is read in plain style, the full parser reads too, without a fault and to the same data. */
function expectAgreement(text: string): void {
  const plain = readPlainStyle(text)
  if (plain === undefined) return
  const { source, diagnostics } = parseYamlTree(text, 'spec.yaml')
  expect(diagnostics.map(({ message }) => message)).toEqual([])
  expect(plain.document).toEqual(source.document)
}

describe('the reader of the plain style', () => {
  it.each([
    ['a: 1\nb: x y\n', { a: 1, b: 'x y' }],
    ['a:\n  b:\n    c: true\n  d: ~\ne:\n', { a: { b: { c: true }, d: null }, e: null }],
    ['a:\n  - x\n  - 2\nb:\n- y\nc: z', { a: ['x', 2], b: ['y'], c: 'z' }],
    ['- a: 1\n  b: 2\n- c: { d: [e, "f, g", \'h\'] }\n', [{ a: 1, b: 2 }, { c: { d: ['e', 'f, g', 'h'] } }]],
    ['a: { b: 1,\n     c: [2,\n       3], } # last\n# end\n', { a: { b: 1, c: [2, 3] } }],
    ['a: >-\n  one\n  two\n\n  three\nb: |\n  x\n  y\n\nc: 1\n', { a: 'one two\nthree', b: 'x\ny\n', c: 1 }],
    ["a: \"b \\\"c\\\" \\n\\\\\"\n'd e': 'it''s'\n", { a: 'b "c" \n\\', 'd e': "it's" }],
    ['a: "\\u00e9\\U0001f600 \\u200b"\n', { a: 'é😀 \u200b' }],
    ['/users/{id}: { get: { returns: item } }\n', { '/users/{id}': { get: { returns: 'item' } } }],
    ['a: http://x/y#z # c\nb: 1.50\nc: -0.5e3\nd: 007\n', { a: 'http://x/y#z', b: 1.5, c: -500, d: 7 }],
    ['a: 1\r\nb:\r\n  - c\r\n', { a: 1, b: ['c'] }],
  ])('reads %j', (text, expected) => {
    expect(readPlainStyle(text)?.document).toEqual(expected)
    expectAgreement(text)
  })

  it.each([
    '',
    'a',
    'a: &x 1\nb: *x',
    'a: !!str 1',
    '---\na: 1',
    'a: 1\n...\n',
    'a: one\n  two\n',
    'a: "one\n  two"\n',
    'a: [b\n]',
    'a: {b}',
    'a: {b: 1, b: 2}',
    'a: 1\na: 2',
    'a: 1\n b: 2',
    'a:\n    b: 1\n  c: 2',
    'a: b: c',
    'a : 1',
    '"a":1',
    'a:\tb',
    'a: 0x1F',
    'a: .inf',
    '? a\n: b',
    '__proto__: 1',
    '<<: {}',
    'null: 1',
    'a: @b',
    'a: "\\x41"',
    'a: |2\n    x\n',
    'a: >\n  x\n    y\n',
    'a: [',
    "a: 'b",
    'a: "\\ud800"',
    'a: "\\u00g0"',
    `a: ${'['.repeat(80)}${']'.repeat(80)}`,
  ])('leaves %j to the full parser', text => {
    expect(readPlainStyle(text)).toBeUndefined()
  })

  it('reads every spec of the package that is sound, and agrees on the broken ones', () => {
    expect(specs.filter(text => readPlainStyle(text) !== undefined).length).toBeGreaterThan(90)
    for (const text of specs) expectAgreement(text)
  })

  it('agrees with the full parser on what it prints', () => {
    fc.assert(
      fc.property(fc.object({ maxDepth: 4 }), fc.boolean(), (data, isFlow) => {
        expectAgreement(stringify(data, { collectionStyle: isFlow ? 'flow' : 'block', lineWidth: isFlow ? 40 : 0 }))
      }),
      { numRuns: 300 },
    )
  })

  it('agrees with the full parser on specs that are cut, doubled, moved or garbled anywhere', () => {
    const pieces = fc.constantFrom(
      '\n',
      '\r\n',
      '\r',
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
      '---\n',
      '...\n',
      '%',
      '@',
      '`',
      '\\',
      '~',
      'null',
      '1',
      '.5',
      '0x1',
      'a: b',
      '\n- a: b\n',
      '<<',
      '\u00A0',
      '\u2028',
      '\uFEFF',
      'é',
      '😀',
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
        expectAgreement(text)
      }),
      { numRuns: 2000 },
    )
  })
})
