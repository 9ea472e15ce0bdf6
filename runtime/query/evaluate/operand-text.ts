import { parseDate, parseDateTimeOffset, parseDuration } from './temporal-text.js'
import { castNumeric } from './text-cast.js'
import type { Value } from './value.js'

/** A string whose type nobody declared, read as the number, date, instant or duration that it looks like. */
export function numericOrTemporal(value: Exclude<Value, null>): Exclude<Value, null> {
  if (typeof value === 'boolean' || value.kind !== 'string') return value
  const { text } = value
  return castNumeric(text) ?? parseDateTimeOffset(text) ?? parseDate(text) ?? parseDuration(text) ?? value
}
