import { sql } from 'kysely'
import { type Expression, type FunctionCall, wgs84 } from '../../runtime/query/index.js'
import { type Dialect, Placeholder, type Sql } from '../dialects/dialect.js'
import { checkedPattern } from '../pattern/checked-pattern.js'
import { malformedQuery, unsupportedQuery } from '../query-faults.js'
import type { ValueKind } from '../schema/stored-type.js'
import { instantOf } from '../values/temporal.js'
import { computed, exactSql, isFloating, numberKindOf } from './arithmetic.js'
import { castOperand, isofOperand } from './casts.js'
import { collectionFunction, isCollection } from './collection-functions.js'
import { literalAs } from './comparison.js'
import {
  conditionOf,
  copied,
  type Frame,
  type GeoTraits,
  type Operand,
  operandOf,
  type Scalar,
  scalar,
} from './frame.js'
import { constant } from './literals.js'
import { countSql } from './paths.js'

/** The placeholder for `now()`: the time of the request, a `Date`. */
export const nowPlaceholder = 'now'

/** Compiles a call of one function. */
type SqlFunction = (given: readonly Expression[], frame: Frame, name: string) => Operand

/** The SQL of each canonical function. `collection-functions.ts` has the functions that return a Boolean. */
const functions: Readonly<Record<string, SqlFunction>> = {
  tolower: textFunction((text, { lower }) => lower(text)),
  toupper: textFunction((text, { upper }) => upper(text)),
  trim: textFunction((text, { trim }) => trim(text)),
  length,
  concat: (given, frame) => stringFunction('concat', given, frame),
  indexof: (given, frame) => stringFunction('indexof', given, frame),
  substring: (given, frame) => stringFunction('substring', given, frame),
  year: temporalPart('year'),
  month: temporalPart('month'),
  day: temporalPart('day'),
  hour: temporalPart('hour'),
  minute: temporalPart('minute'),
  second: temporalPart('second'),
  fractionalseconds: temporalPart('fractionalseconds'),
  date: temporalPart('date'),
  time: temporalPart('time'),
  totaloffsetminutes: temporalPart('totaloffsetminutes'),
  totalseconds: (given, frame, name) => {
    const duration = argument(given[0], ['duration'], name, frame)
    return duration === undefined ? { kind: 'null' } : { ...duration, type: { kind: 'decimal' } }
  },
  round: rounding('round'),
  floor: rounding('floor'),
  ceiling: rounding('ceiling'),
  case: caseFunction,
  cast: castOperand,
  isof: isofOperand,
  matchespattern: matchesPattern,
  'geo.distance': geoFunction('geo.distance'),
  'geo.length': geoFunction('geo.length'),
  'geo.intersects': geoFunction('geo.intersects'),
  now: (_given, { dialect }) =>
    scalar({ kind: 'dateTimeOffset' }, dialect.bind(new Placeholder(nowPlaceholder, storedInstant), 'text'), false),
  mindatetime: (_given, frame) => constant('0001-01-01T00:00:00Z', { kind: 'dateTimeOffset' }, frame),
  maxdatetime: (_given, frame) => constant('9999-12-31T23:59:59.999999999999Z', { kind: 'dateTimeOffset' }, frame),
}

/** The result of a canonical function; null if an argument is null. */
export function callOperand({ function: name, arguments: given }: FunctionCall, frame: Frame): Operand {
  const compile = Object.hasOwn(functions, name) ? functions[name] : undefined
  if (compile === undefined) throw unsupportedQuery(frame.option, `The function '${name}' is not supported.`)
  return compile(given, frame, name)
}

/** Only queries that use the time pay for formatting it. */
function storedInstant(now: unknown): string | null {
  return now instanceof Date ? instantOf(now) : null
}

/** An argument of one of several kinds; undefined if it is null. A literal string is read as the first kind that fits. */
function argument(
  expression: Expression | undefined,
  kinds: readonly ValueKind[],
  name: string,
  frame: Frame,
): Scalar | undefined {
  return asArgument(expression === undefined ? undefined : operandOf(expression, frame), kinds, name, frame)
}

/** A compiled argument as one of several kinds. */
function asArgument(
  operand: Operand | undefined,
  kinds: readonly ValueKind[],
  name: string,
  frame: Frame,
): Scalar | undefined {
  if (operand?.kind === 'null') return undefined
  if (operand?.kind !== 'scalar') throw unsupportedQuery(frame.option, `'${name}' is not supported for this argument.`)
  if (kinds.includes(operand.type.kind)) return operand
  const { text } = operand
  const [kind = 'string'] = kinds.filter(candidate => candidate !== 'date' || text?.length === 10)
  if (text !== undefined) return literalAs(text, { kind }, frame)
  throw unsupportedQuery(frame.option, `'${name}' is not supported for values of kind ${operand.type.kind}.`)
}

function textFunction(
  work: (text: Sql, dialect: Dialect) => Sql,
  result: 'string' | 'integer' = 'string',
): SqlFunction {
  return (given, frame, name) => {
    const text = argument(given[0], ['string'], name, frame)
    return text === undefined
      ? { kind: 'null' }
      : scalar({ kind: result }, work(text.sql, frame.dialect), text.nullable)
  }
}

function length(given: readonly Expression[], frame: Frame): Operand {
  const [first] = given
  const operand = first === undefined ? undefined : operandOf(first, copied(frame, 2))
  if (operand?.kind === 'targets') return scalar({ kind: 'integer' }, countSql(operand, frame))
  if (operand?.kind === 'items') {
    const isThere = sql`${frame.dialect.jsonPart(operand.place)} IS NOT NULL`
    return scalar({ kind: 'integer' }, sql`CASE WHEN ${isThere} THEN ${countSql(operand, frame)} END`)
  }
  const text = asArgument(operand, ['string'], 'length', frame)
  return text === undefined
    ? { kind: 'null' }
    : scalar({ kind: 'integer' }, frame.dialect.length(text.sql), text.nullable)
}

function rounding(mode: 'round' | 'floor' | 'ceiling'): SqlFunction {
  return (given, frame) => {
    const value = argument(given[0], ['integer', 'decimal', 'double'], mode, copied(frame, 2))
    if (value === undefined) return { kind: 'null' }
    const found = frame.dialect.round(mode, exactSql(value), numberKindOf(value) ?? 'decimal')
    return { ...computed(value.type, found), floating: isFloating(value) }
  }
}

/** Functions of a text and a second argument. Positions and lengths count characters. */
function stringFunction(name: 'concat' | 'indexof' | 'substring', given: readonly Expression[], frame: Frame): Operand {
  const isCut = name === 'substring'
  const [first, other] = given
  if (first === undefined || other === undefined)
    throw unsupportedQuery(frame.option, `'${name}' requires two arguments.`)
  const whole = operandOf(first, copied(frame, isCut ? 2 : 1))
  const part = operandOf(other, copied(frame, isCut ? 6 : 1))
  if (name === 'indexof' && (isCollection(whole) || isCollection(part))) {
    return scalar({ kind: 'integer' }, collectionFunction(name, whole, part, frame))
  }
  const text = asArgument(whole, ['string'], name, frame)
  const second = asArgument(part, [isCut ? 'integer' : 'string'], name, frame)
  if (text === undefined || second === undefined) return { kind: 'null' }
  switch (name) {
    case 'concat':
      return scalar({ kind: 'string' }, frame.dialect.concat([text.sql, second.sql]))
    case 'indexof':
      return scalar({ kind: 'integer' }, sql`(${frame.dialect.position(text.sql, second.sql)} - 1)`)
    case 'substring':
      return substring(text, second, given[2], frame)
  }
}

/** A negative start counts from the end. A start after the end, or a negative count, gives an empty text. */
function substring(text: Scalar, start: Scalar, third: Expression | undefined, frame: Frame): Operand {
  const { greatest, length: lengthOf } = frame.dialect
  const first =
    start.number !== undefined && !start.number.startsWith('-')
      ? sql`${sql.lit(bounded(start.number) + 1)}`
      : sql`CASE WHEN ${start.sql} < 0 THEN ${greatest(sql`${lengthOf(text.sql)} + ${start.sql}`, sql`0`)} ELSE ${start.sql} END + 1`
  if (third === undefined) return scalar({ kind: 'string' }, sql`substr(${text.sql}, ${asInt(first, frame)})`)
  const count = argument(third, ['integer'], 'substring', copied(frame, 3))
  if (count === undefined) return { kind: 'null' }
  const length = greatest(count.sql, sql`0`)
  const cut = sql`substr(${text.sql}, ${asInt(first, frame)}, ${asInt(length, frame)})`
  // `greatest` ignores null on PostgreSQL.
  return scalar({ kind: 'string' }, sql`CASE WHEN ${count.sql} IS NOT NULL THEN ${cut} END`)
}

/** Longer than any text. Larger numbers would overflow on the engines. */
const longest = 1_000_000_000

function bounded(number: string): number {
  return Math.min(Number(number), longest)
}

/** PostgreSQL requires 32-bit positions, and its `least` ignores null. */
function asInt(value: Sql, { dialect }: Frame): Sql {
  if (dialect.name !== 'postgres') return value
  return sql`CASE WHEN ${value} > ${sql.lit(longest)} THEN ${sql.lit(longest)} ELSE ${value} END::int`
}

type DatePart = 'year' | 'month' | 'day'
type ClockPart = 'hour' | 'minute' | 'second'
type TemporalPart = DatePart | ClockPart | 'fractionalseconds' | 'date' | 'time' | 'totaloffsetminutes'

/** The position of each part in a stored instant such as `2024-02-29T23:59:59.5`. */
const partOffsets: Readonly<Record<DatePart | ClockPart, readonly [start: number, length: number]>> = {
  year: [1, 4],
  month: [6, 2],
  day: [9, 2],
  hour: [12, 2],
  minute: [15, 2],
  second: [18, 2],
}

const timeStart = 12

/** A part of a date, time or instant (in UTC). Each part has a fixed position in the text. */
function temporalPart(name: TemporalPart): SqlFunction {
  return (given, frame) => {
    const value = argument(given[0], accepted(name), name, frame)
    if (value === undefined) return { kind: 'null' }
    switch (name) {
      case 'date':
        return scalar({ kind: 'date' }, sql`substr(${value.sql}, 1, 10)`, value.nullable)
      case 'time':
        return scalar({ kind: 'timeOfDay' }, sql`substr(${value.sql}, ${sql.lit(timeStart)})`, value.nullable)
      case 'totaloffsetminutes':
        return scalar({ kind: 'integer' }, sql`CASE WHEN ${value.sql} IS NOT NULL THEN 0 END`)
      case 'fractionalseconds': {
        const start = clockStart(value) + 8
        const fraction = frame.dialect.concat([sql`'0'`, sql`substr(${value.sql}, ${sql.lit(start)})`])
        return scalar({ kind: 'decimal' }, frame.dialect.decimalOf(fraction))
      }
      default: {
        const [place, length] = partOffsets[name]
        const start = place < timeStart ? place : place - timeStart + clockStart(value)
        const part = sql`substr(${value.sql}, ${sql.lit(start)}, ${sql.lit(length)})`
        return scalar({ kind: 'integer' }, frame.dialect.integerOf(part), value.nullable)
      }
    }
  }
}

function accepted(name: TemporalPart): readonly ValueKind[] {
  switch (name) {
    case 'year':
    case 'month':
    case 'day':
      return ['date', 'dateTimeOffset']
    case 'date':
    case 'time':
    case 'totaloffsetminutes':
      return ['dateTimeOffset']
    default:
      return ['dateTimeOffset', 'timeOfDay']
  }
}

function clockStart({ type }: Scalar): number {
  return type.kind === 'timeOfDay' ? 1 : timeStart
}

/** The result after the first condition that is true; null if none is true. */
function caseFunction(given: readonly Expression[], frame: Frame): Operand {
  const results = given.filter((_, index) => index % 2 === 1).map(result => operandOf(result, frame))
  const typed =
    results.find(result => result.kind === 'scalar' && result.text === undefined) ??
    results.find(result => result.kind === 'scalar')
  if (typed?.kind !== 'scalar') return { kind: 'null' }
  const branches = results.map((result, index) => {
    const condition = given[index * 2]
    if (condition === undefined)
      throw unsupportedQuery(frame.option, "'case' requires pairs of conditions and results.")
    return sql`WHEN ${conditionOf(condition, frame)} THEN ${resultSql(result, typed, frame)}`
  })
  return scalar(typed.type, sql`CASE ${sql.join(branches, sql` `)} END`)
}

function resultSql(result: Operand, { type }: Extract<Operand, { kind: 'scalar' }>, frame: Frame) {
  if (result.kind === 'null') return sql`NULL`
  if (result.kind !== 'scalar') throw unsupportedQuery(frame.option, "'case' supports single values only.")
  return result.text === undefined ? result.sql : literalAs(result.text, type, frame).sql
}

/**
 * `matchesPattern(text,pattern)`; null if the text is null. The pattern must be a literal or a parameter of an operation: it
 * is an ECMAScript regular expression, and this process must translate it for the engine.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.7.1
 */
function matchesPattern(given: readonly Expression[], frame: Frame): Operand {
  const { dialect, option } = frame
  const text = argument(given[0], ['string'], 'matchesPattern', frame)
  const pattern = argument(given[1], ['string'], 'matchesPattern', frame)
  if (text === undefined || pattern === undefined) return { kind: 'null' }
  if (pattern.parameter !== undefined) {
    const encode = (value: unknown) =>
      typeof value === 'string' ? dialect.pattern(checkedPattern(value, option)) : null
    const placeholder = new Placeholder(`parameter ${pattern.parameter}`, encode)
    return scalar({ kind: 'boolean' }, dialect.matches(text.sql, placeholder))
  }
  if (pattern.text === undefined) {
    throw unsupportedQuery(option, "The pattern of 'matchesPattern' must be a literal.")
  }
  const compiled = dialect.pattern(checkedPattern(pattern.text, option))
  return scalar({ kind: 'boolean' }, dialect.matches(text.sql, compiled), text.nullable)
}

/**
 * A spatial function; null if an argument is null or has the wrong shape.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.11
 */
function geoFunction(name: 'geo.distance' | 'geo.length' | 'geo.intersects'): SqlFunction {
  return (given, frame) => {
    const operands = given.map(expression => operandOf(expression, frame))
    if (operands.some(operand => operand.kind === 'null')) return { kind: 'null' }
    const [first, second] = operands.map(operand => spatial(operand, name, frame))
    if (first === undefined) return { kind: 'null' }
    const { family } = first.geo
    const { dialect } = frame
    if (name === 'geo.length') return measure(dialect.geoLength(first.sql, family))
    if (second === undefined) return { kind: 'null' }
    requireOneSystem(first.geo, second.geo, name, frame)
    return name === 'geo.distance'
      ? measure(dialect.geoDistance(first.sql, second.sql, family))
      : scalar({ kind: 'boolean' }, dialect.geoIntersects(first.sql, second.sql))
  }
}

function measure(value: Sql): Scalar {
  return { ...scalar({ kind: 'double' }, value), isNumber: true }
}

interface Spatial {
  readonly sql: Sql
  readonly geo: GeoTraits
}

function spatial(operand: Operand, name: string, frame: Frame): Spatial {
  if (operand.kind !== 'scalar' || operand.geo === undefined) {
    throw unsupportedQuery(frame.option, `'${name}' supports spatial properties and literals only.`)
  }
  const { sql, geo } = operand
  if (geo.family === 'geography' && geo.srid !== undefined && geo.srid !== wgs84) {
    throw unsupportedQuery(
      frame.option,
      `'${name}' supports geographies of SRID ${wgs84} only, but found SRID ${geo.srid}.`,
    )
  }
  return { sql, geo }
}

function requireOneSystem(first: GeoTraits, second: GeoTraits, name: string, frame: Frame): void {
  if (first.family !== second.family) {
    throw malformedQuery(frame.option, `'${name}' requires two geographies or two geometries.`)
  }
  if (first.srid === undefined || second.srid === undefined || first.srid === second.srid) return
  const found = `SRID ${first.srid} and ${second.srid}`
  throw malformedQuery(
    frame.option,
    `'${name}' requires values of the same spatial reference system, but found ${found}.`,
  )
}
