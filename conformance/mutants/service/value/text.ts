/** The order of texts by their characters' numbers in Unicode, whatever the letters mean. */
export function byCodePoint(left: string, right: string): number {
  const a = [...left]
  const b = [...right]
  for (let index = 0; index < a.length && index < b.length; index++) {
    const difference = (a[index]?.codePointAt(0) ?? 0) - (b[index]?.codePointAt(0) ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** How two texts that are to count as equal are made so. */
export interface Folding {
  readonly letterCase: boolean
  readonly accents: boolean
  readonly trailingSpaces: boolean
  readonly normalization: boolean
}

/** A text with what does not count taken out of it. */
export function fold(text: string, folding: Folding): string {
  let folded = text
  if (folding.accents) folded = folded.normalize('NFD').replaceAll(/\p{M}/gu, '')
  if (folding.normalization) folded = folded.normalize('NFC')
  if (folding.letterCase) folded = folded.toLowerCase()
  if (folding.trailingSpaces) while (folded.endsWith(' ')) folded = folded.slice(0, -1)
  return folded
}
