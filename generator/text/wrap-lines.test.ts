import fc from 'fast-check'
import { ts } from 'ts-morph'
import { describe, expect, it } from 'vitest'
import { lineWidth, wrapLines } from './wrap-lines.js'

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
    const name = fc.stringMatching(/^[a-z]{1,40}$/)
    const type = fc.letrec<{ readonly type: string }>(tie => ({
      type: fc.oneof(
        { maxDepth: 3 },
        name,
        fc
          .tuple(name, fc.array(tie('type'), { minLength: 1, maxLength: 4 }))
          .map(([of, all]) => `${of}<${all.join(', ')}>`),
        fc.array(tie('type'), { minLength: 1, maxLength: 4 }).map(all => `[${all.join(', ')}]`),
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
