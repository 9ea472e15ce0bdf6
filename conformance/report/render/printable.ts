/** A text without what could steer a terminal: a service's answer must not. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, character => {
    if (character === '\n') return '\n'
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
  })
}
