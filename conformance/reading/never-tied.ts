/** Some services sort by the beginning of long texts only. */
const beginning = 60

/**
 * Whether one of two texts comes before the other in every order that a service may reasonably have, be it by code points or
 * by the rules of a language, which may pass over case, digits' leading zeros, spaces and punctuation.
 */
export function neverTied(left: string, right: string): boolean {
  const [a, b] = [lettersOf(left), lettersOf(right)]
  return a !== undefined && b !== undefined && a !== b
}

/** The letters near the beginning, those as one that the alphabet of some language takes for one. */
function lettersOf(text: string): string | undefined {
  const start = text.slice(0, beginning)
  if (!/^[\x20-\x7e]*$/.test(start)) return undefined
  return start
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
    .replaceAll(/[jy]/g, 'i')
    .replaceAll(/[vw]/g, 'u')
}
