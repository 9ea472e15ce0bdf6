import { isWhitespace } from './characters.js'

/** The first offset at or after `position` that holds neither space nor tab: the end of the ABNF's `BWS`. */
export function whitespaceEnd(text: string, position: number): number {
  let end = position
  while (isWhitespace(text.charCodeAt(end))) end += 1
  return end
}
