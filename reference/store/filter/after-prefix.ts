const lastCharacter = 0x10_ff_ff

/**
 * The least text, by code points, that is greater than every text with the prefix; undefined when there is none. All texts
 * from the prefix up to it, and no others, begin with the prefix.
 */
export function afterPrefix(prefix: string): string | undefined {
  const characters = [...prefix]
  while (characters.length > 0) {
    const last = characters.pop()?.codePointAt(0) ?? lastCharacter
    if (last === lastCharacter) continue
    // Surrogates are no characters.
    const next = last === 0xd7ff ? 0xe000 : last + 1
    return characters.join('') + String.fromCodePoint(next)
  }
  return undefined
}
