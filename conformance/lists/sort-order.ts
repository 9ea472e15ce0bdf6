import type { Expression, OrderbyItem, QueryOptions } from '../../runtime/query/index.js'
import type { EntityType } from '../../spec/language/index.js'
import { keyOf, type Snapshot } from '../discover/site.js'
import type { Row } from '../json.js'
import { compareForOrder } from '../oracle/compare.js'
import { comparisonSemanticsOf, type ServiceKnowledge } from '../oracle/comparison-semantics.js'
import { predict } from '../oracle/predict.js'
import type { Verdict } from '../rule/verdict.js'
import type { Session } from '../session/session.js'
import { type LeafProperty, leafProperties, leafValue, pathNames } from './properties.js'
import { readRows } from './read-rows.js'
import type { QuerySite } from './related-items.js'
import { isSameValue } from './values.js'

/** One key of `$orderby`, with its property. */
export interface SortKey {
  readonly leaf: LeafProperty
  readonly direction: OrderbyItem['direction']
}

/** The sort keys of `$orderby`; absent if one of them is not a leaf property. */
export function sortKeysOf(
  { orderby = [] }: QueryOptions,
  type: EntityType | undefined,
): readonly SortKey[] | undefined {
  const leaves = type === undefined ? [] : leafProperties(type)
  const keys = orderby.flatMap(item => {
    const path = pathNames(item)?.join('/')
    const leaf = leaves.find(each => each.path.join('/') === path)
    return leaf === undefined ? [] : [{ leaf, direction: item.direction }]
  })
  return keys.length === orderby.length && keys.length > 0 ? keys : undefined
}

/**
 * The values of a row's sort keys. An omitted value is taken from the snapshot. Timestamps have as many digits of seconds as
 * the property shows anywhere: a service that leaves out zeros at the end hides no smaller fraction than that.
 */
export function sortValues(row: Row, keys: readonly SortKey[], snapshot: Snapshot | undefined): readonly unknown[] {
  const { type } = snapshot?.site ?? {}
  const key = type === undefined ? undefined : keyOf(row, type)
  const known = key === undefined ? undefined : snapshot?.byKey.get(key)
  return keys.map(({ leaf }) => {
    const shown = leafValue(row, leaf.path)
    // Null may stand for a value that was not requested.
    const value = (shown === undefined || shown === null) && known !== undefined ? leafValue(known, leaf.path) : shown
    if (leaf.typeName !== 'Edm.DateTimeOffset' || typeof value !== 'string' || snapshot === undefined) return value
    return withDigits(value, fractionDigits(leaf, snapshot))
  })
}

const timestamp = /^(.+T\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/

function withDigits(value: string, digits: number): string {
  const [, start, fraction = '', zone] = timestamp.exec(value) ?? []
  return start === undefined || fraction.length >= digits ? value : `${start}.${fraction.padEnd(digits, '0')}${zone}`
}

const digitsByPath = new WeakMap<Snapshot, Map<string, number>>()

/** The most digits of fractions of seconds that a property shows. */
function fractionDigits({ path }: LeafProperty, snapshot: Snapshot): number {
  const known = digitsByPath.get(snapshot) ?? new Map<string, number>()
  digitsByPath.set(snapshot, known)
  const name = path.join('/')
  const digits =
    known.get(name) ??
    snapshot.rows.reduce((most, row) => {
      const value = leafValue(row, path)
      const fraction = typeof value === 'string' ? (timestamp.exec(value)?.[2] ?? '') : ''
      return Math.max(most, fraction.length)
    }, 0)
  known.set(name, digits)
  return digits
}

/** Whether a service may treat a text as equal to another one in comparisons but not in sorting. */
function mayEqualAnother(value: unknown, knowledge: ServiceKnowledge): boolean {
  if (typeof value !== 'string') return false
  if (value.endsWith(' ') && comparisonSemanticsOf(knowledge).trailingSpacesFold.possible) return true
  if (value.normalize('NFD') === value.normalize('NFC')) return false
  const { accentsFold, normalizationFolds } = comparisonSemanticsOf(knowledge)
  return accentsFold.possible || normalizationFolds.possible
}

/** The order on which all collations agree, if the collation is unknown. */
function collationOrder(
  left: unknown,
  right: unknown,
  { typeName }: LeafProperty,
  direction: OrderbyItem['direction'],
): number | undefined {
  if (typeName !== 'Edm.String' || typeof left !== 'string' || typeof right !== 'string') return undefined
  const order = orderInAllCollations(left, right)
  return order === undefined || direction === 'asc' ? order : -order
}

/** Compares two rows by their sort values: negative if the left one comes first; absent if the order is unknown. */
export function compareSorted(
  left: readonly unknown[],
  right: readonly unknown[],
  keys: readonly SortKey[],
  knowledge: ServiceKnowledge,
): number | undefined {
  for (const [index, { leaf, direction }] of keys.entries()) {
    if (left[index] === undefined || right[index] === undefined) return undefined
    if (mayEqualAnother(left[index], knowledge) || mayEqualAnother(right[index], knowledge)) return undefined
    const order =
      compareForOrder(left[index], right[index], leaf.typeName, knowledge, direction) ??
      collationOrder(left[index], right[index], leaf, direction)
    if (order === 0 && leaf.typeName === 'Edm.DateTimeOffset' && timestampsMayBeFiner(knowledge)) return undefined
    if (order !== 0) return order
  }
  return 0
}

/** Two positions in a list that are in the wrong order, and the sort key that shows it. */
export interface OrderViolation {
  readonly before: number
  readonly after: number
  readonly key: SortKey
}

/** Maximum distance to the next row whose order is known. */
const maxDistance = 12

/**
 * The first positions that violate the order of a list. Values with an unknown order are skipped, but nulls must be
 * contiguous at one end.
 *
 * @param values the sort values of each row, in the order of the list
 */
export function findOrderViolation(
  values: readonly (readonly unknown[])[],
  keys: readonly SortKey[],
  knowledge: ServiceKnowledge,
): OrderViolation | undefined {
  for (const [before, left] of values.entries()) {
    const end = Math.min(values.length, before + 1 + maxDistance)
    for (let after = before + 1; after < end; after++) {
      const right = values[after] ?? []
      const key = contradictedKey(left, right, keys, knowledge)
      if (key !== undefined) return { before, after, key }
      // Later rows are compared with that one.
      if (compareSorted(left, right, keys, knowledge) !== undefined) break
    }
  }
  return scatteredNulls(values, keys)
}

/** The key that requires the left row to come after the right one. */
function contradictedKey(
  left: readonly unknown[],
  right: readonly unknown[],
  keys: readonly SortKey[],
  knowledge: ServiceKnowledge,
): SortKey | undefined {
  for (const [index, key] of keys.entries()) {
    const order = compareSorted([left[index]], [right[index]], [key], knowledge)
    if (order === undefined || order < 0) return undefined
    if (order > 0) return key
  }
  return undefined
}

function scatteredNulls(values: readonly (readonly unknown[])[], keys: readonly SortKey[]): OrderViolation | undefined {
  const [key] = keys
  const first = values.map(([value]) => value)
  if (key === undefined || first.includes(undefined)) return undefined
  const nulls = first.flatMap((value, index) => (value === null ? [index] : []))
  const others = first.flatMap((value, index) => (value === null ? [] : [index]))
  const [firstNull, lastNull, firstOther, lastOther] = [nulls.at(0), nulls.at(-1), others.at(0), others.at(-1)]
  if (firstNull === undefined || lastNull === undefined || firstOther === undefined || lastOther === undefined) {
    return undefined
  }
  if (lastNull < firstOther || lastOther < firstNull) return undefined
  return { before: firstNull, after: firstOther > firstNull ? firstOther : lastOther, key }
}

/** The sort values of a complete list in its order. */
interface OrderedValues {
  readonly keys: readonly SortKey[]
  readonly values: readonly (readonly unknown[])[]
}

export type OrderResult =
  | { readonly kind: 'read'; readonly order: OrderedValues }
  | { readonly kind: 'ended'; readonly verdict: Verdict }

/**
 * The sort values of a list in an order. They are computed from the harvested rows if their order is known, and read
 * otherwise.
 */
export async function readOrder(
  site: QuerySite,
  session: Session,
  orderby: readonly OrderbyItem[],
  filter?: Expression,
): Promise<OrderResult> {
  const snapshot = session.snapshot(site)
  const keys = sortKeysOf({ orderby }, site.type)
  if (snapshot?.complete !== true || keys === undefined) {
    return { kind: 'ended', verdict: { kind: 'inconclusive', why: 'the list could not be read completely' } }
  }
  const rows = filter === undefined ? snapshot.rows : matchingRows(filter, snapshot, session)
  if (rows === undefined) {
    return {
      kind: 'ended',
      verdict: { kind: 'inconclusive', why: 'services may differ in which items match the filter' },
    }
  }
  const computed = computeOrder(rows, snapshot, keys, session)
  if (computed !== undefined) return { kind: 'read', order: { keys, values: computed } }
  const max = site.endpoint.query.top.max
  const size = rows.length
  const isPaged = site.endpoint.query.top.support !== 'none' && size <= (max ?? size) && size > 0
  const conditions = filter === undefined ? {} : { filter }
  const reading = await readRows(site, session, { orderby, ...conditions, ...(isPaged ? { top: size } : {}) })
  if (reading.kind === 'ended') return reading
  if (reading.listing.end !== 'complete') {
    return { kind: 'ended', verdict: { kind: 'inconclusive', why: 'the list in that order has too many pages' } }
  }
  const values = reading.listing.rows.map(row => sortValues(row, keys, snapshot))
  return { kind: 'read', order: { keys, values } }
}

/** The rows that match a filter; absent if services may differ. */
function matchingRows(filter: Expression, snapshot: Snapshot, session: Session): readonly Row[] | undefined {
  const { type } = snapshot.site
  const { must, may } = predict(filter, snapshot, session)
  if (type === undefined || must.size !== may.size) return undefined
  return snapshot.rows.filter(row => must.has(keyOf(row, type) ?? ''))
}

function computeOrder(
  rows: readonly Row[],
  snapshot: Snapshot,
  keys: readonly SortKey[],
  session: Session,
): readonly (readonly unknown[])[] | undefined {
  let isKnown = true
  const values = rows.map(row => sortValues(row, keys, snapshot))
  const sorted = [...values].sort((a, b) => {
    const order = compareSorted(a, b, keys, session)
    if (order === undefined) isKnown = false
    return order ?? 0
  })
  return isKnown ? sorted : undefined
}

/** Whether two rows may have the same position in an order: no sort value distinguishes them. */
export function mayTie(left: readonly unknown[], right: readonly unknown[], keys: readonly SortKey[]): boolean {
  return keys.every(({ leaf }, index) => {
    const [a, b] = [left[index], right[index]]
    if (a === undefined || b === undefined) return true
    if (isSameValue(a, b, leaf.property)) return true
    return (
      typeof a === 'string' &&
      typeof b === 'string' &&
      leaf.typeName === 'Edm.String' &&
      foldForCollation(a) === foldForCollation(b)
    )
  })
}

/**
 * Whether timestamps that look equal may differ. Evidence about one property does not apply to others, so rules about
 * something else must not rely on it.
 */
export function timestampsMayBeFiner({ service }: Pick<Session, 'service'>): boolean {
  return service.open.some(({ name, legal }) => name === 'timestampPrecision' && legal.includes('finer'))
}

/** These letters have the same order in every Latin alphabet. None of them forms a digraph with a vowel. */
const consonants = 'bdfgkmnprt'
const vowels = 'eiou'
const word = /^[A-Za-z]+$/

/**
 * How two words sort in every reasonable collation: by code points, ignoring case, or by a locale. Negative if the left
 * one comes first; absent if collations differ, or may. One word must be a prefix of the other, which goes on with a
 * letter of another kind than its last one. Or they must differ first in two lower-case letters of one kind (consonants
 * or vowels), each between letters of the other kind. No language treats such letters as part of a digraph, as some do
 * with `ch`, `ll`, `aa`, `ng` and `ny`.
 */
export function orderInAllCollations(left: string, right: string): number | undefined {
  if (!word.test(left) || !word.test(right) || left === right) return undefined
  if (right.startsWith(left)) return mayJoin(right, left.length) ? undefined : -1
  if (left.startsWith(right)) return mayJoin(left, right.length) ? undefined : 1
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

/** Whether a letter may form a digraph with the one before it: `ng` is a letter of its own in Welsh, after `g`. */
function mayJoin(text: string, at: number): boolean {
  const [before, letter] = [text.charAt(at - 1).toLowerCase(), text.charAt(at).toLowerCase()]
  const areMixed = (a: string, b: string): boolean => consonants.includes(a) && `a${vowels}`.includes(b)
  return !areMixed(before, letter) && !areMixed(letter, before)
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
