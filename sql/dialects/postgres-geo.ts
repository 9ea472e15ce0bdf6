import { sql } from 'kysely'
import { earthRadius } from '../../runtime/query/index.js'
import type { GeoFamily, Sql } from './dialect.js'

const greatest = sql.lit(Number.MAX_VALUE)

/**
 * Spatial functions on GeoJSON without a PostgreSQL extension. They use the formulas of the evaluator. Functions on a plane
 * compute with exact numbers, because overflow and underflow of floating-point numbers abort the statement. Nested values
 * appear only once in the SQL. A shape of the wrong kind gives null.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.11
 */
export const postgresGeo = { distance, length, intersects }

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
