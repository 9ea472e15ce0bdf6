import { hiddenCharacters } from './hidden-characters.js'

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
