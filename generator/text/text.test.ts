import fc from 'fast-check'
import { ts } from 'ts-morph'
import { describe, expect, it } from 'vitest'
import { propertyName } from '../names/identifiers.js'
import { docComment } from './doc-comment.js'
import { importList } from './file-scope.js'
import { dataLiteral, stringLiteral, templateLiteral } from './literals.js'

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        '*/',
        '/*',
        '//',
        '`',
        '${',
        '\\',
        "'",
        '"',
        '\n',
        '\r\n',
        '\u2028',
        '\ufeff',
        '\u202e',
        '</script>',
        '\0',
        'é',
        '💥',
        '\ud800',
      ),
    )
    .map(parts => parts.join('')),
)

/** The value of an expression, as the compiler's own parser and the engine understand it. */
function evaluate(expression: string): unknown {
  const { outputText, diagnostics } = ts.transpileModule(`var result = (${expression})`, {
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ES2022 },
  })
  expect(diagnostics).toEqual([])
  return new Function(`${outputText}; return result`)()
}

describe('stringLiteral', () => {
  it.each([
    ['plain', "'plain'"],
    ["it's", `"it's"`],
    [`it's "it"`, `'it\\'s "it"'`],
    ['a\nb\tc', "'a\\nb\\tc'"],
    ['\u202e', "'\\u202e'"],
  ])('writes %j as %s', (text, literal) => expect(stringLiteral(text)).toBe(literal))

  it('means the text, whatever it is, and stays on one visible line', () => {
    fc.assert(
      fc.property(anyText, text => {
        expect(evaluate(stringLiteral(text))).toBe(text)
        expect(stringLiteral(text)).not.toMatch(/[\0-\x1f\u2028\u2029\u202a-\u202e\u2066-\u2069]/)
      }),
    )
  })
})

describe('templateLiteral', () => {
  it('keeps lines as they are', () => expect(templateLiteral('a\nb $1')).toBe('`a\nb $1`'))

  it('means the text, whatever would end it', () => {
    const pieces = fc.constantFrom('`', '$', '{', '}', '\\', '\n', 'a')
    fc.assert(
      fc.property(fc.array(pieces), parts => {
        expect(evaluate(templateLiteral(parts.join('')))).toBe(parts.join(''))
      }),
    )
  })
})

describe('docComment', () => {
  it.each([
    [[], []],
    [[''], []],
    [['One line.'], ['/** One line. */']],
    [
      ['One.', 'Two.'],
      ['/**', ' * One.', ' * Two.', ' */'],
    ],
    [['ends */ here'], ['/** ends *\\/ here */']],
    [['a\r\nb\u2028c'], ['/**', ' * a', ' * b', ' * c', ' */']],
    [['right \u202e left'], ['/** right U+202E left */']],
  ])('turns %j into %j', (paragraphs, lines) => expect(docComment(paragraphs, 0)).toEqual(lines))

  it('wraps at 120 columns', () => {
    const lines = docComment(['word '.repeat(60)], 2)
    expect(lines.length).toBeGreaterThan(2)
    expect(Math.max(...lines.map(line => line.length + 2))).toBeLessThanOrEqual(120)
  })

  it('is one comment and nothing else, whatever it says', () => {
    fc.assert(
      fc.property(fc.array(anyText), paragraphs => {
        const text = docComment(paragraphs, 0).join('\n')
        const file = ts.createSourceFile('x.ts', `${text}\nlet x`, ts.ScriptTarget.Latest)
        expect(file.statements.map(statement => statement.getText(file))).toEqual(['let x'])
      }),
    )
  })
})

describe('importList', () => {
  it('sorts, merges, tells types from values, and gives way to names that are taken', () => {
    const imports = importList(['list', 'User'])
    expect(imports.value('list', '../a.js')).toBe('list_')
    expect(imports.type('Options', '../a.js')).toBe('Options')
    expect(imports.own('User', './types.js')).toBe('User')
    expect(imports.type('Paged', './types.js')).toBe('Paged')
    expect(imports.lines()).toEqual([
      "import { list as list_, type Options } from '../a.js'",
      "import type { Paged, User } from './types.js'",
    ])
  })
})

describe('a property name', () => {
  it('is that member of a literal, whatever it is', () => {
    fc.assert(
      fc.property(anyText, name => {
        const value = evaluate(`{ ${propertyName(name)}: 1 }`)
        expect(Object.entries(value ?? {})).toEqual([[name, 1]])
      }),
    )
  })
})

describe('jsonText', () => {
  it.each([
    [{ a: 1, b: [true, null, 'c'], d: {}, e: undefined }, '{"a": 1, "b": [true, null, "c"], "d": {}}'],
    [['x'.repeat(117)], `[\n  "${'x'.repeat(117)}"\n]`],
    [{ a: ['x'.repeat(110)] }, `{\n  "a": ["${'x'.repeat(110)}"]\n}`],
    ['\u202e\u0007', '"\\u202e\\u0007"'],
  ])('prints %j', (value, text) => expect(dataLiteral(value)).toBe(text))

  it('means the value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        expect(JSON.parse(dataLiteral(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })
})
