import { isAsciiLetter, isDigit, MINUS, UNDERSCORE } from './characters.js'

const lastOfTwo = 'AQgw'
const lastOfThree = 'AEIMQUYcgkosw048'

/** Whether the text is base64url, with or without padding. @see OData ABNF, `binaryValue` */
export function isBinary(text: string): boolean {
  const end = text.endsWith('==') ? text.length - 2 : text.endsWith('=') ? text.length - 1 : text.length
  for (let position = 0; position < end; position += 1) {
    const code = text.charCodeAt(position)
    if (!isAsciiLetter(code) && !isDigit(code) && code !== MINUS && code !== UNDERSCORE) return false
  }
  const rest = end % 4
  const padding = text.length - end
  if (rest === 2) return padding !== 1 && lastOfTwo.includes(text.charAt(end - 1))
  if (rest === 3) return padding !== 2 && lastOfThree.includes(text.charAt(end - 1))
  return rest === 0 && padding === 0
}
