import { sql } from 'kysely'
import type { CastSource, CastTarget, Sql } from './dialect.js'

/** Longer texts are neither numbers nor durations. */
const maxDigits = 400

const integerText = '^[+-]?[0-9]+$'
const numberText = '^[+-]?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]{1,3})?$'
const guidText = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'
/** @see OData ABNF, `binaryValue` */
const binaryText = '^([A-Za-z0-9_-]{4})*([A-Za-z0-9_-][AQgw](==)?|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048]=?)?$'

const monthAndDay =
  '((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))'
const leapYear = '[0-9]*([0-9][0-9](0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)'
const year = '-?([0-9]{4}|[1-9][0-9]{4,})'
/** Only dates that exist match. */
const dateText = `(${year}-${monthAndDay}|(?=${year}-)-?${leapYear}-02-29)`
const minuteText = '([01][0-9]|2[0-3]):[0-5][0-9]'
const clockText = `${minuteText}(:([0-5][0-9]|60)([.][0-9]{1,12})?)?`
const zoneText = `([zZ]|[+-]${minuteText})`
const instantText = `^${dateText}[tT]${clockText}${zoneText}?$`
const durationText = '^-?P(?=[0-9T])([0-9]+D)?(T(?=[0-9])([0-9]+H)?([0-9]+M)?([0-9]+([.][0-9]+)?S)?)?$'

/** The smallest magnitude that rounds to infinity, and the largest that rounds to zero. */
const beyondDoubles = String(2n ** 1024n - 2n ** 970n)
const belowDoubles = '2.4703282292062328e-324'
const beyondSingles = 2 ** 128 - 2 ** 103
const belowSingles = 2 ** -150

/**
 * Casts on PostgreSQL. The engine's own casts abort the statement if a text is not a literal or a number does not fit, and
 * they format numbers differently. Nested casts repeat the value only once.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.10.1
 */
export function postgresCast(value: Sql, from: CastSource, to: CastTarget): Sql {
  const found = sql`(SELECT ${castOf(from, to)} FROM (SELECT v, ${written(from)} AS t FROM (SELECT ${value} AS v OFFSET 0) AS given OFFSET 0) AS given)`
  return isText(to) ? sql`${found} COLLATE "C"` : found
}

/** A number as text. Infinity and NaN are the engine's words. */
function written(from: CastSource): Sql {
  return from === 'double' ? shortest : sql`v::text`
}

/**
 * The shortest digits that identify a double. The engine writes one digit more if the shorter number is halfway to the next
 * double: 9.999999999999999e+22 for 1e+23.
 */
const digitCount = sql`length(ltrim(translate(split_part(v::text, 'e', 1), '-.', ''), '0'))`
const fewer = sql`ltrim(to_char(v, '9.' || repeat('9', ${digitCount} - 2) || 'EEEE'))`
const mayHaveFewer = sql`abs(v) < 1e308 AND ${digitCount} > 15`
const shortest = sql`CASE WHEN ${mayHaveFewer} THEN CASE WHEN ${fewer}::float8 = v THEN regexp_replace(${fewer}, '[.]?0*e', 'e') ELSE v::text END ELSE v::text END`

function isText({ kind }: CastTarget): boolean {
  return (
    kind === 'text' ||
    kind === 'guid' ||
    kind === 'binary' ||
    kind === 'date' ||
    kind === 'dateTimeOffset' ||
    kind === 'timeOfDay'
  )
}

function castOf(from: CastSource, to: CastTarget): Sql {
  switch (to.kind) {
    case 'text':
      return textOf(from)
    case 'integer':
      return integerOf(from, to.least, to.most)
    case 'decimal':
      return exactOf(from)
    case 'double':
      return doubleOf(from)
    case 'single':
      return sql`(SELECT ${single} FROM (SELECT ${doubleOf(from)} AS d OFFSET 0) AS nearest)`
    case 'guid':
      return sql`CASE WHEN v ~ ${guidText}::text THEN lower(v) END`
    case 'binary':
      return sql`CASE WHEN v ~ ${binaryText}::text THEN rtrim(v, '=') END`
    case 'date':
      return sql`CASE WHEN v ~ ${`^${dateText}$`}::text THEN ${keptYear(sql`v`)} END`
    case 'dateTimeOffset':
      return instant
    case 'timeOfDay':
      return timeOfDay
    case 'duration':
      return duration
  }
}

/** A number as JavaScript writes it, without trailing zeros. */
function textOf(from: CastSource): Sql {
  if (from === 'duration') return durationAsText
  const digits = from === 'double' ? doubleDigits : sql`trim_scale(v::numeric)::text`
  const words = sql`WHEN 'Infinity' THEN 'INF' WHEN '-Infinity' THEN '-INF' WHEN 'NaN' THEN 'NaN'`
  return sql`CASE t ${words} ELSE ${digits} END`
}

const doubleDigits = sql`CASE WHEN v = 0 THEN '0' WHEN abs(v) >= 1e-6 AND abs(v) < 1e21 THEN trim_scale(t::numeric)::text ELSE regexp_replace(t, 'e([+-])0', 'e\\1') END`

/** The exact number; for a double, the one with the shortest digits; null for infinity and NaN. */
function exactOf(from: CastSource): Sql {
  if (from === 'text') {
    return sql`CASE WHEN length(v) <= ${sql.lit(maxDigits)} AND v ~ ${numberText}::text THEN v::numeric END`
  }
  return sql`CASE WHEN t NOT IN ('Infinity', '-Infinity', 'NaN') THEN t::numeric END`
}

function integerOf(from: CastSource, least: bigint, most: bigint): Sql {
  const exact = exactOf(from)
  const whole = from === 'text' ? sql`CASE WHEN v ~ ${integerText}::text THEN ${exact} END` : exact
  const isWithin = sql`n BETWEEN ${String(least)}::numeric AND ${String(most)}::numeric`
  return sql`(SELECT CASE WHEN ${isWithin} THEN n::bigint END FROM (SELECT round(${whole}) AS n OFFSET 0) AS nearest)`
}

/** A number that would become infinite does not fit. */
function doubleOf(from: CastSource): Sql {
  if (from === 'double') return sql`v`
  const size = sql`abs(n)`
  const nearest = sql`CASE WHEN ${size} >= ${beyondDoubles}::numeric THEN NULL WHEN ${size} < ${belowDoubles}::numeric THEN 0 ELSE n::float8 END`
  const words = sql`CASE t WHEN 'INF' THEN 'Infinity'::float8 WHEN '-INF' THEN '-Infinity'::float8 WHEN 'Infinity' THEN ${infinite(from, 'Infinity')} WHEN '-Infinity' THEN ${infinite(from, '-Infinity')} WHEN 'NaN' THEN 'NaN'::float8`
  return sql`(SELECT ${words} ELSE ${nearest} END FROM (SELECT ${exactOf(from)} AS n OFFSET 0) AS exact)`
}

/** Numbers can be infinite. The text of the engine's word for infinity is not an OData literal. */
function infinite(from: CastSource, word: 'Infinity' | '-Infinity'): Sql {
  return from === 'text' ? sql`NULL` : sql`${sql.lit(word)}::float8`
}

const isBeyondSingles = sql`abs(d) >= ${beyondSingles}::float8 AND abs(d) < 'Infinity'::float8`
const single = sql`CASE WHEN ${isBeyondSingles} THEN NULL WHEN abs(d) <= ${belowSingles}::float8 THEN 0 ELSE d::float4::float8 END`

/** The stored form of a date. Years outside four digits become texts that sort before or after all others. */
function keptYear(date: Sql): Sql {
  return sql`CASE WHEN v LIKE '-%' THEN '-' WHEN v ~ '^[0-9]{5}' THEN '~' ELSE ${date} END`
}

/** The engine has no year 0. The calendar repeats after 400 years. */
const cycle = 400

const parts = sql`SELECT regexp_match(v, '^([0-9]{4})(-..-..)[tT](..:..)(:([0-9]{2})([.][0-9]+)?)?(([+-])(..):(..))?') AS p OFFSET 0`
const utc = sql`SELECT p, ((p[1]::int + ${sql.lit(cycle)})::text || p[2] || ' ' || p[3])::timestamp + make_interval(secs => coalesce(p[5], '0')::int, mins => (CASE p[8] WHEN '-' THEN 1 ELSE -1 END) * coalesce(p[9]::int * 60 + p[10]::int, 0)) AS m FROM (${parts}) AS taken OFFSET 0`
const shown = sql`lpad((extract(year FROM m)::int - ${sql.lit(cycle)})::text, 4, '0') || to_char(m, '-MM-DD"T"HH24:MI:SS') || rtrim(rtrim(coalesce(p[6], ''), '0'), '.')`
const inYears = sql`CASE WHEN extract(year FROM m) < ${sql.lit(cycle)} THEN '-' WHEN extract(year FROM m) > ${sql.lit(9999 + cycle)} THEN '~' ELSE ${shown} END`
const instant = sql`CASE WHEN v ~ ${instantText}::text THEN ${keptYear(sql`(SELECT ${inYears} FROM (${utc}) AS moment)`)} END`

/** A leap second is the first second of the next minute, except at the end of the day. */
const leap = sql`to_char(substr(v, 1, 5)::time + interval '1 minute', 'HH24:MI') || ':00' || substr(v, 9)`
const isLeap = sql`substr(v, 7, 2) = '60' AND substr(v, 1, 5) <> '23:59'`
const clock = sql`CASE WHEN length(v) = 5 THEN v || ':00' WHEN ${isLeap} THEN ${leap} ELSE v END`
const trimmed = sql`CASE WHEN v LIKE '%.%' THEN rtrim(rtrim(${clock}, '0'), '.') ELSE ${clock} END`
const timeOfDay = sql`CASE WHEN v ~ ${`^${clockText}$`}::text THEN ${trimmed} END`

const amounts = sql`SELECT regexp_match(v, '^(-)?P(([0-9]+)D)?(T(([0-9]+)H)?(([0-9]+)M)?(([0-9.]+)S)?)?$', 'i') AS p OFFSET 0`
const amount = (group: number): Sql => sql`coalesce(p[${sql.lit(group)}], '0')::numeric`
const seconds = sql`(${amount(3)} * 86400 + ${amount(6)} * 3600 + ${amount(8)} * 60 + ${amount(10)})`
const signed = sql`CASE WHEN p[1] IS NULL THEN ${seconds} ELSE - ${seconds} END`
const isDuration = sql`length(v) <= ${sql.lit(maxDigits)} AND v ~* ${durationText}::text`
const duration = sql`CASE WHEN ${isDuration} THEN (SELECT ${signed} FROM (${amounts}) AS taken) END`

const part = (count: Sql, unit: string): Sql =>
  sql`CASE WHEN ${count} > 0 THEN trim_scale(${count})::text || ${sql.lit(unit)} ELSE '' END`
const inDay = sql`mod(trunc(abs(v)), 86400)`
const time = sql`CASE WHEN mod(abs(v), 86400) = 0 THEN '' ELSE 'T' || ${part(sql`div(${inDay}, 3600)`, 'H')} || ${part(sql`div(mod(${inDay}, 3600), 60)`, 'M')} || ${part(sql`mod(abs(v), 60)`, 'S')} END`
const durationAsText = sql`CASE WHEN v = 0 THEN 'PT0S' WHEN v <> 0 THEN CASE WHEN v < 0 THEN '-' ELSE '' END || 'P' || ${part(sql`div(abs(v), 86400)`, 'D')} || ${time} END`
