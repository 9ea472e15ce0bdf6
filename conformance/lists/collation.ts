/** These letters have the same order in every Latin alphabet. None of them forms a digraph with a vowel. */
const consonants = 'bdfgkmnprt'
const vowels = 'eiou'
const word = /^[A-Za-z]+$/

/**
 * How two words sort in every reasonable collation: by code points, ignoring case, or by a locale. Negative if the left
 * one comes first; absent if collations differ, or may. One word must be a prefix of the other. Or they must differ
 * first in two lower-case letters of one kind (consonants or vowels), each between letters of the other kind. No
 * language treats such letters as part of a digraph, as some do with `ch`, `ll`, `aa` and `ny`.
 */
export function orderInAllCollations(left: string, right: string): number | undefined {
  if (!word.test(left) || !word.test(right) || left === right) return undefined
  if (right.startsWith(left)) return -1
  if (left.startsWith(right)) return 1
  let at = 0
  while (at < left.length && left[at] === right[at]) at++
  for (const [own, other] of [
    [consonants, vowels],
    [vowels, consonants],
  ] as const) {
    const ranks = [left, right].map(text => (text[at] === undefined ? -1 : own.indexOf(text.charAt(at))))
    const [a = -1, b = -1] = ranks
    if (a < 0 || b < 0) continue
    const isBetween = [left, right].every(text =>
      [text[at - 1], text[at + 1]].every(next => next === undefined || other.includes(next.toLowerCase())),
    )
    return isBetween ? a - b : undefined
  }
  return undefined
}

/** Some services sort long texts by their beginning only. */
const maxSortedLength = 60

/**
 * Whether every reasonable collation orders two texts strictly. A locale may ignore case, leading zeros, spaces and
 * punctuation.
 */
export function isOrderCertain(left: string, right: string): boolean {
  const [a, b] = [lettersOf(left), lettersOf(right)]
  return a !== undefined && b !== undefined && a !== b
}

/** The first letters, with letters merged that some alphabet treats as equal. */
function lettersOf(text: string): string | undefined {
  const start = text.slice(0, maxSortedLength)
  if (!/^[\x20-\x7e]*$/.test(start)) return undefined
  return start
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
    .replaceAll(/[jy]/g, 'i')
    .replaceAll(/[vw]/g, 'u')
}

/** A text without everything that a collation may ignore: case, accents, spaces, punctuation. */
export function foldForCollation(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}
