import { CLOSE, DOUBLE_QUOTE, isWhitespace, OPEN, SEMICOLON } from './characters.js'

/**
 * The offset behind the word of a search at `position`: all but whitespace, parentheses and double quotes, and, within the
 * options of another option, semicolons.
 *
 * @see OData ABNF, `searchWord`
 */
export function searchWordEnd(text: string, position: number, nested: boolean): number {
  for (let end = position; ; end += 1) {
    const code = text.charCodeAt(end)
    if (Number.isNaN(code) || isWhitespace(code) || code === OPEN || code === CLOSE || code === DOUBLE_QUOTE) return end
    if (nested && code === SEMICOLON) return end
  }
}
