import { wrapText } from '../spec/language/index.js'
import type { Terminal } from './terminal.js'

/** The text below the options of a command. */
export interface HelpFooter {
  /** Command lines, each with an optional explanation. */
  readonly examples: readonly (string | readonly [line: string, about: string])[]
  /** Paragraphs below the examples. */
  readonly notes?: readonly string[]
}

/** Fits the text to the width of the terminal. Lines break between words, and each example can be copied. */
export function helpFooter(terminal: Pick<Terminal, 'columns'>, { examples, notes = [] }: HelpFooter): () => string {
  return () => {
    const { columns } = terminal
    const pairs = examples.map(each => (typeof each === 'string' ? ([each, ''] as const) : each))
    const longest = Math.max(...pairs.map(([line, about]) => (about === '' ? 0 : line.length)))
    const fits = pairs.every(([, about]) => about === '' || longest + about.length + 4 <= columns)
    const lines = pairs.flatMap(([line, about]) => {
      if (about === '') return command(line, columns)
      if (fits) return [`  ${line.padEnd(longest)}  ${about}`]
      return [...command(line, columns), ...wrapText(about, columns - 6).map(text => `      ${text}`)]
    })
    const paragraphs = notes.map(note => wrapText(note, columns).join('\n'))
    return [['', 'Examples:', ...lines].join('\n'), ...paragraphs].join('\n\n')
  }
}

/** A command line, continued on further lines with the syntax of a shell. */
function command(line: string, columns: number): readonly string[] {
  const [first = '', ...more] = wrapText(line, columns - 8)
  const lines = [`  ${first}`, ...more.map(text => `      ${text}`)]
  return lines.map((text, index) => (index < lines.length - 1 ? `${text} \\` : text))
}
