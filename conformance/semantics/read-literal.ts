import type { Literal } from '../../runtime/query/index.js'
import { rationalOf } from './rational.js'
import { enumOf, type Reading, textOf } from './read-value.js'
import { daysOf, durationOf, instantOf, timeOf } from './temporal.js'
import type { Possible, Value } from './value.js'

/** What a literal of a filter stands for. It is exactly what it says: a moment without a fraction is that moment. */
export function readLiteral(literal: Literal, reading: Reading): Possible {
  switch (literal.type) {
    case 'null':
      return [null]
    case 'Boolean':
      return [literal.value]
    case 'String':
      return textOf(literal.value, reading.laws)
    case 'Enum':
      return [enumOf(literal.value, literal.enumType.slice(literal.enumType.lastIndexOf('.') + 1), reading.types)]
    default: {
      const value = readText(literal.type, literal.value)
      return value === undefined ? 'unknown' : [value]
    }
  }
}

type TextLiteral = Exclude<Literal['type'], 'null' | 'Boolean' | 'String' | 'Enum'>

function readText(type: TextLiteral, text: string): Value | undefined {
  switch (type) {
    case 'Integer':
    case 'Decimal':
    case 'Double': {
      const value = rationalOf(text)
      return value === undefined
        ? undefined
        : { kind: 'number', value, isInteger: type === 'Integer', approximate: false }
    }
    case 'Guid':
      return { kind: 'guid', text: text.toLowerCase() }
    case 'Date': {
      const days = daysOf(text)
      return days === undefined ? undefined : { kind: 'date', days }
    }
    case 'DateTimeOffset':
      return exactInstant(text)
    case 'TimeOfDay': {
      const time = timeOf(text)
      return time === undefined ? undefined : { kind: 'time', ticks: time.ticks }
    }
    case 'Duration': {
      const ticks = durationOf(text)
      return ticks === undefined ? undefined : { kind: 'duration', ticks }
    }
    case 'Binary':
    case 'Geography':
    case 'Geometry':
      return { kind: 'opaque', text }
  }
}

function exactInstant(text: string): Value | undefined {
  const instant = instantOf(text)
  if (instant === undefined) return undefined
  return { kind: 'instant', from: instant.ticks, to: instant.ticks, offset: instant.offset }
}

/** The value that a text stands for beside a value of another type: services of 4.01 read quoted texts so. */
export function readAs(text: string, other: Exclude<Value, null | boolean>, reading: Reading): Value | undefined {
  switch (other.kind) {
    case 'enum':
      return enumOf(text, other.type, reading.types)
    case 'guid':
      return { kind: 'guid', text: text.toLowerCase() }
    case 'date':
      return readText('Date', text)
    case 'instant':
      return exactInstant(text)
    case 'time':
      return readText('TimeOfDay', text)
    case 'duration':
      return readText('Duration', text)
    default:
      return undefined
  }
}
