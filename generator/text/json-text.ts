import { lineWidth } from './breakable.js'
import { hiddenCharacters } from './hidden-characters.js'

/**
 * Plain data as JSON of which everything can be seen: on one line where that fits, else one member a line. Members that
 * are undefined are left out.
 *
 * @param indentation how many columns the line that it begins on is indented by
 */
export function jsonText(value: unknown, indentation = 0): string {
  if (typeof value !== 'object' || value === null) return visible(JSON.stringify(value))
  const inner = indentation + 2
  if (Array.isArray(value))
    return brackets(
      '[',
      value.map(item => jsonText(item, inner)),
      ']',
      indentation,
    )
  const members: string[] = []
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) members.push(`${visible(JSON.stringify(name))}: ${jsonText(member, inner)}`)
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
