import { isHexDigit, MINUS } from './characters.js'

/** The offset behind the Guid at `position`, or -1. @see OData ABNF, `guid` */
export function guidEnd(text: string, position: number): number {
  if (!looksLikeGuid(text, position)) return -1
  if (text.charCodeAt(position + 18) !== MINUS || text.charCodeAt(position + 23) !== MINUS) return -1
  return areHexDigits(text, position + 14, position + 18) &&
    areHexDigits(text, position + 19, position + 23) &&
    areHexDigits(text, position + 24, position + 36)
    ? position + 36
    : -1
}

/** Whether the text at `position` can be nothing but a Guid: it begins as one, as far as the second hyphen. */
export function looksLikeGuid(text: string, position: number): boolean {
  return (
    text.charCodeAt(position + 8) === MINUS &&
    text.charCodeAt(position + 13) === MINUS &&
    areHexDigits(text, position, position + 8) &&
    areHexDigits(text, position + 9, position + 13)
  )
}

function areHexDigits(text: string, start: number, end: number): boolean {
  for (let position = start; position < end; position += 1) {
    if (!isHexDigit(text.charCodeAt(position))) return false
  }
  return true
}
