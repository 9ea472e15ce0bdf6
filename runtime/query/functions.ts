import { numericOrTemporal } from './evaluate/arithmetic.js'
import { areEqual, isNumeric } from './evaluate/compare.js'
import { type Decimal, floor, fromInteger, negate, round, subtract } from './evaluate/decimal.js'
import type { Environment } from './evaluate/environment.js'
import { matchesPattern } from './evaluate/pattern.js'
import {
  dayAt,
  localParts,
  parseDate,
  parseDateTimeOffset,
  parseDuration,
  parseTimeOfDay,
} from './evaluate/temporal.js'
import {
  type DateTimeOffsetValue,
  type DateValue,
  type DurationValue,
  describeValue,
  EvaluationError,
  integer,
  type NonNullValue,
  string,
  type Value,
} from './evaluate/value.js'
import type { TypeTable } from './type-table.js'

/** How many arguments a canonical function takes: at least, at most. */
export interface Arity {
  readonly least: number
  readonly most: number
}

const none: Arity = { least: 0, most: 0 }
const one: Arity = { least: 1, most: 1 }
const two: Arity = { least: 2, most: 2 }
const twoOrThree: Arity = { least: 2, most: 3 }

/**
 * The canonical functions whose arguments are plain expressions, in lower case. `case`, `cast` and `isof` have a syntax of
 * their own.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.4 to 5.1.1.11
 */
export const canonicalFunctions: ReadonlyMap<string, Arity> = new Map([
  ['concat', two],
  ['contains', two],
  ['endswith', two],
  ['indexof', two],
  ['length', one],
  ['matchespattern', two],
  ['startswith', two],
  ['substring', twoOrThree],
  ['hassubset', two],
  ['hassubsequence', two],
  ['tolower', one],
  ['toupper', one],
  ['trim', one],
  ['date', one],
  ['day', one],
  ['fractionalseconds', one],
  ['hour', one],
  ['maxdatetime', none],
  ['mindatetime', none],
  ['minute', one],
  ['month', one],
  ['now', none],
  ['second', one],
  ['time', one],
  ['totaloffsetminutes', one],
  ['totalseconds', one],
  ['year', one],
  ['ceiling', one],
  ['floor', one],
  ['round', one],
  ['geo.distance', two],
  ['geo.intersects', two],
  ['geo.length', one],
])

/**
 * One form of a canonical function. A parameter or result is an Edm type, or
 * `integer` (any integer type), `number` (any numeric type), `collection` (any collection), and as a result `same`: the
 * type of the first argument.
 */
export interface CanonicalSignature {
  readonly parameters: readonly string[]
  readonly returns: string
}

const textType = 'Edm.String'
const timestamp = 'Edm.DateTimeOffset'

function form(parameters: readonly string[], returns: string): CanonicalSignature {
  return { parameters, returns }
}

function onTextsOrCollections(returns: string): readonly CanonicalSignature[] {
  return [form([textType, textType], returns), form(['collection', 'collection'], returns)]
}

function ofEach(types: readonly string[], returns: string): readonly CanonicalSignature[] {
  return types.map(type => form([type], returns))
}

function ofBothGeoFamilies(shapes: readonly string[], returns: string): readonly CanonicalSignature[] {
  return ['Edm.Geography', 'Edm.Geometry'].map(family =>
    form(
      shapes.map(shape => family + shape),
      returns,
    ),
  )
}

/**
 * The canonical functions whose arguments and results have fixed types. `cast`, `isof` and `case` have rules of their own.
 *
 * @see OData URL Conventions 4.01, 5.1.1.5 to 5.1.1.11
 */
export const canonicalSignatures: ReadonlyMap<string, readonly CanonicalSignature[]> = new Map([
  ['concat', onTextsOrCollections('same')],
  ['contains', onTextsOrCollections('Edm.Boolean')],
  ['endswith', onTextsOrCollections('Edm.Boolean')],
  ['startswith', onTextsOrCollections('Edm.Boolean')],
  ['indexof', onTextsOrCollections('Edm.Int32')],
  ['length', ofEach([textType, 'collection'], 'Edm.Int32')],
  [
    'substring',
    [textType, 'collection'].flatMap(of => [form([of, 'integer'], 'same'), form([of, 'integer', 'integer'], 'same')]),
  ],
  ['hassubset', [form(['collection', 'collection'], 'Edm.Boolean')]],
  ['hassubsequence', [form(['collection', 'collection'], 'Edm.Boolean')]],
  ['matchespattern', [form([textType, textType], 'Edm.Boolean')]],
  ['tolower', ofEach([textType], textType)],
  ['toupper', ofEach([textType], textType)],
  ['trim', ofEach([textType], textType)],
  ['year', ofEach([timestamp, 'Edm.Date'], 'Edm.Int32')],
  ['month', ofEach([timestamp, 'Edm.Date'], 'Edm.Int32')],
  ['day', ofEach([timestamp, 'Edm.Date'], 'Edm.Int32')],
  ['hour', ofEach([timestamp, 'Edm.TimeOfDay'], 'Edm.Int32')],
  ['minute', ofEach([timestamp, 'Edm.TimeOfDay'], 'Edm.Int32')],
  ['second', ofEach([timestamp, 'Edm.TimeOfDay'], 'Edm.Int32')],
  ['fractionalseconds', ofEach([timestamp, 'Edm.TimeOfDay'], 'Edm.Decimal')],
  ['totalseconds', ofEach(['Edm.Duration'], 'Edm.Decimal')],
  ['date', ofEach([timestamp], 'Edm.Date')],
  ['time', ofEach([timestamp], 'Edm.TimeOfDay')],
  ['totaloffsetminutes', ofEach([timestamp], 'Edm.Int32')],
  ['mindatetime', [form([], timestamp)]],
  ['maxdatetime', [form([], timestamp)]],
  ['now', [form([], timestamp)]],
  ['round', ofEach(['number'], 'same')],
  ['floor', ofEach(['number'], 'same')],
  ['ceiling', ofEach(['number'], 'same')],
  ['geo.distance', ofBothGeoFamilies(['Point', 'Point'], 'Edm.Double')],
  ['geo.intersects', ofBothGeoFamilies(['Point', 'Polygon'], 'Edm.Boolean')],
  ['geo.length', ofBothGeoFamilies(['LineString'], 'Edm.Double')],
])

/** A canonical function on arguments none of which is null. */
export type CanonicalFunction = (values: readonly NonNullValue[], types: TypeTable | undefined) => Value

/** The text of a string argument. @throws {EvaluationError} */
function textArgument(name: string, value: NonNullValue | undefined): string {
  if (value !== undefined && typeof value !== 'boolean' && value.kind === 'string') return value.text
  return wrongArgument(name, value, 'a string')
}

/** The number of an integer argument. @throws {EvaluationError} */
function integerArgument(name: string, value: NonNullValue | undefined): number {
  if (value !== undefined && typeof value !== 'boolean' && value.kind === 'integer') return Number(value.value)
  return wrongArgument(name, value, 'an integer')
}

/** Ends the evaluation: an argument is of the wrong type. */
export function wrongArgument(name: string, value: NonNullValue | undefined, expected: string): never {
  const found = value === undefined ? 'nothing' : describeValue(value)
  throw new EvaluationError(`\`${name}\` needs ${expected}, not ${found}.`)
}

type Pair =
  | { readonly kind: 'texts'; readonly whole: string; readonly part: string }
  | { readonly kind: 'collections'; readonly whole: readonly Value[]; readonly part: readonly Value[] }

/**
 * Functions on strings and, in the same sense, on ordered collections. Positions and lengths of strings count characters:
 * Unicode code points.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.5
 */
export const sequenceFunctions: Readonly<Record<string, CanonicalFunction>> = {
  concat: values => {
    const { kind, whole, part } = pairOf('concat', values)
    return kind === 'texts' ? string(whole + part) : { kind: 'collection', items: [...whole, ...part] }
  },
  contains: (values, types) => {
    const pair = pairOf('contains', values)
    return pair.kind === 'texts' ? pair.whole.includes(pair.part) : indexOfItems(pair.whole, pair.part, types) >= 0
  },
  startswith: (values, types) => {
    const pair = pairOf('startswith', values)
    return pair.kind === 'texts' ? pair.whole.startsWith(pair.part) : standsAt(pair.whole, pair.part, 0, types)
  },
  endswith: (values, types) => {
    const pair = pairOf('endswith', values)
    if (pair.kind === 'texts') return pair.whole.endsWith(pair.part)
    return standsAt(pair.whole, pair.part, pair.whole.length - pair.part.length, types)
  },
  indexof: (values, types) => {
    const pair = pairOf('indexof', values)
    if (pair.kind === 'collections') return integer(indexOfItems(pair.whole, pair.part, types))
    const index = pair.whole.indexOf(pair.part)
    return integer(index === -1 ? -1 : characterCount(pair.whole.slice(0, index)))
  },
  length: ([value]) => {
    const items = itemsOf(value)
    return integer(items === undefined ? characterCount(textArgument('length', value)) : items.length)
  },
  substring: ([value, start, count]) => {
    const items = itemsOf(value)
    if (items !== undefined) return { kind: 'collection', items: sliced(items, start, count) }
    return string(sliced([...textArgument('substring', value)], start, count).join(''))
  },
}

function pairOf(name: string, [first, second]: readonly NonNullValue[]): Pair {
  const whole = itemsOf(first)
  const part = itemsOf(second)
  if (whole !== undefined && part !== undefined) return { kind: 'collections', whole, part }
  if (whole !== undefined) return wrongArgument(name, second, 'two collections')
  return { kind: 'texts', whole: textArgument(name, first), part: textArgument(name, second) }
}

function itemsOf(value: NonNullValue | undefined): readonly Value[] | undefined {
  return value !== undefined && typeof value !== 'boolean' && value.kind === 'collection' ? value.items : undefined
}

function characterCount(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** A negative start counts from the end; a start behind the end gives nothing. */
function sliced<Item>(
  items: readonly Item[],
  start: NonNullValue | undefined,
  count: NonNullValue | undefined,
): readonly Item[] {
  const first = integerArgument('substring', start)
  const from = first < 0 ? Math.max(items.length + first, 0) : first
  if (count === undefined) return items.slice(from)
  const length = integerArgument('substring', count)
  if (length < 0) throw new EvaluationError('`substring` cannot give a negative number of characters.')
  return items.slice(from, from + length)
}

function indexOfItems(whole: readonly Value[], part: readonly Value[], types: TypeTable | undefined): number {
  for (let index = 0; index <= whole.length - part.length; index += 1) {
    if (standsAt(whole, part, index, types)) return index
  }
  return -1
}

function standsAt(
  whole: readonly Value[],
  part: readonly Value[],
  index: number,
  types: TypeTable | undefined,
): boolean {
  if (index < 0 || index + part.length > whole.length) return false
  return part.every((item, offset) => areEqual(item, whole[index + offset] ?? null, types))
}

const whitespace = /^\p{White_Space}$/u

/** @see OData 4.01 URL Conventions, 5.1.1.7 */
export const textFunctions: Readonly<Record<string, CanonicalFunction>> = {
  tolower: ([value]) => string(textArgument('tolower', value).toLowerCase()),
  toupper: ([value]) => string(textArgument('toupper', value).toUpperCase()),
  trim: ([value]) => string(trim(textArgument('trim', value))),
  matchespattern: ([value, pattern]) =>
    matchesPattern(textArgument('matchespattern', value), textArgument('matchespattern', pattern)),
}

/** Unlike `String.prototype.trim`, takes away exactly what Unicode calls white space. */
function trim(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && whitespace.test(text.charAt(start))) start += 1
  while (end > start && whitespace.test(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

/** @see OData 4.01 URL Conventions, 5.1.1.6 */
export const collectionFunctions: Readonly<Record<string, CanonicalFunction>> = {
  hassubset: ([whole, part], types) => {
    const left = [...itemsNeeded('hassubset', whole)]
    return itemsNeeded('hassubset', part).every(wanted => {
      const index = left.findIndex(item => areEqual(item, wanted, types))
      if (index === -1) return false
      left.splice(index, 1)
      return true
    })
  },
  hassubsequence: ([whole, part], types) => {
    const items = itemsNeeded('hassubsequence', whole)
    let next = 0
    return itemsNeeded('hassubsequence', part).every(wanted => {
      while (next < items.length && !areEqual(items[next] ?? null, wanted, types)) next += 1
      next += 1
      return next <= items.length
    })
  },
}

function itemsNeeded(name: string, value: NonNullValue | undefined): readonly Value[] {
  const isCollection = value !== undefined && typeof value !== 'boolean' && value.kind === 'collection'
  return isCollection ? value.items : wrongArgument(name, value, 'two collections')
}

/**
 * Parts of dates, instants, times and durations. The parts of an instant are those of the zone in which it was given.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.8
 */
export const dateTimeFunctions: Readonly<Record<string, CanonicalFunction>> = {
  year: ([value]) => integer(dayAt(dateArgument('year', value).days).year),
  month: ([value]) => integer(dayAt(dateArgument('month', value).days).month),
  day: ([value]) => integer(dayAt(dateArgument('day', value).days).day),
  hour: ([value]) => integer(floor(clockArgument('hour', value)) / 3600n),
  minute: ([value]) => integer((floor(clockArgument('minute', value)) / 60n) % 60n),
  second: ([value]) => integer(floor(clockArgument('second', value)) % 60n),
  fractionalseconds: ([value]) => {
    const seconds = clockArgument('fractionalseconds', value)
    return { kind: 'decimal', value: subtract(seconds, fromInteger(floor(seconds))) }
  },
  totalseconds: ([value]) => ({ kind: 'decimal', value: durationArgument(value).seconds }),
  date: ([value]) => localParts(instantArgument('date', value)).date,
  time: ([value]) => localParts(instantArgument('time', value)).time,
  totaloffsetminutes: ([value]) => integer(instantArgument('totaloffsetminutes', value).offset),
}

/** The argument, or, when it is a string whose type nobody declared, what it looks like. */
function typed(value: NonNullValue | undefined): Exclude<NonNullValue, boolean> | undefined {
  if (value === undefined || typeof value === 'boolean') return undefined
  if (value.kind !== 'string') return value
  const { text } = value
  return parseDateTimeOffset(text) ?? parseDate(text) ?? parseTimeOfDay(text) ?? parseDuration(text) ?? value
}

function dateArgument(name: string, argument: NonNullValue | undefined): DateValue {
  const value = typed(argument)
  if (value?.kind === 'date') return value
  return value?.kind === 'dateTimeOffset'
    ? localParts(value).date
    : wrongArgument(name, argument, 'a date, or a date and time')
}

/** Seconds since midnight. */
function clockArgument(name: string, argument: NonNullValue | undefined): Decimal {
  const value = typed(argument)
  if (value?.kind === 'timeOfDay') return value.seconds
  if (value?.kind === 'dateTimeOffset') return localParts(value).time.seconds
  return wrongArgument(name, argument, 'a date and time, or a time of day')
}

function instantArgument(name: string, argument: NonNullValue | undefined): DateTimeOffsetValue {
  const value = typed(argument)
  return value?.kind === 'dateTimeOffset' ? value : wrongArgument(name, argument, 'a date and time')
}

function durationArgument(argument: NonNullValue | undefined): DurationValue {
  const value = typed(argument)
  return value?.kind === 'duration' ? value : wrongArgument('totalseconds', argument, 'a duration')
}

/** Halves are rounded away from zero. @see OData 4.01 URL Conventions, 5.1.1.9 */
export const roundingFunctions: Readonly<Record<string, CanonicalFunction>> = {
  round: ([value]) => rounded('round', value, round, number => Math.sign(number) * Math.floor(Math.abs(number) + 0.5)),
  floor: ([value]) => rounded('floor', value, floor, Math.floor),
  ceiling: ([value]) => rounded('ceiling', value, number => -floor(negate(number)), Math.ceil),
}

function rounded(
  name: string,
  argument: NonNullValue | undefined,
  onDecimal: (number: Decimal) => bigint,
  onDouble: (number: number) => number,
): Value {
  const value = argument === undefined ? argument : numericOrTemporal(argument)
  if (value === undefined || !isNumeric(value)) return wrongArgument(name, argument, 'a number')
  switch (value.kind) {
    case 'integer':
      return value
    case 'decimal':
      return { kind: 'decimal', value: fromInteger(onDecimal(value.value)) }
    case 'double':
      return { kind: 'double', value: onDouble(value.value) }
  }
}

/** Instants that need no argument. @see OData 4.01 URL Conventions, 5.1.1.8.5, 5.1.1.8.6, 5.1.1.8.9 */
export const clockFunctions = {
  now: ({ options }: Environment): Value => instant((options.now?.() ?? new Date()).toISOString()),
  mindatetime: (): Value => instant('0001-01-01T00:00:00Z'),
  maxdatetime: (): Value => instant('9999-12-31T23:59:59.999999999999Z'),
} as const

function instant(text: string): Value {
  const value = parseDateTimeOffset(text)
  if (value === undefined) throw new EvaluationError(`${text} is no date and time.`)
  return value
}
