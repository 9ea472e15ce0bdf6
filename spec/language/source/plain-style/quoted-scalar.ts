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
    const meant = escapes.get(text[at + 1] ?? '')
    if (meant === undefined) break
    result += text.slice(from, at) + meant
    at++
    from = at + 1
  }
  return giveUp(reader) ?? ''
}

const isSeveralLines = (text: string): boolean => text.includes('\n') || text.includes('\r')
