/**
 * A text that a regular expression of anchors, characters, classes and counts matches: what specs use to shape keys and
 * codes.
 *
 * @param pick numbers from 0 up to 1
 */
export function patternText(pattern: string, pick: () => number): string {
  let text = ''
  let rest = pattern.replace(/^\^/, '').replace(/\$$/, '')
  while (rest !== '') {
    const { characters, length } = nextAtom(rest)
    rest = rest.slice(length)
    const count = nextCount(rest)
    rest = rest.slice(count.length)
    const times = count.least + Math.floor(pick() * (count.most - count.least + 1))
    for (let index = 0; index < times; index++) text += characters[Math.floor(pick() * characters.length)] ?? ''
  }
  return text
}

interface Atom {
  readonly characters: readonly string[]
  /** How much of the pattern it takes. */
  readonly length: number
}

function nextAtom(pattern: string): Atom {
  if (pattern.startsWith('\\')) return { characters: [pattern.charAt(1)], length: 2 }
  if (!pattern.startsWith('[')) return { characters: [pattern.charAt(0)], length: 1 }
  const characters: string[] = []
  let index = 1
  while (index < pattern.length && pattern[index] !== ']') {
    const escaped = pattern[index] === '\\' ? 1 : 0
    const from = pattern.charCodeAt(index + escaped)
    index += 1 + escaped
    let to = from
    if (pattern[index] === '-' && pattern[index + 1] !== ']') {
      to = pattern.charCodeAt(index + 1)
      index += 2
    }
    for (let code = from; code <= to; code++) characters.push(String.fromCharCode(code))
  }
  return { characters, length: index + 1 }
}

interface Count {
  readonly least: number
  readonly most: number
  readonly length: number
}

function nextCount(pattern: string): Count {
  if (pattern.startsWith('+')) return { least: 3, most: 8, length: 1 }
  if (pattern.startsWith('*')) return { least: 0, most: 4, length: 1 }
  if (pattern.startsWith('?')) return { least: 0, most: 1, length: 1 }
  const match = /^\{(\d+)(?:,(\d+))?\}/.exec(pattern)
  if (match === null) return { least: 1, most: 1, length: 0 }
  const [whole, least = '1', most = least] = match
  return { least: Number(least), most: Number(most), length: whole.length }
}
