import { type CharacterSet, characterSet } from './character-set.js'

/** Characters of one length in UTF-16, one after the other. */
interface Stretch {
  readonly first: number
  readonly text: string
  /** Code units of each character. */
  readonly width: 1 | 2
}

/** Unicode has some hundred properties; they stay as they are for as long as the process runs. */
const known = new Map<string, CharacterSet>()
let stretches: readonly Stretch[] | undefined

/**
 * The characters that a property escape, `\p{Lu}`, stands for: those of this process, whose Unicode version an engine's need
 * not be. Surrogates are in none.
 */
export function propertySet(source: string): CharacterSet {
  const found = known.get(source) ?? setOf(new RegExp(`${source}+`, 'gu'))
  known.set(source, found)
  return found
}

function setOf(run: RegExp): CharacterSet {
  stretches ??= [stretch(0, 0xd7_ff, 1), stretch(0xe0_00, 0xff_ff, 1), stretch(0x1_00_00, 0x10_ff_ff, 2)]
  return characterSet(
    stretches.flatMap(({ first, text, width }) =>
      [...text.matchAll(run)].map(({ index, 0: { length } }) => {
        const start = first + index / width
        return [start, start + length / width - 1] as const
      }),
    ),
  )
}

/** Code points that are written at once. */
const chunk = 0x8_00

function stretch(first: number, last: number, width: 1 | 2): Stretch {
  const parts: string[] = []
  for (let start = first; start <= last; start += chunk) {
    parts.push(String.fromCodePoint(...Array.from({ length: chunk }, (_, index) => start + index)))
  }
  return { first, text: parts.join(''), width }
}
