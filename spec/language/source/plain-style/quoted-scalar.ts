import { code, giveUp, type Reader } from './reader.js'

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['n', '\n'],
  ['t', '\t'],
])

/** A scalar in quotes, on one line; double-quoted ones with the common escapes. */
export function quotedScalar(reader: Reader): string {
  return reader.text.charCodeAt(reader.position) === code.doubleQuote ? doubleQuoted(reader) : singleQuoted(reader)
}

function singleQuoted(reader: Reader): string {
  const { text } = reader
  let result = ''
  for (let from = reader.position + 1; ; ) {
    const end = text.indexOf("'", from)
    const part = text.slice(from, end)
    if (end === -1 || isSeveralLines(part)) return giveUp(reader) ?? ''
    if (text.charCodeAt(end + 1) !== code.singleQuote) {
      reader.position = end + 1
      return result + part
    }
    result += `${part}'`
    from = end + 2
  }
}

function doubleQuoted(reader: Reader): string {
  const { text } = reader
  let result = ''
  let from = reader.position + 1
  for (let at = from; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === code.doubleQuote) {
      reader.position = at + 1
      return result + text.slice(from, at)
    }
    if (character === code.newline || character === code.carriageReturn) break
    if (character !== code.backslash) continue
    const meant = escapes.get(text[at + 1] ?? '') ?? codePoint(text, at)
    if (meant === undefined) break
    result += text.slice(from, at) + meant
    at += text[at + 1] === 'u' ? 5 : text[at + 1] === 'U' ? 9 : 1
    from = at + 1
  }
  return giveUp(reader) ?? ''
}

const isSeveralLines = (text: string): boolean => text.includes('\n') || text.includes('\r')

/** A character by its number, `\u00e9` or `\U0001f600`; undefined for what is none. */
function codePoint(text: string, at: number): string | undefined {
  const digits = /^\\(?:u([\dA-Fa-f]{4})|U([\dA-Fa-f]{8}))$/.exec(text.slice(at, at + (text[at + 1] === 'U' ? 10 : 6)))
  const number = Number.parseInt(digits?.[1] ?? digits?.[2] ?? '', 16)
  // Half a character, and none at all, are left to the full parser.
  if (Number.isNaN(number) || number > 0x10ffff || (number >= 0xd800 && number <= 0xdfff)) return undefined
  return String.fromCodePoint(number)
}
