import fc from 'fast-check'
import { ts } from 'ts-morph'
import { describe, expect, it } from 'vitest'
import { anyText } from '../testing/any-text.js'
import { dataLiteral, propertyName, stringLiteral } from './literals.js'

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
