import fc from 'fast-check'
import { ts } from 'ts-morph'
import { beforeAll, describe, expect, it } from 'vitest'
import { generate } from './generate.js'
import type { GeneratedFile } from './generated-file.js'
import { compileErrors } from './testing/compile-errors.js'
import { sampleSpec } from './testing/sample-spec.js'

/** Generates from a spec that says `text` wherever a spec may say what it likes. */
const generated = (text: string): readonly GeneratedFile[] => {
  const { files, diagnostics } = generate(
    { path: 'sample.yaml', text: JSON.stringify(sampleSpec(text)) },
    { only: ['types', 'client', 'server'], runtime: '../runtime', runtimeLayout: 'parts' },
  )
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  return files
}

/** The syntax tree of a file, but for what its string literals say. Comments and layout are not in it. */
function structure({ path, text }: GeneratedFile): string {
  const shape = (node: ts.Node): string => {
    if (ts.isStringLiteral(node)) return 'text'
    if (ts.isIdentifier(node)) return node.text
    const children: string[] = []
    node.forEachChild(child => void children.push(shape(child)))
    return `${node.kind}(${children.join(' ')})`
  }
  return `${path}: ${shape(ts.createSourceFile(path, text, ts.ScriptTarget.Latest))}`
}

const syntaxErrors = ({ path, text }: GeneratedFile): readonly string[] => {
  const { diagnostics = [] } = ts.transpileModule(text, { reportDiagnostics: true, fileName: path })
  return diagnostics.map(({ messageText }) => `${path}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`)
}

const attacks = [
  '*/ export const injected = 1 /*',
  '*\u2028/ export const injected = 1',
  `\`\${process.exit(1)}\``,
  "'; throw new Error('injected') //",
  '"); throw new Error("injected") //',
  '\u2028throw 1\u2029throw 2\r\nthrow 3\u0085throw 4',
  '// @ts-nocheck\n/* eslint-disable */',
  '</script><script>alert(1)</script>',
  '{{constructor.constructor("throw 1")()}} {{> partial}}',
  '\\',
  "\\'",
  '\u202e\u2066\ufeff\0\x1b[31m',
  '💥 \ud83d \ude00 é ﷽',
  '../../../etc/passwd',
]

const anyText = fc.oneof(
  fc.constantFrom(...attacks),
  fc.string({ unit: 'grapheme' }),
  fc
    .array(fc.constantFrom('*', '/', '`', '$', '{', '}', '\\', "'", '"', '\n', '\r', '\u2028', ' ', 'x', '{{', '}}'), {
      maxLength: 30,
    })
    .map(parts => parts.join('')),
)

describe('any text of a spec', () => {
  let plain: readonly string[]
  beforeAll(() => {
    plain = generated('plain').map(structure)
  })

  it.each(attacks)('changes nothing but literals and comments: %j', attack => {
    const files = generated(attack)
    expect(files.flatMap(syntaxErrors)).toEqual([])
    expect(files.map(structure)).toEqual(plain)
  })

  it('changes nothing but literals and comments', () => {
    fc.assert(
      fc.property(anyText, text => {
        fc.pre(text.trim() !== '')
        expect(generated(text).map(structure)).toEqual(plain)
      }),
      { numRuns: Number(process.env['RUNS'] ?? 25) },
    )
  })

  it('compiles like any other', async () => {
    const whole = generate(
      { path: 'sample.yaml', text: JSON.stringify(sampleSpec('plain')) },
      { only: ['client', 'server'] },
    )
    const runtime = whole.files.filter(({ path }) => path.startsWith('runtime/'))
    const files = attacks
      .slice(0, 6)
      .flatMap((attack, index) => generated(attack).map(file => ({ ...file, path: `${index}/${file.path}` })))
    expect(await compileErrors([...runtime, ...files])).toBe('')
  })

  it('names no file and no path', () => {
    const paths = generated('plain').map(({ path }) => path)
    for (const attack of attacks) expect(generated(attack).map(({ path }) => path)).toEqual(paths)
    for (const path of paths) expect(path).toMatch(/^(?:[a-z0-9-]+\/)*[a-z0-9-]+\.[a-z]+$/)
  })
})
