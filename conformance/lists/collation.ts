/** In this order in every alphabet of Latin script, and none of them doubled or joined with a vowel into another letter. */
const consonants = 'bdfgkmnprt'
const vowels = 'eiou'
const word = /^[A-Za-z]+$/

/**
 * How two words sort in every order that a service may reasonably have: by code points, without regard to case, by the
 * rules of a language. Negative when the left one comes first; absent when orders differ, or may.
 *
 * One is the beginning of the other, or they must differ first in two lower-case letters of a kind, each between such of the other kind: no language takes what
 * stands there for one letter, as some do with `ch`, `ll`, `aa` and `ny`.
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

/** Some services sort by the beginning of long texts only. */
const maxSortedLength = 60

/**
 * Whether one of two texts comes before the other in every order that a service may reasonably have, be it by code points or
 * by the rules of a language, which may pass over case, digits' leading zeros, spaces and punctuation.
 */
export function isOrderCertain(left: string, right: string): boolean {
  const [a, b] = [lettersOf(left), lettersOf(right)]
  return a !== undefined && b !== undefined && a !== b
}

/** The letters near the beginning, those as one that the alphabet of some language takes for one. */
function lettersOf(text: string): string | undefined {
  const start = text.slice(0, maxSortedLength)
  if (!/^[\x20-\x7e]*$/.test(start)) return undefined
  return start
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
    .replaceAll(/[jy]/g, 'i')
    .replaceAll(/[vw]/g, 'u')
}

/** What is left of a text when everything goes that some order may pass over: case, accents, spaces, punctuation. */
export function foldForCollation(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}
