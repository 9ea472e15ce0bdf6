import { type CharacterRange, type CharacterSet, characterSet } from './character-set.js'

/** Code points that are looked through at once. */
const chunk = 0x10_00
const surrogates = { first: 0xd8_00, last: 0xdf_ff }
const codePoints = 0x11_00_00

/** Unicode has some hundred properties; they stay as they are for as long as the process runs. */
const known = new Map<string, CharacterSet>()

/**
 * The characters that a property escape, `\p{Lu}`, stands for: those of this process, whose Unicode version an engine's need
 * not be. Surrogates are in none.
 */
export function propertySet(source: string): CharacterSet {
  const found = known.get(source) ?? characterSet([...rangesOf(new RegExp(`${source}+`, 'gu'))])
  known.set(source, found)
  return found
}

function* rangesOf(run: RegExp): Iterable<CharacterRange> {
  for (let start = 0; start < codePoints; start += chunk) {
    if (start >= surrogates.first && start <= surrogates.last) continue
    const characters = Array.from({ length: chunk }, (_, index) => String.fromCodePoint(start + index))
    for (const [found] of characters.join('').matchAll(run)) {
      const all = [...found]
      yield [codePointOf(all[0]), codePointOf(all.at(-1))]
    }
  }
}

function codePointOf(character = ''): number {
  return character.codePointAt(0) ?? 0
}
