import type { ComparisonSemantics, Deviation } from './comparison-semantics.js'
import { isFalse, isTrue, type TruthSet } from './truth-set.js'

/** A set of possible orderings of two values, as a bit mask. */
export type Orderings = number

export const isLess: Orderings = 1
export const isEqual: Orderings = 2
export const isGreater: Orderings = 4
export const anyOrdering: Orderings = 7

export type TextMatch = 'contains' | 'startswith' | 'endswith'

type Fold = (text: string) => string

const asIs: Fold = text => text
const ascii = /^[\0-\x7F]*$/

const withoutAccents: Fold = text => (ascii.test(text) ? text : text.normalize('NFD').replace(/\p{M}/gu, ''))
const composed: Fold = text => (ascii.test(text) ? text : text.normalize('NFC'))
const lower: Fold = text => text.toLowerCase()
const upper: Fold = text => text.toUpperCase()
const lowerAscii: Fold = text => text.replace(/[A-Z]/g, letter => letter.toLowerCase())

/** Removes trailing U+0020, as padded database columns do. */
const withoutTrailingSpaces: Fold = text => {
  let end = text.length
  while (end > 0 && text.charCodeAt(end - 1) === 0x20) end -= 1
  return text.slice(0, end)
}

const surrogate = /[\uD800-\uDFFF]/

/** The folds to try: none unless the deviation is certain, and the other ones if it is possible. */
function folds({ possible, certain }: Deviation, ...others: readonly Fold[]): readonly Fold[] {
  return [...(certain ? [] : [asIs]), ...(possible ? others : [])]
}

/**
 * Every way in which a service may normalize two texts before it compares them. Services lower non-ASCII letters
 * differently.
 */
function* foldings(
  a: string,
  b: string,
  caseDeviation: Deviation,
  semantics: ComparisonSemantics,
  isFunction: boolean,
): Generator<Fold> {
  const isPlain = ascii.test(a) && ascii.test(b)
  const maybe = (law: Deviation): Deviation => (isFunction ? { ...law, certain: false } : law)
  const endsInSpace = a.endsWith(' ') || b.endsWith(' ')
  const bySpace = endsInSpace ? folds(maybe(semantics.trailingSpacesFold), withoutTrailingSpaces) : [asIs]
  const byForm = isPlain ? [asIs] : folds(maybe(semantics.normalizationFolds), composed)
  const byAccent = isPlain ? [asIs] : folds({ ...semantics.accentsFold, certain: false }, withoutAccents)
  const byCase = folds(caseDeviation, lower, upper, ...(isPlain ? [] : [lowerAscii]))
  for (const space of bySpace) {
    for (const form of byForm) {
      for (const accent of byAccent) for (const casing of byCase) yield text => casing(accent(form(space(text))))
    }
  }
}

/** Whether services certainly fold nothing. */
function isPlainly(
  caseDeviation: Deviation,
  { accentsFold, trailingSpacesFold, normalizationFolds }: ComparisonSemantics,
): boolean {
  return !(caseDeviation.possible || accentsFold.possible || trailingSpacesFold.possible || normalizationFolds.possible)
}

/** Limits the cache. It holds the comparisons of as many rows as are compared repeatedly. */
const maxCachedPairs = 400_000
/** The cache outlives a run, so it keeps no long texts. */
const maxCachedLength = 1_000

/** Cached orderings of two texts, by the folds that they depend on. They stay valid when other choices are learned. */
const orderingsByFolds = new Map<number, Map<string, Map<string, Orderings>>>()
let cachedPairs = 0

function cachedOrderings(
  caseDeviation: Deviation,
  semantics: ComparisonSemantics,
): Map<string, Map<string, Orderings>> {
  if (cachedPairs >= maxCachedPairs) {
    orderingsByFolds.clear()
    cachedPairs = 0
  }
  const { trailingSpacesFold, normalizationFolds, accentsFold } = semantics
  const byCaseAndSpace = bitsOf(caseDeviation) * 4 + bitsOf(trailingSpacesFold)
  const id = (byCaseAndSpace * 4 + bitsOf(normalizationFolds)) * 4 + bitsOf(accentsFold)
  const known = orderingsByFolds.get(id) ?? new Map<string, Map<string, Orderings>>()
  orderingsByFolds.set(id, known)
  return known
}

function bitsOf({ possible, certain }: Deviation): number {
  return (possible ? 2 : 0) + (certain ? 1 : 0)
}

/** The possible orderings of two texts, given the deviation that applies to letter case. */
export function textOrderings(
  a: string,
  b: string,
  caseDeviation: Deviation,
  semantics: ComparisonSemantics,
): Orderings {
  if (a === b) return isEqual
  if (isPlainly(caseDeviation, semantics)) return ordinalOrderings(a, b)
  const known = cachedOrderings(caseDeviation, semantics)
  const ofText = known.get(a) ?? new Map<string, Orderings>()
  const before = ofText.get(b)
  if (before !== undefined) return before
  const orderings = foldedOrderings(a, b, caseDeviation, semantics)
  if (a.length > maxCachedLength || b.length > maxCachedLength) return orderings
  known.set(a, ofText.set(b, orderings))
  cachedPairs++
  return orderings
}

function foldedOrderings(a: string, b: string, caseDeviation: Deviation, semantics: ComparisonSemantics): Orderings {
  let orderings: Orderings = 0
  for (const fold of foldings(a, b, caseDeviation, semantics, false)) {
    orderings |= ordinalOrderings(fold(a), fold(b))
    if (orderings === anyOrdering) break
  }
  return orderings
}

/** Locale-aware orders, in the variants that libraries and databases implement. */
export const localeComparisons: readonly ((a: string, b: string) => number)[] = [
  ...[{}, { ignorePunctuation: true }, { caseFirst: 'upper' } as const, { sensitivity: 'base' } as const].map(
    options => new Intl.Collator('en', options).compare,
  ),
  // Some ignore white space only, or punctuation only.
  ignoring(/\s/g),
  ignoring(/[^A-Za-z0-9\s]/g),
]

/** Compares by locale without some characters of an ASCII text. */
function ignoring(characters: RegExp): (a: string, b: string) => number {
  const { compare } = new Intl.Collator('en')
  return (a, b) => compare(a.replaceAll(characters, ''), b.replaceAll(characters, ''))
}

/**
 * The possible orderings of two texts in a service that follows a locale. Locales disagree on letters beyond ASCII.
 */
export function localeOrderings(a: string, b: string): Orderings {
  if (a === b) return isEqual
  if (!ascii.test(a) || !ascii.test(b)) return anyOrdering
  const [left, right] = [a.charCodeAt(0) | 0x20, b.charCodeAt(0) | 0x20]
  // Texts that begin with different letters need no collator, which is slow.
  if (left !== right && isLetter(left) && isLetter(right)) return left < right ? isLess : isGreater
  const name = `${a}\0${b}`
  const known = localeOrderingsByPair.get(name)
  if (known !== undefined) return known
  if (localeOrderingsByPair.size >= maxCachedPairs) localeOrderingsByPair.clear()
  let orderings: Orderings = 0
  for (const compare of localeComparisons) {
    const difference = compare(a, b)
    orderings |= difference < 0 ? isLess : difference > 0 ? isGreater : isEqual
  }
  localeOrderingsByPair.set(name, orderings)
  return orderings
}

const localeOrderingsByPair = new Map<string, Orderings>()

function isLetter(code: number): boolean {
  return code >= 0x61 && code <= 0x7a
}

/** Services compare code units or code points. */
function ordinalOrderings(a: string, b: string): Orderings {
  if (a === b) return isEqual
  const byUnits = a < b ? isLess : isGreater
  return surrogate.test(a) || surrogate.test(b) ? byUnits | codePointOrderings(a, b) : byUnits
}

function codePointOrderings(a: string, b: string): Orderings {
  let place = 0
  for (;;) {
    const left = a.codePointAt(place)
    const right = b.codePointAt(place)
    if (left === undefined || right === undefined)
      return left === right ? isEqual : right === undefined ? isGreater : isLess
    if (left !== right) return left < right ? isLess : isGreater
    place += left > 0xffff ? 2 : 1
  }
}

/** Whether a text may contain, start with or end with another. */
export function textMatches(match: TextMatch, whole: string, part: string, semantics: ComparisonSemantics): TruthSet {
  if (isPlainly(semantics.functionsFoldCase, semantics)) return matches(match, whole, part) ? isTrue : isFalse
  let truth: TruthSet = 0
  for (const fold of foldings(whole, part, semantics.functionsFoldCase, semantics, true)) {
    truth |= matches(match, fold(whole), fold(part)) ? isTrue : isFalse
  }
  return truth
}

function matches(match: TextMatch, whole: string, part: string): boolean {
  switch (match) {
    case 'contains':
      return whole.includes(part)
    case 'startswith':
      return whole.startsWith(part)
    case 'endswith':
      return whole.endsWith(part)
  }
}
