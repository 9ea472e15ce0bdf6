import { sql } from 'kysely'
import type { Expression } from '../../../runtime/query/index.js'
import type { ValueKind } from '../schema/storage.js'
import { argument, scalar } from './compile-call.js'
import type { Frame } from './frame.js'
import type { Operand, Scalar } from './operand.js'

type DatePart = 'year' | 'month' | 'day'
type ClockPart = 'hour' | 'minute' | 'second'
export type TimePart = DatePart | ClockPart | 'fractionalseconds' | 'date' | 'time' | 'totaloffsetminutes'

/** Where a part stands in an instant, as the store keeps it: `2024-02-29T23:59:59.5`. */
const places: Readonly<Record<DatePart | ClockPart, readonly [start: number, length: number]>> = {
  year: [1, 4],
  month: [6, 2],
  day: [9, 2],
  hour: [12, 2],
  minute: [15, 2],
  second: [18, 2],
}

const timeStart = 12

/** Parts of dates, times and instants, which are in UTC: what their texts have at fixed places. */
export function timePart(name: TimePart, given: readonly Expression[], frame: Frame): Operand {
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
      return scalar({ kind: 'decimal' }, frame.dialect.decimalOf(sql`'0' || substr(${value.sql}, ${sql.lit(start)})`))
    }
    default: {
      const [place, length] = places[name]
      const start = place < timeStart ? place : place - timeStart + clockStart(value)
      const part = sql`substr(${value.sql}, ${sql.lit(start)}, ${sql.lit(length)})`
      return scalar({ kind: 'integer' }, frame.dialect.integerOf(part), value.nullable)
    }
  }
}

function accepted(name: TimePart): readonly ValueKind[] {
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
