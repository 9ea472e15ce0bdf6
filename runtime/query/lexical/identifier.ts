import { DOT, isAsciiLetter, isDigit, UNDERSCORE } from './characters.js'

/** How many characters an identifier may have. @see OData ABNF, `odataIdentifier` */
export const maxIdentifierLength = 128

const leadingBeyondAscii = /[\p{L}\p{Nl}]/u
const partBeyondAscii = /[\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}\p{Cf}]/u
const firstBeyondAscii = 0x80

/**
 * The offset behind the identifier that begins at `position`, or `position` itself when none begins there.
 *
 * @see OData ABNF, `odataIdentifier`
 */
export function identifierEnd(text: string, position: number): number {
  const first = text.charCodeAt(position)
  if (isAsciiLetter(first) || first === UNDERSCORE) return partsEnd(text, position + 1)
  if (first < firstBeyondAscii || Number.isNaN(first)) return position
  const character = String.fromCodePoint(text.codePointAt(position) ?? 0)
  return leadingBeyondAscii.test(character) ? partsEnd(text, position + character.length) : position
}

function partsEnd(text: string, position: number): number {
  let end = position
  for (;;) {
    const code = text.charCodeAt(end)
    if (isAsciiLetter(code) || isDigit(code) || code === UNDERSCORE) {
      end += 1
    } else if (code >= firstBeyondAscii) {
      const character = String.fromCodePoint(text.codePointAt(end) ?? 0)
      if (!partBeyondAscii.test(character)) return end
      end += character.length
    } else {
      return end
    }
  }
}

/** The offset behind `name` or `name.name…` at `position`, or `position` when no identifier begins there. */
export function qualifiedNameEnd(text: string, position: number): number {
  let end = identifierEnd(text, position)
  while (end > position && text.charCodeAt(end) === DOT) {
    const next = identifierEnd(text, end + 1)
    if (next === end + 1) return end
    end = next
  }
  return end
}

/** Whether the whole text is one identifier of legal length. */
export function isIdentifier(text: string): boolean {
  return text.length > 0 && identifierEnd(text, 0) === text.length && !isTooLong(text)
}

/** Whether the whole text is `namespace.name`, each part an identifier of legal length. */
export function isQualifiedName(text: string): boolean {
  return text.includes('.') && text.split('.').every(isIdentifier)
}

/** Whether an identifier has more characters than allowed; a character outside the first plane counts once. */
export function isTooLong(identifier: string): boolean {
  return (
    identifier.length > maxIdentifierLength &&
    (identifier.length > 2 * maxIdentifierLength || [...identifier].length > maxIdentifierLength)
  )
}
