import { lineWidth } from './wrap-lines.js'

/**
 * Characters that a reader cannot see, or that change how the text around them is shown or parsed: controls, line and
 * paragraph separators, zero-width and bidirectional marks, lone surrogates.
 */
export const hiddenCharacters =
  /[\0-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|\p{Cs}/gu

/** A string as a TypeScript literal: in single quotes, or in double quotes if that avoids escapes. */
export function stringLiteral(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = text
    .replace(/[\\'"]/g, character => (character === '\\' || character === quote ? `\\${character}` : character))
    .replace(hiddenCharacters, escapeSequence)
  return quote + escaped + quote
}

function escapeSequence(character: string): string {
  if (character === '\n') return '\\n'
  if (character === '\r') return '\\r'
  if (character === '\t') return '\\t'
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** A union of string literals; `never` when it has no members. */
export const literalUnion = (texts: readonly string[]): string => texts.map(stringLiteral).join(' | ') || 'never'

/** Whether a text is an identifier for every compiler. Other letters depend on the Unicode version of a compiler. */
const isIdentifierName = (text: string): boolean => /^[A-Za-z_$][\w$]*$/.test(text)

/**
 * A name as the member of an interface or of an object literal: in quotes if it is not an identifier. `new` is in quotes because
 * `new(…)` in an interface is a constructor; `__proto__` is computed because in a literal it would set the prototype.
 */
export function propertyName(name: string): string {
  if (name === '__proto__') return `['__proto__']`
  return isIdentifierName(name) && name !== 'new' ? name : stringLiteral(name)
}

/**
 * Plain data as a literal, on one line if it fits, else with one member on each line. Omits undefined members.
 *
 * @param indentation of the line on which it starts
 */
export function dataLiteral(value: unknown, indentation = 0): string {
  if (typeof value === 'string') return stringLiteral(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = indentation + 2
  if (Array.isArray(value)) {
    const items = value.map(item => dataLiteral(item, inner))
    return brackets('[', items, ']', indentation)
  }
  const members: string[] = []
  for (const [name, member] of Object.entries(value)) {
    // For a name that all objects inherit, the compiler expects the inherited type, and so widens the type of the member.
    const assertion = name in Object.prototype ? ' as const' : ''
    if (member !== undefined) members.push(`${propertyName(name)}: ${dataLiteral(member, inner)}${assertion}`)
  }
  return members.length === 0 ? '{}' : brackets('{ ', members, ' }', indentation)
}

function brackets(open: string, items: readonly string[], close: string, indentation: number): string {
  const flatLength = items.reduce((length, item) => length + item.length + 2, indentation + 2)
  if (flatLength <= lineWidth && !items.some(item => item.includes('\n'))) return open + items.join(', ') + close
  const margin = ' '.repeat(indentation)
  return `${open.trim()}\n${items.map(item => `${margin}  ${item},\n`).join('')}${margin}${close.trim()}`
}
