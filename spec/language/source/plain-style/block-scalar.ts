import { endLine, giveUp, type Reader } from './reader.js'

/**
 * A literal (`|`) or folded (`>`) scalar, as it is or without its last line break (`-`). Folded lines that are indented
 * further than the first keep their breaks by rules that are left to the full parser.
 *
 * @param parentIndent indentation of what the scalar belongs to
 * @see YAML 1.2, 8.1 (block scalar styles)
 */
export function blockScalar(reader: Reader, parentIndent: number): string {
  const { text } = reader
  const isFolded = text[reader.position] === '>'
  reader.position++
  const isStripped = text[reader.position] === '-'
  if (isStripped) reader.position++
  endLine(reader)
  const lines = contentLines(reader, parentIndent)
  if (lines === undefined) return ''
  const content = isFolded ? folded(lines) : lines.join('\n')
  return isStripped || content === '' ? content : `${content}\n`
}

/** The lines without their common indentation; the blank ones at the end left out. */
function contentLines(reader: Reader, parentIndent: number): readonly string[] | undefined {
  const { text } = reader
  const lines: string[] = []
  let indent = -1
  while (!reader.beyond && reader.position < text.length) {
    const newline = text.indexOf('\n', reader.position)
    const end = newline === -1 ? text.length : newline
    const line = text.slice(reader.position, end).replace(/\r$/, '')
    const spaces = /^ */.exec(line)?.[0].length ?? 0
    if (line.length === spaces) {
      // Blank lines with spaces of their own may be content.
      if (spaces > 0) return giveUp(reader)
      lines.push('')
    } else {
      if (indent === -1) {
        if (spaces <= parentIndent || lines.length > 0) return giveUp(reader)
        indent = spaces
      }
      if (spaces < indent) {
        if (spaces > parentIndent) return giveUp(reader)
        break
      }
      if (spaces > indent || line.includes('\t')) return giveUp(reader)
      lines.push(line.slice(indent))
    }
    reader.position = newline === -1 ? text.length : newline + 1
  }
  while (lines.at(-1) === '') lines.pop()
  return lines
}

/** One line break becomes a space; of several, one is left out. */
function folded(lines: readonly string[]): string {
  let result = ''
  let breaks = 0
  for (const [index, line] of lines.entries()) {
    if (line === '') {
      breaks++
      continue
    }
    if (index > 0) result += breaks === 0 ? ' ' : '\n'.repeat(breaks)
    breaks = 0
    result += line
  }
  return result
}
