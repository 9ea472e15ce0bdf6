import type { Law, Laws } from './laws.js'
import { isFalse, isTrue, type Truth } from './truth.js'

/** How two values stand to each other: the sum of those that are possible. */
export type Signs = number

export const isLess: Signs = 1
export const isEqual: Signs = 2
export const isGreater: Signs = 4
export const anySign: Signs = 7

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
function folds({ possible, certain }: Law, ...others: readonly Fold[]): readonly Fold[] {
  return [...(certain ? [] : [asIs]), ...(possible ? others : [])]
}

/** Every way in which two texts may be made comparable; how other letters than ASCII lose their case differs by service. */
function* foldings(a: string, b: string, caseLaw: Law, laws: Laws, isFunction: boolean): Generator<Fold> {
  const isPlain = ascii.test(a) && ascii.test(b)
  const maybe = (law: Law): Law => (isFunction ? { ...law, certain: false } : law)
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
function isPlainly(caseLaw: Law, { accentsFold, trailingSpacesFold, normalizationFolds }: Laws): boolean {
  return !(caseLaw.possible || accentsFold.possible || trailingSpacesFold.possible || normalizationFolds.possible)
}

/** Comparisons that are kept: those of as many rows as are compared again and again, with what they are compared to. */
const mostKnown = 200_000

interface KnownSigns {
  readonly byText: Map<string, Map<string, Signs>>
  pairs: number
}

const signsByLaw = new WeakMap<Laws, Map<Law, KnownSigns>>()

/** The comparisons that were made under the same laws. */
function knownSigns(caseLaw: Law, laws: Laws): KnownSigns {
  const byLaw = signsByLaw.get(laws) ?? new Map<Law, KnownSigns>()
  signsByLaw.set(laws, byLaw)
  const before = byLaw.get(caseLaw)
  if (before !== undefined && before.pairs < mostKnown) return before
  const known: KnownSigns = { byText: new Map(), pairs: 0 }
  byLaw.set(caseLaw, known)
  return known
}

/** How two texts may stand to each other, with the law that letter case follows. */
export function textSigns(a: string, b: string, caseLaw: Law, laws: Laws): Signs {
  if (a === b) return isEqual
  if (isPlainly(caseLaw, laws)) return ordinalSigns(a, b)
  const known = knownSigns(caseLaw, laws)
  const ofText = known.byText.get(a) ?? new Map<string, Signs>()
  const before = ofText.get(b)
  if (before !== undefined) return before
  const signs = foldedSigns(a, b, caseLaw, laws)
  known.byText.set(a, ofText.set(b, signs))
  known.pairs++
  return signs
}

function foldedSigns(a: string, b: string, caseLaw: Law, laws: Laws): Signs {
  let signs: Signs = 0
  for (const fold of foldings(a, b, caseLaw, laws, false)) {
    signs |= ordinalSigns(fold(a), fold(b))
    if (signs === anySign) break
  }
  return signs
}

/** By code units, and by code points where that makes a difference: services go by either. */
function ordinalSigns(a: string, b: string): Signs {
  if (a === b) return isEqual
  const byUnits = a < b ? isLess : isGreater
  return surrogate.test(a) || surrogate.test(b) ? byUnits | pointSigns(a, b) : byUnits
}

function pointSigns(a: string, b: string): Signs {
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
export function textMatches(match: TextMatch, whole: string, part: string, laws: Laws): Truth {
  if (isPlainly(laws.functionsFoldCase, laws)) return matches(match, whole, part) ? isTrue : isFalse
  let truth: Truth = 0
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
