import { partsOf } from '../value/temporal.js'
import type { Value } from '../value/value.js'

const second = 1_000_000_000n

/** Functions of dates, times and durations; those of instants speak of UTC. */
export const dateFunctions: Readonly<Partial<Record<string, (value: Value) => Value>>> = {
  year: value => fromDate(value, 0, 4),
  month: value => fromDate(value, 5, 7),
  day: value => fromDate(value, 8, 10),
  hour: value => fromTime(value, nanos => Number(nanos / (3600n * second))),
  minute: value => fromTime(value, nanos => Number((nanos / (60n * second)) % 60n)),
  second: value => fromTime(value, nanos => Number((nanos / second) % 60n)),
  fractionalseconds: value => fromTime(value, nanos => Number(nanos % second) / 1e9),
  date: value => {
    const text = dateOf(value)
    return text === undefined ? null : { kind: 'date', text }
  },
  time: value => {
    const nanos = timeOfDay(value)
    return nanos === undefined ? null : { kind: 'time', nanos }
  },
  totalseconds: value => (typeof value === 'object' && value?.kind === 'duration' ? Number(value.nanos) / 1e9 : null),
}

function dateOf(value: Value): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (value.kind === 'date') return value.text
  return value.kind === 'instant' ? partsOf(value.nanos).date : undefined
}

function timeOfDay(value: Value): bigint | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (value.kind === 'time') return value.nanos
  return value.kind === 'instant' ? partsOf(value.nanos).time : undefined
}

function fromDate(value: Value, start: number, end: number): Value {
  const text = dateOf(value)
  return text === undefined ? null : Number(text.slice(start, end))
}

function fromTime(value: Value, part: (nanos: bigint) => number): Value {
  const nanos = timeOfDay(value)
  return nanos === undefined ? null : part(nanos)
}
