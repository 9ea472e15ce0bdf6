import type { ComparisonSemantics, Deviation } from './comparison-semantics.js'
import { isFalse, isTrue, type TruthSet } from './truth-set.js'

/** How two values stand to each other: the sum of those that are possible. */
export type Orderings = number

export const isLess: Orderings = 1
export const isEqual: Orderings = 2
export const isGreater: Orderings = 4
export const anyOrdering: Orderings = 7

export type TextMatch = 'contains' | 'startswith' | 'endswith'

type Fold = (text: string) => string

const asIs: Fold = text => text
const withoutAccents: Fold = text => text.normalize('NFD').replace(/\p{M}/gu, '')
const composed: Fold = text => text.normalize('NFC')
const lower: Fold = text => text.toLowerCase()
const upper: Fold = text => text.toUpperCase()
const lowerAscii: Fold = text => text.replace(/[A-Z]/g, letter => letter.toLowerCase())

/** Takes U+0020 away at the end, as padded columns of databases do. */
const withoutTrailingSpaces: Fold = text => {
  let end = text.length
  while (end > 0 && text.charCodeAt(end - 1) === 0x20) end -= 1
  return text.slice(0, end)
}

const ascii = /^[\0-\x7F]*$/
const surrogate = /[\uD800-\uDFFF]/

/** The folds to try: the plain one unless the other is certain, the other where it is possible. */
function folds({ possible, certain }: Deviation, ...others: readonly Fold[]): readonly Fold[] {
  return [...(certain ? [] : [asIs]), ...(possible ? others : [])]
}

/** Every way in which two texts may be made comparable; how other letters than ASCII lose their case differs by service. */
function* foldings(
  a: string,
  b: string,
  caseLaw: Deviation,
  laws: ComparisonSemantics,
  isFunction: boolean,
): Generator<Fold> {
  const isPlain = ascii.test(a) && ascii.test(b)
  const maybe = (law: Deviation): Deviation => (isFunction ? { ...law, certain: false } : law)
  const endsInSpace = a.endsWith(' ') || b.endsWith(' ')
  const bySpace = endsInSpace ? folds(maybe(laws.trailingSpacesFold), withoutTrailingSpaces) : [asIs]
  const byForm = isPlain ? [asIs] : folds(maybe(laws.normalizationFolds), composed)
  const byAccent = isPlain ? [asIs] : folds({ ...laws.accentsFold, certain: false }, withoutAccents)
  const byCase = folds(caseLaw, lower, upper, ...(isPlain ? [] : [lowerAscii]))
  for (const space of bySpace) {
    for (const form of byForm) {
      for (const accent of byAccent) for (const casing of byCase) yield text => casing(accent(form(space(text))))
    }
  }
}

/** Whether nothing is folded, as far as is known. */
function isPlainly(
  caseLaw: Deviation,
  { accentsFold, trailingSpacesFold, normalizationFolds }: ComparisonSemantics,
): boolean {
  return !(caseLaw.possible || accentsFold.possible || trailingSpacesFold.possible || normalizationFolds.possible)
}

/** Comparisons that are kept: those of as many rows as are compared again and again, with what they are compared to. */
const maxCachedPairs = 200_000

interface OrderingCache {
  readonly byText: Map<string, Map<string, Orderings>>
  pairs: number
}

const orderingsBySemantics = new WeakMap<ComparisonSemantics, Map<Deviation, OrderingCache>>()

/** The comparisons that were made under the same laws. */
function cachedOrderings(caseLaw: Deviation, laws: ComparisonSemantics): OrderingCache {
  const byLaw = orderingsBySemantics.get(laws) ?? new Map<Deviation, OrderingCache>()
  orderingsBySemantics.set(laws, byLaw)
  const before = byLaw.get(caseLaw)
  if (before !== undefined && before.pairs < maxCachedPairs) return before
  const known: OrderingCache = { byText: new Map(), pairs: 0 }
  byLaw.set(caseLaw, known)
  return known
}

/** How two texts may stand to each other, with the law that letter case follows. */
export function textOrderings(a: string, b: string, caseLaw: Deviation, laws: ComparisonSemantics): Orderings {
  if (a === b) return isEqual
  if (isPlainly(caseLaw, laws)) return ordinalOrderings(a, b)
  const known = cachedOrderings(caseLaw, laws)
  const ofText = known.byText.get(a) ?? new Map<string, Orderings>()
  const before = ofText.get(b)
  if (before !== undefined) return before
  const signs = foldedOrderings(a, b, caseLaw, laws)
  known.byText.set(a, ofText.set(b, signs))
  known.pairs++
  return signs
}

function foldedOrderings(a: string, b: string, caseLaw: Deviation, laws: ComparisonSemantics): Orderings {
  let signs: Orderings = 0
  for (const fold of foldings(a, b, caseLaw, laws, false)) {
    signs |= ordinalOrderings(fold(a), fold(b))
    if (signs === anyOrdering) break
  }
  return signs
}

/** By code units, and by code points where that makes a difference: services go by either. */
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
export function textMatches(match: TextMatch, whole: string, part: string, laws: ComparisonSemantics): TruthSet {
  if (isPlainly(laws.functionsFoldCase, laws)) return matches(match, whole, part) ? isTrue : isFalse
  let truth: TruthSet = 0
  for (const fold of foldings(whole, part, laws.functionsFoldCase, laws, true)) {
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
