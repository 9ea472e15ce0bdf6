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

describe('what stands below the options', () => {
  it('has what an example does beside it, where all fit', () => {
    expect(helpFooter({ columns: 80 }, text)()).toBe(`
Examples:
  specwright serve                         the Directory service
  specwright serve --store sqlite:todo.db  kept in a file
  specwright serve --host 0.0.0.0

It prints one line when it is ready.`)
  })

  it('has it below in a narrow terminal, where long examples go on as a shell takes them', () => {
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
