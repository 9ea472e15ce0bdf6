import { describe, expect, it } from 'vitest'
import { helpFooter } from './help.js'

const text = {
  examples: [
    ['specwright serve', 'the Directory service'],
    ['specwright serve --store sqlite:todo.db', 'kept in a file'],
    'specwright serve --host 0.0.0.0',
  ] as const,
  notes: ['It prints one line when it is ready.'],
}

describe('the text below the options', () => {
  it('has explanations beside the examples if all fit', () => {
    expect(helpFooter({ columns: 80 }, text)()).toBe(`
Examples:
  specwright serve                         the Directory service
  specwright serve --store sqlite:todo.db  kept in a file
  specwright serve --host 0.0.0.0

It prints one line when it is ready.`)
  })

  it('has explanations below the examples in a narrow terminal, and continues long examples with shell syntax', () => {
    expect(helpFooter({ columns: 34 }, text)()).toBe(`
Examples:
  specwright serve
      the Directory service
  specwright serve --store \\
      sqlite:todo.db
      kept in a file
  specwright serve --host \\
      0.0.0.0

It prints one line when it is
ready.`)
  })
})
