import { sql } from 'kysely'
import { earthRadius } from '../../runtime/query/index.js'
import { regularExpression } from '../pattern/checked-pattern.js'
import type { Storage } from '../schema/stored-type.js'
import {
  type Dialect,
  type GeoFamily,
  type JsonLocation,
  type NumberKind,
  type Sql,
  type SqlValue,
  whiteSpace,
} from './dialect.js'
import { postgresCast } from './postgres-cast.js'

const greatest = sql.lit(Number.MAX_VALUE)

/**
 * Spatial functions on GeoJSON without a PostgreSQL extension. They use the formulas of the evaluator. Functions on a plane
 * compute with exact numbers, because overflow and underflow of floating-point numbers abort the statement. Nested values
 * appear only once in the SQL. A shape of the wrong kind gives null.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.11
 */
const postgresGeo = { distance, length, intersects }

function distance(from: Sql, to: Sql, family: GeoFamily): Sql {
  const given = sql`SELECT ${positionOf(sql`a`)} AS a, ${positionOf(sql`b`)} AS b FROM (SELECT ${from} AS a, ${to} AS b OFFSET 0) AS given OFFSET 0`
  const of = readers[family]
  const taken = sql`SELECT ${of('a', 0)} AS ax, ${of('a', 1)} AS ay, ${of('b', 0)} AS bx, ${of('b', 1)} AS "by" FROM (${given}) AS given OFFSET 0`
  return sql`(SELECT ${between[family]} FROM (${taken}) AS taken)`
}

function length(line: Sql, family: GeoFamily): Sql {
  const sum = family === 'geography' ? sql`coalesce(sum(d), 0)` : asDouble(sql`coalesce(sum(d), 0)`)
  const step = family === 'geography' ? onSphere : onPlane
  const steps = sql`SELECT ${step} AS d FROM (${edges(sql`v`, sql`jsonb_path_query(v, '$.coordinates[*]')`, readers[family])}) AS edge`
  const isLine = sql`v ->> 'type' = 'LineString'`
  return sql`(SELECT CASE WHEN ${isLine} THEN (SELECT ${sum} FROM (${steps}) AS step) END FROM (SELECT ${line} AS v OFFSET 0) AS given)`
}

function intersects(point: Sql, polygon: Sql): Sql {
  const given = sql`SELECT ${positionOf(sql`a`)} AS a, CASE WHEN v ->> 'type' = 'Polygon' THEN v END AS v FROM (SELECT ${point} AS a, ${polygon} AS v OFFSET 0) AS given OFFSET 0`
  const taken = sql`SELECT ${exact('a', 0)} AS x, ${exact('a', 1)} AS y, v FROM (${given}) AS given OFFSET 0`
  const ring = sql`jsonb_path_query(v, '$.coordinates[*]') AS ring(r)`
  const rings = sql`SELECT edge.* FROM ${ring} CROSS JOIN LATERAL (${edges(sql`r`, sql`jsonb_path_query(r, '$[*]')`, exact)}) AS edge`
  // Only edges at the height of the point need a closer look.
  const sides = sql`SELECT ax, ay, bx, "by", CASE WHEN y BETWEEN least(ay, "by") AND greatest(ay, "by") THEN ${turn} END AS turn FROM (${rings}) AS edge`
  const found = sql`SELECT coalesce(bool_or(${isOn}), FALSE) OR count(*) FILTER (WHERE ${isBeside}) % 2 = 1 FROM (${sides}) AS side`
  return sql`(SELECT CASE WHEN x IS NOT NULL AND y IS NOT NULL AND v IS NOT NULL THEN (${found}) END FROM (${taken}) AS taken)`
}

function positionOf(json: Sql): Sql {
  return sql`CASE WHEN ${json} ->> 'type' = 'Point' THEN ${json} -> 'coordinates' END`
}

type Reader = (position: string, index: 0 | 1) => Sql

/** A coordinate without rounding. */
const exact: Reader = (position, index) => ofNumber(position, index, json => sql`(${json})::numeric`)

/** Degrees in radians. Tiny angles become 0, because their underflow would abort the statement. */
const angle: Reader = (position, index) =>
  ofNumber(
    position,
    index,
    json => sql`radians(CASE WHEN abs((${json})::float8) < 1e-200 THEN 0 ELSE (${json})::float8 END)`,
  )

const readers = { geography: angle, geometry: exact }

function ofNumber(position: string, index: 0 | 1, read: (json: Sql) => Sql): Sql {
  const json = sql`${sql.id(position)} -> ${sql.lit(index)}`
  return sql`CASE WHEN jsonb_typeof(${json}) = 'number' THEN ${read(json)} END`
}

/** Pairs of consecutive positions of a list. */
function edges(list: Sql, positions: Sql, of: Reader): Sql {
  const taken = sql`SELECT n, ${of('p', 0)} AS x, ${of('p', 1)} AS y FROM ${positions} WITH ORDINALITY AS position(p, n)`
  const paired = sql`SELECT lag(x) OVER w AS ax, lag(y) OVER w AS ay, x AS bx, y AS "by" FROM (${taken}) AS taken WINDOW w AS (ORDER BY n)`
  return sql`SELECT * FROM (${paired}) AS pair WHERE ${list} IS NOT NULL AND ax IS NOT NULL`
}

function squaredSine(half: Sql): Sql {
  return sql`(SELECT CASE WHEN abs(s) < 1e-100 THEN 0 ELSE s * s END FROM (SELECT sin(${half}) AS s OFFSET 0) AS sine)`
}

const haversine = sql`${squaredSine(sql`"by" / 2 - ay / 2`)} + cos(ay) * cos("by") * ${squaredSine(sql`bx / 2 - ax / 2`)}`
const onSphere = sql`${sql.lit(2 * earthRadius)} * asin(sqrt(least(1, greatest(0, ${haversine}))))`
const onPlane = sql`sqrt((bx - ax) * (bx - ax) + ("by" - ay) * ("by" - ay))`
const between = {
  geography: sql`CASE WHEN ax IS NOT NULL AND bx IS NOT NULL AND ay IS NOT NULL AND "by" IS NOT NULL THEN ${onSphere} END`,
  geometry: asDouble(onPlane),
}

/** A number that is too large for a double becomes infinity. */
function asDouble(number: Sql): Sql {
  return sql`(SELECT CASE WHEN n > ${greatest} THEN 'Infinity'::float8 ELSE n::float8 END FROM (SELECT ${number} AS n OFFSET 0) AS exact)`
}

const turn = sql`sign((bx - ax) * (y - ay) - ("by" - ay) * (x - ax))`
const isOn = sql`turn = 0 AND x BETWEEN least(ax, bx) AND greatest(ax, bx)`
const isBeside = sql`(ay > y) <> ("by" > y) AND ("by" > ay) = (turn > 0)`

const columnTypes: Readonly<Record<Storage, string>> = {
  text: 'text COLLATE "C"',
  integer: 'bigint',
  boolean: 'boolean',
  decimal: 'numeric',
  exact: 'numeric',
  double: 'double precision',
  uuid: 'uuid',
  timestamptz: 'timestamptz',
  timestamp: 'timestamp',
  date: 'date',
  time: 'time',
  equalText: 'text',
  untyped: 'text',
  bytes: 'bytea',
}

const nativeTypes: ReadonlySet<Storage> = new Set(['uuid', 'timestamptz', 'timestamp', 'date', 'time'])

const castTypes: Readonly<Record<Storage, string>> = { ...columnTypes, text: 'text' }

/** The differences between the engine's letter case and JavaScript's. Their Unicode versions may differ. */
export interface CaseCorrection {
  readonly lower: readonly CaseDifference[]
  readonly upper: readonly CaseDifference[]
}

export interface CaseDifference {
  readonly from: string
  readonly to: string
}

/** The dialect of PostgreSQL 15 or newer, built with ICU. */
/** The text of statements that match patterns. Names and values cannot contain it. */
export const matchOperator = 'COLLATE "C" ~'

export function postgresDialect(correction: CaseCorrection): Dialect {
  return {
    name: 'postgres',
    columnType: storage => columnTypes[storage],
    idType: 'bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY',
    bind: (value, storage) =>
      typeof value === 'bigint'
        ? sql`${String(value)}::numeric`
        : storage === 'untyped'
          ? sql`${value}`
          : sql`${value}::${sql.raw(castTypes[storage])}`,
    boolean: value => value,

    lower: text => corrected(sql`lower(${text} COLLATE "und-x-icu")`, correction.lower),
    upper: text => corrected(sql`upper(${text} COLLATE "und-x-icu")`, correction.upper),
    trim: text => sql`btrim(${text}, ${whiteSpace}::text)`,
    words: text =>
      sql`(' ' || regexp_replace(lower(${text} COLLATE "und-x-icu"), '[^[:alnum:]]+', ' ', 'g') || ' ') COLLATE "C"`,
    length: text => sql`length(${text})`,
    concat: texts => sql`(${sql.join(texts, sql` || `)})`,
    identical: (left, right) => sql`${left} IS NOT DISTINCT FROM ${right}`,
    position: (text, part) => sql`strpos(${text}, ${part})`,
    pattern: ({ node }) => regularExpression(node),
    matches: (text, pattern) => sql`((${text}) ${sql.raw(matchOperator)} ${pattern}::text)`,
    geoDistance: postgresGeo.distance,
    geoLength: postgresGeo.length,
    geoIntersects: postgresGeo.intersects,
    greatest: (left, right) => sql`greatest(${left}, ${right})`,

    arithmetic: (operator, left, right, kind) => ({
      sql: kind === 'double' ? onDoubles(operator, left, right) : onNumerics(operator, left, right, kind),
    }),
    negate: (value, kind) => ({ sql: kind === 'double' ? sql`(- (${value}))` : sql`(- (${value})::numeric)` }),
    round: (mode, value, kind) => ({ sql: rounded(mode, value, kind) }),
    decimal: text => ({ sql: sql`${text}::numeric` }),
    storedDecimal: column => ({ sql: column }),
    sortable: () => undefined,
    compareExact: (left, right) => sql`sign((${left})::numeric - (${right})::numeric)`,
    integerOf: text => sql`(${text})::bigint`,
    decimalOf: text => sql`(${text})::numeric`,
    isNaN: value => sql`${value} = 'NaN'::float8`,

    cast: (value, from, to) => ({ sql: postgresCast(value, from, to) }),
    collated: text => sql`(${text}) COLLATE "C"`,

    addSeconds: (value, seconds, kind) => (kind === 'date' ? movedDate(value, seconds) : movedInstant(value, seconds)),
    secondsBetween: (later, earlier, kind) => ({
      sql:
        kind === 'date'
          ? sql`(((${later})::date - (${earlier})::date)::numeric * 86400)`
          : sql`(${secondsOf(later)} - ${secondsOf(earlier)})`,
    }),
    durationSeconds: text =>
      sql`CASE WHEN left(${text}, 1) = '-' THEN -1 ELSE 1 END * extract(epoch FROM ltrim(${text}, '-')::interval)`,

    json: column => sql`(${column})::jsonb`,
    jsonValue: (place, storage) => fromText(sql`(${place.json} #>> ${jsonPath(place)})`, storage),
    jsonDigits: undefined,
    jsonPart: place => nonNull(place.path.length === 0 ? place.json : sql`(${place.json} #> ${jsonPath(place)})`),
    jsonItems: (place, alias) =>
      sql`jsonb_array_elements(${place.path.length === 0 ? place.json : sql`${place.json} #> ${jsonPath(place)}`}) WITH ORDINALITY AS ${sql.id(alias)}(value, key)`,
    jsonSome: rows => sql`EXISTS (SELECT 1 ${rows})`,
    jsonItemIndex: alias => sql`${sql.id(alias, 'key')}`,
    jsonItem: (alias, storage) => fromText(sql`(${sql.id(alias, 'value')} #>> '{}')`, storage),
    jsonItemDigits: undefined,
    jsonItemPart: alias => sql`${sql.id(alias, 'value')}`,
    jsonLength: place =>
      sql`jsonb_array_length(${place.path.length === 0 ? place.json : sql`${place.json} #> ${jsonPath(place)}`})`,

    commaSeparated: (text, alias) => sql`unnest(string_to_array(${text}, ',')) AS ${sql.id(alias)}(value)`,
    listValues: (list, storage) =>
      storage === 'text'
        ? sql`SELECT jsonb_array_elements_text(${list}::jsonb) COLLATE "C"`
        : sql`SELECT jsonb_array_elements_text(${list}::jsonb)::${sql.raw(castTypes[storage])}`,
    encodeList: values => JSON.stringify(values, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    lossless: (value, storage) =>
      storage === 'decimal' || storage === 'exact' || nativeTypes.has(storage) ? sql`(${value})::text` : value,
    nullOrder: direction => (direction === 'asc' ? sql`NULLS FIRST` : sql`NULLS LAST`),
    limit: count => sql`LIMIT ${count} + 0`,
    endless: sql``,
    forUpdate: sql`FOR UPDATE OF t`,
    forKeyShare: sql`FOR KEY SHARE OF t`,
    jsonWriter: undefined,
  }
}

function fromText(text: Sql, storage: Storage): Sql {
  return storage === 'text' ? sql`${text} COLLATE "C"` : sql`${text}::${sql.raw(castTypes[storage])}`
}

/** Converts JSON null to SQL null. */
function nonNull(json: Sql): Sql {
  return sql`nullif(${json}, 'null'::jsonb)`
}

/** A JSON path as an array literal. Names contain no characters that need escaping. */
function jsonPath({ path }: JsonLocation): Sql {
  const names: SqlValue = `{${path.map(name => `"${name}"`).join(',')}}`
  return sql`${names}::text[]`
}

/**
 * Corrects the characters that the engine folds differently from JavaScript. There are hundreds of them, but almost no text
 * contains one. A quick check skips the rest.
 */
function corrected(fold: Sql, differences: readonly CaseDifference[]): Sql {
  const text = sql`(${fold}) COLLATE "C"`
  if (differences.length === 0) return text
  const folded = sql`folded.text`
  const single = differences.filter(({ to }) => [...to].length === 1)
  const from = single.map(difference => difference.from).join('')
  const to = single.map(difference => difference.to).join('')
  const translated = single.length === 0 ? folded : sql`translate(${folded}, ${from}::text, ${to}::text)`
  const whole = differences
    .filter(difference => !single.includes(difference))
    .reduce((inner, difference) => sql`replace(${inner}, ${difference.from}::text, ${difference.to}::text)`, translated)
  const isAscii = sql`octet_length(${folded}) = char_length(${folded})`
  const hasNone = sql`${folded} !~ ${`[${differences.map(difference => difference.from).join('')}]`}::text`
  return sql`(SELECT CASE WHEN ${isAscii} OR ${hasNone} THEN ${folded} ELSE ${whole} END FROM (SELECT ${text} AS text OFFSET 0) AS folded) COLLATE "C"`
}

type Operator = Parameters<Dialect['arithmetic']>[0]

/** Division by zero is null, except for `divby` and floating-point numbers, which have infinity. */
function onNumerics(operator: Operator, left: Sql, right: Sql, kind: NumberKind): Sql {
  const a = sql`(${left})::numeric`
  const b = sql`(${right})::numeric`
  switch (operator) {
    case 'add':
      return sql`(${a} + ${b})`
    case 'sub':
      return sql`(${a} - ${b})`
    case 'mul':
      return sql`(${a} * ${b})`
    case 'mod':
      return sql`mod(${a}, nullif(${b}, 0))`
    case 'div':
      return kind === 'integer' ? sql`div(${a}, nullif(${b}, 0))` : quotient(a, b)
    case 'divby':
      return sql`(div(${a} * ${orInfinity(b, sql`1e34`, 'numeric')}, ${orOne(b)}) * 1e-34)`
  }
}

function quotient(a: Sql, b: Sql): Sql {
  return sql`(div(${a} * 1e34, nullif(${b}, 0)) * 1e-34)`
}

function onDoubles(operator: Operator, left: Sql, right: Sql): Sql {
  const a = sql`(${left})::float8`
  const b = sql`(${right})::float8`
  switch (operator) {
    case 'add':
      return sql`(${a} + ${b})`
    case 'sub':
      return sql`(${a} - ${b})`
    case 'mul':
      return sql`(${a} * ${b})`
    case 'mod':
      return sql`mod((${left})::numeric, nullif((${right})::numeric, 0))::float8`
    case 'div':
    case 'divby':
      return sql`(${a} * ${orInfinity(b, sql`1`, 'float8')} / ${orOne(b)})`
  }
}

/** The factor that makes the dividend infinite or NaN if the divisor is zero. */
function orInfinity(divisor: Sql, factor: Sql, type: 'numeric' | 'float8'): Sql {
  const cast = sql.raw(type)
  return sql`CASE WHEN ${divisor} = 0 THEN 'Infinity'::${cast} ELSE ${factor}::${cast} END`
}

function orOne(divisor: Sql): Sql {
  return sql`CASE WHEN ${divisor} = 0 THEN 1 ELSE ${divisor} END`
}

/** PostgreSQL rounds doubles half to even. This rounds half away from zero. */
function rounded(mode: 'round' | 'floor' | 'ceiling', value: Sql, kind: NumberKind): Sql {
  if (kind === 'integer') return value
  if (mode === 'round' && kind === 'double') return sql`(sign(${value}) * floor(abs(${value}) + 0.5))`
  return sql`${sql.raw(mode)}(${value})`
}

/** The seconds of ten thousand years. A larger offset leaves the years of four digits. */
const tenMillennia = 316_000_000_000

/** The position in a stored instant at which the digits begin that the engine's timestamps cannot hold. */
const behindMicroseconds = 27

function wholeMicroseconds(instant: Sql): Sql {
  return sql`substr(${instant}, 1, ${sql.lit(behindMicroseconds - 1)})::timestamp`
}

function secondsOf(instant: Sql): Sql {
  const rest = sql`('0.000000' || substr(${instant}, ${sql.lit(behindMicroseconds)}))::numeric`
  return sql`(extract(epoch FROM ${wholeMicroseconds(instant)}) + ${rest})`
}

function movedInstant(value: Sql, seconds: Sql): Sql {
  const digits = sql`to_char(m, 'YYYY-MM-DD"T"HH24:MI:SS.US') || substr(v, ${sql.lit(behindMicroseconds)})`
  const moved = sql`${wholeMicroseconds(sql`v`)} + make_interval(secs => s::float8)`
  return movedOnce(value, seconds, moved, sql`rtrim(rtrim(${digits}, '0'), '.')`)
}

function movedDate(value: Sql, seconds: Sql): Sql {
  return movedOnce(value, seconds, sql`v::date + floor(s / 86400)::int`, sql`to_char(m, 'YYYY-MM-DD')`)
}

/**
 * The text of `v` moved by `s` seconds to `m`; null outside the years of four digits. OFFSET keeps the engine from expanding
 * the nested value more than once.
 */
function movedOnce(value: Sql, seconds: Sql, moved: Sql, text: Sql): Sql {
  const given = sql`SELECT ${value} AS v, ${seconds} AS s OFFSET 0`
  const isNear = sql`abs(s) < ${sql.lit(tenMillennia)}`
  const found = sql`SELECT v, CASE WHEN ${isNear} THEN ${moved} END AS m FROM (${given}) AS given OFFSET 0`
  return sql`(SELECT CASE WHEN extract(year FROM m) BETWEEN 1 AND 9999 THEN ${text} END FROM (${found}) AS found) COLLATE "C"`
}
