import fc from 'fast-check'
import { ts } from 'ts-morph'
import { describe, expect, it } from 'vitest'
import { anyText } from '../testing/any-text.js'
import { dataLiteral, propertyName, stringLiteral } from './literals.js'
import { lineWidth, wrapLines } from './wrap-lines.js'

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

  it('writes any text as a literal of that value, on one visible line', () => {
    fc.assert(
      fc.property(anyText, text => {
        expect(evaluate(stringLiteral(text))).toBe(text)
        expect(stringLiteral(text)).not.toMatch(/[\0-\x1f\u2028\u2029\u202a-\u202e\u2066-\u2069]/)
      }),
    )
  })
})

describe('propertyName', () => {
  it('writes any name as the member of a literal', () => {
    fc.assert(
      fc.property(anyText, name => {
        const value = evaluate(`{ ${propertyName(name)}: 1 }`)
        expect(Object.entries(value ?? {})).toEqual([[name, 1]])
      }),
    )
  })
})

describe('dataLiteral', () => {
  it.each([
    [{ a: 1, b: [true, null, 'c'], d: {}, e: undefined }, "{ a: 1, b: [true, null, 'c'], d: {} }"],
    [['x'.repeat(117)], `[\n  '${'x'.repeat(117)}',\n]`],
    [{ a: ['x'.repeat(110)] }, `{\n  a: ['${'x'.repeat(110)}'],\n}`],
    ['\u202e\u0007', "'\\u202e\\u0007'"],
  ])('prints %j', (value, text) => expect(dataLiteral(value)).toBe(text))

  it('writes any data as a literal of that value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        expect(evaluate(dataLiteral(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })
})

const long = (letter: string): string => letter.repeat(50)
const [a, b, c] = [long('a'), long('b'), long('c')]

describe('wrapLines', () => {
  it.each([
    ['a line that fits', `const x = f(${a}, ${b})`, `const x = f(${a}, ${b})`],
    ['a comment', `/** ${a} ${b} ${c} */`, `/** ${a} ${b} ${c} */`],
    ['call arguments', `  x: f(${a}, ${b}, ${c}),`, `  x: f(\n    ${a},\n    ${b},\n    ${c},\n  ),`],
    ['type arguments', `  x: F<${a}, ${b}, ${c}>`, `  x: F<\n    ${a},\n    ${b},\n    ${c}\n  >`],
    ['a tuple', `type X = [${a}, ${b}, ${c}]`, `type X = [\n  ${a},\n  ${b},\n  ${c}\n]`],
    ['imports', `import { ${a}, ${b}, ${c} } from 'x'`, `import {\n  ${a},\n  ${b},\n  ${c},\n} from 'x'`],
    [
      'a type literal',
      `  readonly x: { readonly ${a}: 1; readonly ${b}: 2; readonly ${c}: 3 }`,
      `  readonly x: {\n    readonly ${a}: 1\n    readonly ${b}: 2\n    readonly ${c}: 3\n  }`,
    ],
    ['a union behind a name', `  readonly x: ${a} | ${b} | ${c}`, `  readonly x:\n    | ${a} | ${b}\n    | ${c}`],
    [
      'a union among type arguments',
      `  x: F<A, ${a} | ${b} | ${c}>`,
      `  x: F<\n    A,\n    | ${a}\n    | ${b}\n    | ${c}\n  >`,
    ],
    ['the type of an alias', `export type X<T> = F<${a}, ${b}> & {`, `export type X<T> =\n  F<${a}, ${b}> & {`],
    [
      'a type in parentheses',
      `  | (A & { readonly '@odata.type': '#${a}.${b}' })`,
      `  | (\n    A & {\n      readonly '@odata.type': '#${a}.${b}'\n    }\n  )`,
    ],
    ['a function', `  x: f(a, (${a}) => g(${b}, ${c})),`, `  x: f(\n    a,\n    (${a}) =>\n      g(${b}, ${c}),\n  ),`],
    [
      'strings, which stay whole',
      `  x: f('${a}, (', "${b}) <", ${c}),`,
      `  x: f(\n    '${a}, (',\n    "${b}) <",\n    ${c},\n  ),`,
    ],
    [
      'regular expressions, which stay whole',
      `const x = q => /${a}\\(|${b}, /i.test(q) ? ${c} : 1`,
      `const x = q =>\n  /${a}\\(|${b}, /i.test(q) ? ${c} : 1`,
    ],
  ])('breaks %s', (_, line, expected) => expect(wrapLines(line)).toBe(expected))

  it('changes only white space, trailing commas and leading bars, and breaks every long line that it can', () => {
    // No keyword of TypeScript has an x and a q.
    const name = fc.stringMatching(/^[a-z]{1,36}$/).map(letters => `xq${letters}`)
    const type = fc.letrec<{ readonly type: string }>(tie => ({
      type: fc.oneof(
        { maxDepth: 3 },
        name,
        fc
          .tuple(name, fc.array(tie('type'), { minLength: 1, maxLength: 4 }))
          .map(([of, all]) => `${of}<${all.join(', ')}>`),
        fc.array(tie('type'), { minLength: 1, maxLength: 4 }).map(all => `[${all.join(', ')}]`),
        tie('type').map(each => `(${each})`),
        fc
          .array(fc.tuple(name, tie('type')), { minLength: 2, maxLength: 3 })
          .map(all => `{ ${all.map(([is, of]) => `${is}: ${of}`).join('; ')} }`),
        fc
          .array(
            name.map(text => `'${text}'`),
            { minLength: 2, maxLength: 9 },
          )
          .map(all => all.join(' | ')),
      ),
    })).type
    fc.assert(
      fc.property(type, text => {
        const code = `type X = ${text}`
        const wrapped = wrapLines(code)
        expect(normalized(wrapped)).toBe(normalized(code))
        for (const line of wrapped.split('\n'))
          if (/, |; | \| /.test(line)) expect(line.length).toBeLessThanOrEqual(lineWidth + 1)
      }),
    )
  })
})

/** The code as the compiler prints it. */
function normalized(code: string): string {
  const file = ts.createSourceFile('x.ts', code, ts.ScriptTarget.Latest)
  return ts.createPrinter({ removeComments: true }).printFile(file).replace(/\s+/g, ' ').replace(/ \|/g, ' |')
}
