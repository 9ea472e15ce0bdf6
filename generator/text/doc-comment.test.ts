import fc from 'fast-check'
import { ts } from 'ts-morph'
import { describe, expect, it } from 'vitest'
import { anyText } from '../testing/any-text.js'
import { docComment } from './doc-comment.js'

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

  it('writes any text as one comment and nothing else', () => {
    fc.assert(
      fc.property(fc.array(anyText), paragraphs => {
        const text = docComment(paragraphs, 0).join('\n')
        const file = ts.createSourceFile('x.ts', `${text}\nlet x`, ts.ScriptTarget.Latest)
        expect(file.statements.map(statement => statement.getText(file))).toEqual(['let x'])
      }),
    )
  })
})
