import { compareValues } from './compare.js'
import type { EvaluationContext } from './paths.js'
import { floored, integerOf, negative, type Rational } from './rational.js'
import { calendarOf, daysOf, localOf, ticksInDay, ticksInSecond } from './temporal.js'
import { type TextMatch, textMatches } from './text.js'
import { anyTruth, isFalse, isNull, isTrue, type TruthSet } from './truth-set.js'
import { combineValues, mapValues, type PossibleValues, type Value, type ValueContext } from './values.js'

/** Minutes ahead of UTC, if the service keeps the offset; otherwise 0. */
function offsetMinutes(value: PossibleValues): PossibleValues {
  return mapValues(value, each => {
    if (each === null) return [null]
    if (typeof each === 'boolean' || each.kind !== 'instant') return 'unknown'
    return [...new Set([0, each.offset])].map(offset => ({
      kind: 'number' as const,
      value: integerOf(offset),
      isInteger: true,
      approximate: false,
    }))
  })
}

export function isTextMatch(name: string): name is TextMatch {
  return name === 'contains' || name === 'startswith' || name === 'endswith'
}

/** The possible results of `contains`, `startswith` or `endswith`. */
export function matchText(
  match: TextMatch,
  whole: PossibleValues,
  part: PossibleValues,
  { semantics }: ValueContext,
): TruthSet {
  if (whole === 'unknown' || part === 'unknown') return anyTruth
  let truth: TruthSet = 0
  for (const a of whole) {
    for (const b of part) {
      if (a === null || b === null) {
        truth |=
          (semantics.functionIsTwoValued.certain ? 0 : isNull) | (semantics.functionIsTwoValued.possible ? isFalse : 0)
      } else if (isText(a) && isText(b)) truth |= textMatches(match, a.text, b.text, semantics)
      else return anyTruth
    }
  }
  return truth
}

/**
 * The possible results of a function that is not Boolean; `unknown` for functions without known semantics, such as
 * custom ones.
 */
export function callFunction(
  name: string,
  given: readonly PossibleValues[],
  context: EvaluationContext,
): PossibleValues {
  const [first = 'unknown', second] = given
  const ofTexts = textFunctions[name]
  if (ofTexts !== undefined) return mapValues(first, value => onText(value, ofTexts))
  const ofCounts = countFunctions[name]
  if (ofCounts !== undefined) return mapValues(first, value => counts(value, ofCounts, name))
  const ofMoments = temporalFunctions[name]
  if (ofMoments !== undefined) return mapValues(first, value => (value === null ? [null] : ofMoments(value)))
  switch (name) {
    case 'concat':
      return second === undefined ? 'unknown' : combineValues(first, second, concatenate)
    case 'indexof':
      return second === undefined ? 'unknown' : combineValues(first, second, (a, b) => indexes(a, b, context))
    case 'substring':
      return substring(given)
    case 'round':
      return mapValues(first, value => rounded(value, roundHalfAway))
    case 'floor':
      return mapValues(first, value => rounded(value, floored))
    case 'ceiling':
      return mapValues(first, value => rounded(value, number => -floored(negative(number))))
    case 'now':
      return [nowInterval(context.now)]
    case 'totaloffsetminutes':
      return offsetMinutes(first)
    default:
      return 'unknown'
  }
}

type TextValue = Extract<Value, { readonly kind: 'text' }>

function isText(value: Value): value is TextValue {
  return value !== null && typeof value !== 'boolean' && value.kind === 'text'
}

/** The results of all common implementations: on whole strings, or on characters whose length does not change. */
const textFunctions: Readonly<Record<string, ((text: string) => readonly string[]) | undefined>> = Object.assign(
  Object.create(null),
  {
    tolower: (text: string) => [text.toLowerCase(), byCharacter(text, each => each.toLowerCase())],
    toupper: (text: string) => [text.toUpperCase(), byCharacter(text, each => each.toUpperCase())],
    trim: (text: string) => [text.trim(), text.replace(/^ +/, '').replace(/(?<! ) +$/, '')],
  },
)

/** The functions from a string to a string. */
export const stringFunctions: readonly string[] = Object.keys(textFunctions)

/** A possible result of such a function. */
export function stringResult(name: string, text: string): string | undefined {
  return textFunctions[name]?.(text)[0]
}

/** Functions from a string to an integer. Services count code units or code points. */
const countFunctions: Readonly<Record<string, ((text: string) => readonly number[]) | undefined>> = Object.assign(
  Object.create(null),
  { length: (text: string) => [text.length, Array.from(text).length] },
)

/** The functions from a string to an integer. */
export const integerFunctions: readonly string[] = Object.keys(countFunctions)

/** A possible result of such a function. */
export function integerResult(name: string, text: string): number | undefined {
  return countFunctions[name]?.(text)[0]
}

function byCharacter(text: string, change: (character: string) => string): string {
  let changed = ''
  for (const character of text) {
    const other = change(character)
    changed += other.length === character.length ? other : character
  }
  return changed
}

function onText(value: Value, change: (text: string) => readonly string[]): PossibleValues {
  if (value === null) return [null]
  if (!isText(value)) return 'unknown'
  return [...new Set(change(value.text))].map(text => ({ kind: 'text', text }))
}

function concatenate(a: Value, b: Value): PossibleValues {
  if (a === null || b === null) return a === b ? [null] : 'unknown'
  return isText(a) && isText(b) ? [{ kind: 'text', text: a.text + b.text }] : 'unknown'
}

function integer(value: number | bigint): Value {
  return { kind: 'number', value: integerOf(value), isInteger: true, approximate: false }
}

function counts(value: Value, count: (text: string) => readonly number[], name: string): PossibleValues {
  if (value === null) return [null]
  if (isText(value)) return distinct(count(value.text))
  const isList = name === 'length' && typeof value !== 'boolean' && value.kind === 'items'
  return isList ? [integer(value.items.length)] : 'unknown'
}

function indexes(a: Value, b: Value, { semantics }: ValueContext): PossibleValues {
  if (a === null || b === null) return [null]
  if (!isText(a) || !isText(b)) return 'unknown'
  const { possible, certain } = semantics.functionsFoldCase
  if (semantics.accentsFold.possible || semantics.normalizationFolds.possible) {
    if (!/^[\0-\x7F]*$/.test(a.text + b.text)) return 'unknown'
  }
  const found: number[] = []
  if (!certain) found.push(...indexesOf(a.text, b.text))
  if (possible) found.push(...indexesOf(a.text.toLowerCase(), b.text.toLowerCase()))
  return distinct(found)
}

function indexesOf(whole: string, part: string): readonly number[] {
  const index = whole.indexOf(part)
  return index < 0 ? [index] : [index, Array.from(whole.slice(0, index)).length]
}

function distinct(numbers: readonly number[]): PossibleValues {
  return [...new Set(numbers)].map(integer)
}

function substring([whole, start, count]: readonly PossibleValues[]): PossibleValues {
  if (whole === undefined || start === undefined) return 'unknown'
  return combineValues(whole, combineValues(start, count ?? [integer(1_000_000)], pairOf), (text, pair) => {
    if (text === null || pair === null) return [null]
    if (!isText(text) || typeof pair === 'boolean' || pair.kind !== 'items') return 'unknown'
    const [from, size] = pair.items.map(smallInteger)
    if (from === undefined || size === undefined || from < 0 || size < 0) return 'unknown'
    const byUnits = text.text.slice(from, from + size)
    const byPoints = Array.from(text.text)
      .slice(from, from + size)
      .join('')
    return [...new Set([byUnits, byPoints])].map(each => ({ kind: 'text', text: each }))
  })
}

function pairOf(a: Value, b: Value): PossibleValues {
  return a === null || b === null ? [null] : [{ kind: 'items', items: [[a], [b]] }]
}

function smallInteger(possible: PossibleValues): number | undefined {
  const value = possible === 'unknown' ? undefined : possible[0]
  if (value === undefined || value === null || typeof value === 'boolean' || value.kind !== 'number') return undefined
  return value.isInteger ? Number(value.value.numerator) : undefined
}

type NumberValue = Extract<Value, { readonly kind: 'number' }>

function rounded(value: Value, round: (number: Rational) => bigint): PossibleValues {
  if (value === null) return [null]
  if (typeof value === 'boolean' || value.kind !== 'number') return 'unknown'
  if (value.approximate && isNearEdge(value)) return 'unknown'
  return [{ ...value, value: integerOf(round(value.value)), approximate: false }]
}

/** Rounds half away from zero. */
function roundHalfAway({ numerator, denominator }: Rational): bigint {
  const size = numerator < 0n ? -numerator : numerator
  const result = (2n * size + denominator) / (2n * denominator)
  return numerator < 0n ? -result : result
}

/** Whether a rounding error could change the rounded integer. */
function isNearEdge({ value: { numerator, denominator } }: NumberValue): boolean {
  const doubled = (numerator * 2_000_000n) / denominator
  const rest = ((doubled % 1_000_000n) + 1_000_000n) % 1_000_000n
  return rest < 10n || rest > 999_990n
}

type TemporalValue = Exclude<Value, null>

/** Parts of dates and times. Those of an instant are in its own offset or in UTC. */
const temporalFunctions: Readonly<Record<string, ((value: TemporalValue) => PossibleValues) | undefined>> =
  Object.assign(Object.create(null), {
    year: (value: TemporalValue) => onDay(value, days => calendarOf(days).year),
    month: (value: TemporalValue) => onDay(value, days => calendarOf(days).month),
    day: (value: TemporalValue) => onDay(value, days => calendarOf(days).day),
    hour: (value: TemporalValue) => onClock(value, ticks => ticks / ticksInSecond / 3600n),
    minute: (value: TemporalValue) => onClock(value, ticks => (ticks / ticksInSecond / 60n) % 60n),
    second: (value: TemporalValue) => onClock(value, ticks => (ticks / ticksInSecond) % 60n),
    fractionalseconds: (value: TemporalValue) => ticksToSeconds(onClock(value, ticks => ticks % ticksInSecond)),
    date: (value: TemporalValue) => onLocal(value, ({ days }) => ({ kind: 'date', days })),
    time: (value: TemporalValue) => onLocal(value, ({ ticks }) => ({ kind: 'time', ticks })),
    totalseconds: (value: TemporalValue) =>
      typeof value !== 'boolean' && value.kind === 'duration' ? ticksToSeconds([integer(value.ticks)]) : 'unknown',
  })

function onDay(value: TemporalValue, part: (days: number) => number): PossibleValues {
  if (typeof value === 'boolean') return 'unknown'
  if (value.kind === 'date') return [integer(part(value.days))]
  return onLocal(value, ({ days }) => integer(part(days)))
}

function onClock(value: TemporalValue, part: (ticks: bigint) => bigint): PossibleValues {
  if (typeof value === 'boolean') return 'unknown'
  if (value.kind === 'time') return [integer(part(value.ticks))]
  return onLocal(value, ({ ticks }) => integer(part(ticks)))
}

function onLocal(
  value: TemporalValue,
  part: (local: { readonly days: number; readonly ticks: bigint }) => Value,
): PossibleValues {
  if (typeof value === 'boolean' || value.kind !== 'instant') return 'unknown'
  const { from, to, offset } = value
  // If a hidden fraction is possible, the parts of a timestamp are known only if its shown value decides them.
  if (from !== to) return 'unknown'
  const found = [part(localOf(from, 0)), ...(offset === 0 ? [] : [part(localOf(from, offset))])]
  return found
}

function ticksToSeconds(ticks: PossibleValues): PossibleValues {
  return mapValues(ticks, value => {
    if (value === null || typeof value === 'boolean' || value.kind !== 'number') return 'unknown'
    const { numerator } = value.value
    return [{ kind: 'number', value: { numerator, denominator: ticksInSecond }, isInteger: false, approximate: false }]
  })
}

/** Clocks differ, so allow a day on either side. */
function nowInterval(now: number): Value {
  const ticks = (BigInt(Math.trunc(now)) * ticksInSecond) / 1000n
  return { kind: 'instant', from: ticks - 86_400n * ticksInSecond, to: ticks + 86_400n * ticksInSecond, offset: 0 }
}

/** `hassubset`: whether a collection contains all items of another one, in any order. */
export function hasSubset(whole: PossibleValues, part: PossibleValues, context: ValueContext): TruthSet {
  if (whole === 'unknown' || part === 'unknown' || whole.length !== 1 || part.length !== 1) return anyTruth
  const [a, b] = [whole[0], part[0]]
  if (!isItems(a) || !isItems(b)) return anyTruth
  let truth: TruthSet = isTrue
  for (const expected of b.items) {
    const found = a.items.map(item => compareValues('eq', item, expected, false, context))
    if (found.some(each => each === isTrue)) continue
    if (found.some(each => each & isTrue)) truth |= isFalse
    else return isFalse
  }
  return truth
}

function isItems(value: Value | undefined): value is Extract<Value, { readonly kind: 'items' }> {
  return value !== undefined && value !== null && typeof value !== 'boolean' && value.kind === 'items'
}

/** The earliest or latest timestamp; databases differ by thousands of years. */
export function dateTimeLimit(name: 'mindatetime' | 'maxdatetime'): PossibleValues {
  const day = (text: string): bigint => BigInt(daysOf(text) ?? 0) * ticksInDay
  const [from, to] =
    name === 'mindatetime' ? [day('-9999-01-01'), day('1902-01-01')] : [day('2038-01-19'), day('99999-12-31')]
  return [{ kind: 'instant', from, to, offset: 0 }]
}
