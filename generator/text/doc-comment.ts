import { hiddenCharacters } from './literals.js'

const width = 120

/**
 * A documentation comment, on one line if it fits. It accepts any text: it splits what would end the comment, and names
 * hidden characters.
 *
 * @param paragraphs each begins on a new line; line ends inside are kept
 * @param indentation the number of columns before the comment; the text wraps at 120
 * @returns the lines, not indented; none without text
 */
export function docComment(paragraphs: readonly string[], indentation: number): readonly string[] {
  const lines = paragraphs.flatMap(paragraph => wrap(harmless(paragraph), width - indentation - ' * '.length))
  const [only] = lines
  if (only === undefined) return []
  if (lines.length === 1 && only.length <= width - indentation - '/** '.length - ' */'.length) return [`/** ${only} */`]
  return ['/**', ...lines.map(line => (line === '' ? ' *' : ` * ${line}`)), ' */']
}

function harmless(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replaceAll('\t', ' ')
    .replace(hiddenCharacters, character => (character === '\n' ? character : codePointName(character)))
    .replaceAll('*/', '*\\/')
}

const codePointName = (character: string): string =>
  `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`

/** Breaks at spaces; a word that is longer than a line keeps its length. */
function wrap(text: string, columns: number): readonly string[] {
  const whole = text.trim()
  // The most frequent case.
  if (whole !== '' && whole.length <= columns && !/\n| {2}/.test(whole)) return [whole]
  const lines = whole.split('\n')
  return lines.flatMap(line => {
    const wrapped: string[] = []
    let current = ''
    for (const word of line.split(' ').filter(part => part !== '')) {
      if (current !== '' && current.length + 1 + word.length > columns) {
        wrapped.push(current)
        current = word
      } else current = current === '' ? word : `${current} ${word}`
    }
    if (current !== '') wrapped.push(current)
    else if (lines.length > 1) wrapped.push('')
    return wrapped
  })
}
