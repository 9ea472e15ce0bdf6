/**
 * A position in the text, moved on by the functions that read; `beyond` is set when the text uses more of YAML than the
 * plain style, and ends all reading.
 */
export interface Reader {
  readonly text: string
  position: number
  beyond: boolean
}

/** Ends all reading. */
export function giveUp(reader: Reader): undefined {
  reader.beyond = true
  reader.position = reader.text.length
  return undefined
}

export const code = {
  tab: 9,
  newline: 10,
  carriageReturn: 13,
  space: 32,
  doubleQuote: 34,
  hash: 35,
  singleQuote: 39,
  comma: 44,
  hyphen: 45,
  colon: 58,
  question: 63,
  openBracket: 91,
  backslash: 92,
  closeBracket: 93,
  pipe: 124,
  greater: 62,
  openBrace: 123,
  closeBrace: 125,
} as const

/** Whether the character ends a line, or there is none. */
export function isLineEnd(character: number): boolean {
  return Number.isNaN(character) || character === code.newline || character === code.carriageReturn
}

/** Moves over spaces of one line. */
export function skipSpaces(reader: Reader): void {
  while (reader.text.charCodeAt(reader.position) === code.space) reader.position++
}

/** Moves over what may stand at the end of a line: spaces, a comment behind a space, the line break. */
export function endLine(reader: Reader): void {
  const { text } = reader
  const start = reader.position
  skipSpaces(reader)
  let character = text.charCodeAt(reader.position)
  if (character === code.hash && (reader.position > start || isLineStart(reader, start))) {
    const newline = text.indexOf('\n', reader.position)
    reader.position = newline === -1 ? text.length : newline
    character = text.charCodeAt(reader.position)
  }
  if (character === code.carriageReturn && text.charCodeAt(reader.position + 1) === code.newline) {
    reader.position++
    character = code.newline
  }
  if (character === code.newline) reader.position++
  else if (!Number.isNaN(character)) giveUp(reader)
}

const isLineStart = ({ text }: Reader, position: number): boolean =>
  position === 0 || text.charCodeAt(position - 1) === code.newline

/**
 * Moves over blank and comment lines to the first character of the next line that has content.
 *
 * @returns its indentation; -1 at the end of the text
 */
export function nextContent(reader: Reader): number {
  const { text } = reader
  while (!reader.beyond && reader.position < text.length) {
    const lineStart = reader.position
    skipSpaces(reader)
    const character = text.charCodeAt(reader.position)
    if (character === code.hash || isLineEnd(character)) {
      reader.position = lineStart
      endLine(reader)
      continue
    }
    return reader.position - lineStart
  }
  return -1
}
