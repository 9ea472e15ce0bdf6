import type { Database } from 'better-sqlite3'
import { createMatcherCache } from '../pattern/matcher-cache.js'
import { castFunctions } from '../value/cast-value.js'
import { secondsOfDuration } from '../value/duration.js'
import * as decimal from '../value/exact-decimal.js'
import { geoFunctions } from '../value/geo-functions.js'
import { jsonNumber } from '../value/json-number.js'
import { dateBetween, dateMoved, instantBetween, instantMoved } from '../value/moment.js'
import { withinTime } from './time-allowance.js'

/** Milliseconds of a statement that patterns, or places, may take: what they compare with can be as intricate as a caller likes. */
const longest = 10_000

/** Adds to SQLite what it lacks: Unicode's letter case, patterns, exact decimal arithmetic, casts, times and places. Null stays null. */
export function addSqliteFunctions(database: Database): void {
  const add = (name: string, length: number, work: (...values: never[]) => unknown): void => {
    database.function(name, { deterministic: true, varargs: true, safeIntegers: true }, (...values: unknown[]) => {
      if (values.length !== length) throw new TypeError(`${name} takes ${length} arguments.`)
      return values.includes(null) ? null : Reflect.apply(work, undefined, values)
    })
  }
  add('unicode_lower', 1, (text: unknown) => String(text).toLowerCase())
  add('unicode_upper', 1, (text: unknown) => String(text).toUpperCase())
  const matches = withinTime(createMatcherCache(), longest)
  add('matches_pattern', 2, (text: unknown, pattern: unknown) => Number(matches(String(text), String(pattern))))
  for (const operator of ['add', 'sub', 'mul', 'div', 'divby', 'mod'] as const) {
    for (const kind of ['integer', 'decimal', 'double'] as const) {
      add(`${kind}_${operator}`, 2, (a: unknown, b: unknown) => decimal.calculate(operator, a, b, kind))
    }
  }
  for (const mode of ['round', 'floor', 'ceiling'] as const) {
    add(`exact_${mode}`, 1, (value: unknown) => decimal.rounded(mode, value))
  }
  add('exact_negated', 1, (value: unknown) => decimal.negated(value))
  add('exact_compared', 2, (a: unknown, b: unknown) => decimal.compareExactly(a, b))
  add('nearest_number', 1, (value: unknown) => decimal.nearestNumber(value))
  add('date_moved', 2, (date: unknown, seconds: unknown) => dateMoved(String(date), Number(seconds)))
  add('instant_moved', 2, (instant: unknown, seconds: unknown) => instantMoved(String(instant), Number(seconds)))
  add('date_between', 2, (later: unknown, earlier: unknown) => dateBetween(String(later), String(earlier)))
  add('instant_between', 2, (later: unknown, earlier: unknown) => instantBetween(String(later), String(earlier)))
  for (const [name, cast] of castFunctions) add(name, name.endsWith('_to_integer') ? 3 : 1, cast)
  for (const [name, length, work] of geoFunctions()) add(name, length, withinTime(work, longest))
  add('json_number', 1, jsonNumber)
  add('duration_seconds', 1, (text: unknown) => secondsOfDuration(String(text)))
}
