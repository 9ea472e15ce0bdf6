import {
  dateEnd,
  dateTimeOffsetEnd,
  defaultPatternSteps,
  type GeoShape,
  geographyDistance,
  geometryDistance,
  geoShape,
  guidEnd,
  intersects,
  isBinary,
  isDuration,
  lineLength,
  PatternTooSlow,
  type Position,
  patternMatcher,
  timeOfDayEnd,
} from '../../runtime/query/index.js'
import { boundedCache } from '../../runtime/server/index.js'
import { wordsOf } from '../search.js'
import * as decimal from '../values/exact-decimal.js'
import { compareExactly, type ExactNumber, negated, rounded } from '../values/exact-decimal.js'
import { decimalDigits, sortableDecimal, storedNumber } from '../values/sortable-decimal.js'
import {
  addToDate,
  addToInstant,
  formatDuration,
  parseDuration,
  secondsBetweenDates,
  secondsBetweenInstants,
  storedDate,
  storedInstant,
  storedTimeOfDay,
} from '../values/temporal.js'
import { StoreError } from './dialect.js'

const maxDigits = 400
const integerText = /^[+-]?\d+$/
const numberText = /^([+-]?)(\d+(?:\.\d+)?)(?:[Ee]([+-]?\d{1,3}))?$/
const notFinite: Readonly<Record<string, number | 'NaN'>> = {
  INF: Number.POSITIVE_INFINITY,
  '-INF': Number.NEGATIVE_INFINITY,
  NaN: 'NaN',
}

/**
 * The casts for which SQLite's `CAST` gives a different result: function names, and functions on values as SQLite passes
 * them. Null: the value does not fit.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.10.1
 */
const castFunctions: ReadonlyMap<string, (...values: readonly unknown[]) => unknown> = new Map<
  string,
  (...values: readonly unknown[]) => unknown
>([
  ['integer_to_text', value => decimalText(value)],
  ['decimal_to_text', value => decimalText(value)],
  ['double_to_text', value => wordOf(value) ?? String(Number(value))],
  ['duration_to_text', value => formatDuration(Number(value))],
  ['number_to_integer', (value, least, most) => inRange(exactOf(value), least, most)],
  ['number_to_decimal', value => exactOf(value)],
  ['number_to_double', value => numberToDouble(value, false)],
  ['number_to_single', value => numberToDouble(value, true)],
  [
    'text_to_integer',
    (text, least, most) => (integerText.test(String(text)) ? inRange(exactOf(plain(text)), least, most) : null),
  ],
  ['text_to_decimal', text => exactOf(plain(text))],
  ['text_to_double', text => numberToDouble(plainOrWord(text), false)],
  ['text_to_single', text => numberToDouble(plainOrWord(text), true)],
  ['text_to_guid', whole((text, end) => (guidEnd(text, 0) === end ? text.toLowerCase() : null))],
  ['text_to_binary', text => (isBinary(String(text)) ? String(text).replace(/=+$/, '') : null)],
  ['text_to_date', whole((text, end) => (dateEnd(text, 0) === end ? storedDate(text) : null))],
  ['text_to_dateTimeOffset', whole((text, end) => castInstant(text, end) ?? castInstant(`${text}Z`, end + 1))],
  ['text_to_timeOfDay', whole((text, end) => (timeOfDayEnd(text, 0) === end ? storedTimeOfDay(text) : null))],
  ['text_to_duration', whole((text, end) => (end <= maxDigits && isDuration(text) ? parseDuration(text) : null))],
])

function whole(read: (text: string, end: number) => unknown): (value: unknown) => unknown {
  return value => read(String(value), String(value).length)
}

function castInstant(text: string, end: number): string | null {
  return dateTimeOffsetEnd(text, 0) === end ? (storedInstant(text) ?? null) : null
}

/** A number in a canonical notation: no plus sign, and a sign before the exponent; null if the text is not a number. */
function plain(text: unknown): string | null {
  const [, sign = '', digits, exponent = '0'] = numberText.exec(String(text).slice(0, maxDigits + 1)) ?? []
  if (digits === undefined || String(text).length > maxDigits) return null
  return `${sign === '-' ? '-' : ''}${digits}e${Number(exponent) < 0 ? exponent : `+${Number(exponent)}`}`
}

function plainOrWord(text: unknown): unknown {
  return Object.hasOwn(notFinite, String(text)) ? notFinite[String(text)] : plain(text)
}

/** The exact number; for a double, the one with the shortest digits; null for infinity and NaN. */
function exactOf(value: unknown): ExactNumber | null {
  if (value === null || value === 'NaN' || (typeof value === 'number' && !Number.isFinite(value))) return null
  return negated(negated(value))
}

function inRange(value: ExactNumber | null, least: unknown, most: unknown): ExactNumber | null {
  if (value === null) return null
  const nearest = rounded('round', value)
  return compareExactly(nearest, least) < 0 || compareExactly(nearest, most) > 0 ? null : nearest
}

/** A number that would become infinite does not fit. */
function numberToDouble(value: unknown, isSingle: boolean): number | 'NaN' | null {
  if (value === null || value === 'NaN') return value
  const number = isSingle ? Math.fround(Number(value)) : Number(value)
  return Number.isFinite(number) || (typeof value === 'number' && !Number.isFinite(value)) ? number : null
}

function wordOf(value: unknown): string | undefined {
  return Object.keys(notFinite).find(word => notFinite[word] === value)
}

function decimalText(value: unknown): string {
  return wordOf(value) ?? String(exactOf(value))
}

/** A connection that takes functions: a `Database` of better-sqlite3, or a `DatabaseSync` of Node.js. */
interface SqliteConnection {
  function(name: string, options: SqliteFunctionOptions, work: (...values: unknown[]) => unknown): unknown
}

/** The options in the words of better-sqlite3 and of Node.js. */
interface SqliteFunctionOptions {
  readonly deterministic: boolean
  readonly varargs: boolean
  readonly safeIntegers: boolean
  readonly useBigIntArguments: boolean
}

const functionOptions: SqliteFunctionOptions = {
  deterministic: true,
  varargs: true,
  safeIntegers: true,
  useBigIntArguments: true,
}

/**
 * The time limit of spatial functions in one statement, in milliseconds. Their arguments can be as complex as a
 * caller likes.
 */
const longest = 10_000

/**
 * Adds the functions that SQLite lacks: Unicode letter case, patterns, exact decimal arithmetic, casts, times and spatial
 * functions. Null stays null.
 *
 * @param patternSteps the steps that matching patterns may take in one statement
 */
export function addSqliteFunctions(database: SqliteConnection, patternSteps = defaultPatternSteps): void {
  const add = (name: string, length: number, work: (...values: never[]) => unknown): void => {
    database.function(name, functionOptions, (...values: unknown[]) => {
      if (values.length !== length) throw new TypeError(`${name} takes ${length} arguments.`)
      return values.includes(null) ? null : Reflect.apply(work, undefined, values)
    })
  }
  add('unicode_lower', 1, (text: unknown) => String(text).toLowerCase())
  add('unicode_upper', 1, (text: unknown) => String(text).toUpperCase())
  add('search_words', 1, (text: unknown) => ` ${wordsOf(String(text)).join(' ')} `)
  const matches = boundedMatcher(patternSteps)
  add('matches_pattern', 2, (text: unknown, pattern: unknown) => Number(matches(String(text), String(pattern))))
  const spentOf = perStatement(() => ({ bytes: 0 }))
  add('within_page', 2, (size: unknown, most: unknown) => {
    const spent = spentOf()
    spent.bytes += Number(size)
    if (spent.bytes > Number(most)) throw new StoreError('pageTooLarge', undefined)
    return 1
  })
  for (const operator of ['add', 'sub', 'mul', 'div', 'divby', 'mod'] as const) {
    for (const kind of ['integer', 'decimal', 'double'] as const) {
      add(`${kind}_${operator}`, 2, (a: unknown, b: unknown) => decimal.calculate(operator, a, b, kind))
    }
  }
  add('exact_sum', 1, (list: unknown) => sumOfList(list, 'decimal'))
  // A statement asks for all parts of a number, one after the other.
  let last: { readonly value: unknown; readonly parts: readonly number[] | undefined } | undefined
  add('exact_part', 2, (value: unknown, index: unknown) => {
    if (last?.value !== value) last = { value, parts: decimal.partsOf(value) }
    const part = last?.parts?.[Number(index)]
    if (part === undefined) throw new StoreError('outOfRange', undefined)
    return part
  })
  add('exact_joined', decimal.numberParts, (...parts: readonly unknown[]) => decimal.joinedParts(parts))
  add('double_sum', 1, (list: unknown) => sumOfList(list, 'double'))
  for (const mode of ['round', 'floor', 'ceiling'] as const) {
    add(`exact_${mode}`, 1, (value: unknown) => decimal.rounded(mode, value))
  }
  add('exact_negated', 1, (value: unknown) => decimal.negated(value))
  add('exact_compared', 2, (a: unknown, b: unknown) => decimal.compareExactly(a, b))
  add('nearest_number', 1, (value: unknown) => decimal.nearestNumber(value))
  add('decimal_digits', 1, decimalDigits)
  add('json_decimal', 1, (stored: unknown) => String(storedNumber(stored)))
  add('sortable_decimal', 1, (value: unknown) => sortableDecimal(String(value)) ?? null)
  add('date_moved', 2, (date: unknown, seconds: unknown) => addToDate(String(date), Number(seconds)))
  add('instant_moved', 2, (instant: unknown, seconds: unknown) => addToInstant(String(instant), Number(seconds)))
  add('date_between', 2, (later: unknown, earlier: unknown) => secondsBetweenDates(String(later), String(earlier)))
  add('instant_between', 2, (later: unknown, earlier: unknown) =>
    secondsBetweenInstants(String(later), String(earlier)),
  )
  for (const [name, cast] of castFunctions) add(name, name.endsWith('_to_integer') ? 3 : 1, cast)
  for (const [name, length, work] of geoFunctions()) add(name, length, withTimeLimit(work, longest))
  add('json_number', 1, jsonNumber)
  add('duration_seconds', 1, (text: unknown) => parseDuration(String(text)))
}

/** The sum of a JSON array of numbers as texts, without nulls; null if there are none. */
function sumOfList(list: unknown, kind: 'decimal' | 'double'): unknown {
  const items: unknown = JSON.parse(String(list))
  let sum: decimal.ExactNumber | null = null
  for (const item of Array.isArray(items) ? items : []) {
    if (item === null) continue
    const number = kind === 'double' ? doubleOf(item) : item
    sum = sum === null && kind === 'decimal' ? String(number) : decimal.calculate('add', sum ?? 0, number, kind)
  }
  return sum
}

function doubleOf(text: unknown): number {
  const plain = String(text).replaceAll('"', '')
  return Number(plain.replace('INF', 'Infinity'))
}

/** The number of compiled patterns in the cache. */
const maxPatterns = 100

/** Whether a checked pattern matches in a text. All matches of a statement share its steps. */
function boundedMatcher(steps: number): (text: string, pattern: string) => boolean {
  const matcherFor = boundedCache(maxPatterns, patternMatcher)
  const budgetOf = perStatement(() => ({ left: steps }))
  return (text, pattern) => {
    try {
      return matcherFor(pattern)(text, budgetOf())
    } catch (error) {
      throw error instanceof PatternTooSlow ? new StoreError('patternTooSlow', error) : error
    }
  }
}

/** A value for each statement. A statement is synchronous: it ends before the next microtask. */
function perStatement<Value>(make: () => Value): () => Value {
  let current: { readonly value: Value } | undefined
  return () => {
    if (current === undefined) {
      current = { value: make() }
      queueMicrotask(() => {
        current = undefined
      })
    }
    return current.value
  }
}

/** A function on GeoJSON texts; null for a shape of the wrong kind. */
type GeoFunction = (...texts: readonly unknown[]) => number | null

const distances = { geography: geographyDistance, geometry: geometryDistance }

/** Spatial functions on GeoJSON, with their SQLite names and the number of arguments. */
function geoFunctions(): readonly (readonly [name: string, length: number, work: GeoFunction])[] {
  const families = ['geography', 'geometry'] as const
  return [
    ...families.flatMap(family => [
      [`${family}_distance`, 2, distanceFunction(distances[family])] as const,
      [`${family}_length`, 1, lengthFunction(distances[family])] as const,
    ]),
    ['geo_intersects', 2, intersectsFunction()],
  ]
}

type Distance = (from: Position, to: Position) => number

function distanceFunction(distance: Distance): GeoFunction {
  const fromOf = shapeReader()
  const toOf = shapeReader()
  return (one, other) => {
    const from = fromOf(one)
    const to = toOf(other)
    return from?.kind === 'point' && to?.kind === 'point' ? distance(from.position, to.position) : null
  }
}

function lengthFunction(distance: Distance): GeoFunction {
  const lineOf = shapeReader()
  return text => {
    const line = lineOf(text)
    return line?.kind === 'line' ? lineLength(line.positions, distance) : null
  }
}

function intersectsFunction(): GeoFunction {
  const pointOf = shapeReader()
  const polygonOf = shapeReader()
  return (one, other) => {
    const point = pointOf(one)
    const polygon = polygonOf(other)
    return point?.kind === 'point' && polygon?.kind === 'polygon'
      ? Number(intersects(point.position, polygon.rings))
      : null
  }
}

/** Caches the last shape. A literal of a query is passed again for each row. */
function shapeReader(): (text: unknown) => GeoShape | undefined {
  let last: { readonly text: unknown; readonly shape: GeoShape | undefined } = { text: '', shape: undefined }
  return text => {
    if (last.text !== text) last = { text, shape: geoShape(JSON.parse(String(text))) }
    return last.shape
  }
}

const words: ReadonlyMap<unknown, string> = new Map([
  [Number.POSITIVE_INFINITY, '"INF"'],
  [Number.NEGATIVE_INFINITY, '"-INF"'],
])

/**
 * A stored number as JSON. NaN is stored as text.
 *
 * @see OData JSON Format 4.01, 7.1
 */
function jsonNumber(stored: unknown): string {
  if (typeof stored === 'string') return JSON.stringify(stored)
  const number = Number(stored)
  return words.get(number) ?? JSON.stringify(number)
}

/**
 * Limits the total time of a function that a statement calls for each row. SQLite runs inside this process, and everything
 * else waits for it. A running call is not interrupted.
 *
 * @param longest the time limit per statement in milliseconds
 * @throws {StoreError} `tooSlow`, from the returned function
 */
export function withTimeLimit<Given extends readonly unknown[], Value>(
  work: (...given: Given) => Value,
  longest: number,
  now: () => number = () => performance.now(),
): (...given: Given) => Value {
  const timeOf = perStatement(() => ({ spent: 0 }))
  return (...given) => {
    const time = timeOf()
    if (time.spent > longest) throw new StoreError('tooSlow', new Error(`One function took more than ${longest} ms.`))
    const start = now()
    try {
      return work(...given)
    } finally {
      time.spent += now() - start
    }
  }
}
