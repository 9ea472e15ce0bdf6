import { lineWidth } from './layout.js'

/** A string as a TypeScript literal in single quotes, or in double quotes when only those spare an escape. */
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

/** Text that holds no hidden characters but line breaks, as a template literal that means it, line by line. */
export function templateLiteral(text: string): string {
  return `\`${text.replace(/\\|`|\$(?=\{)/g, '\\$&')}\``
}

/**
 * Plain data as JSON of which everything can be seen: on one line where that fits, else one member a line. Members that
 * are undefined are left out.
 *
 * @param indentation how many columns the line that it begins on is indented by
 */
export function dataLiteral(value: unknown, indentation = 0): string {
  if (typeof value !== 'object' || value === null) return visible(JSON.stringify(value))
  const inner = indentation + 2
  if (Array.isArray(value))
    return brackets(
      '[',
      value.map(item => dataLiteral(item, inner)),
      ']',
      indentation,
    )
  const members: string[] = []
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) members.push(`${visible(JSON.stringify(name))}: ${dataLiteral(member, inner)}`)
  }
  return brackets('{', members, '}', indentation)
}

function brackets(open: string, items: readonly string[], close: string, indentation: number): string {
  const flatLength = items.reduce((length, item) => length + item.length + 2, indentation + 2)
  if (flatLength <= lineWidth && !items.some(item => item.includes('\n'))) return open + items.join(', ') + close
  const margin = ' '.repeat(indentation)
  return `${open}\n${items.map(item => `${margin}  ${item}`).join(',\n')}\n${margin}${close}`
}

function visible(text: string): string {
  return text.replace(hiddenCharacters, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/**
 * Characters that a reader cannot see, or that change how the text around them is shown or parsed: controls, line and
 * paragraph separators, zero-width and bidirectional marks, lone surrogates.
 */
export const hiddenCharacters =
  /[\0-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|\p{Cs}/gu
