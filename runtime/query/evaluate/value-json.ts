import { decimalText } from './decimal.js'
import { dateText, dateTimeOffsetText, durationText, timeOfDayText } from './temporal-text.js'
import type { Value } from './value.js'

/** A value of JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: unknown }

/** A value as JSON would carry it; a number that a JavaScript number cannot hold exactly is text. */
export function valueJson(value: Value): Json {
  if (value === null) return null
  if (typeof value === 'boolean') return value
  switch (value.kind) {
    case 'integer':
      return Number.isSafeInteger(Number(value.value)) ? Number(value.value) : String(value.value)
    case 'decimal': {
      const text = decimalText(value.value)
      return String(Number(text)) === text ? Number(text) : text
    }
    case 'double':
      return Number.isFinite(value.value) ? value.value : valueText(value)
    case 'structured':
      return value.json
    case 'collection':
      return value.items.map(valueJson)
    default:
      return valueText(value)
  }
}

/** The text of a primitive value as payloads carry it. */
export function valueText(value: Exclude<Value, null>): string {
  if (typeof value === 'boolean') return String(value)
  switch (value.kind) {
    case 'integer':
      return String(value.value)
    case 'decimal':
      return decimalText(value.value)
    case 'double':
      return Number.isFinite(value.value) || Number.isNaN(value.value)
        ? String(value.value)
        : value.value > 0
          ? 'INF'
          : '-INF'
    case 'date':
      return dateText(value)
    case 'dateTimeOffset':
      return dateTimeOffsetText(value)
    case 'timeOfDay':
      return timeOfDayText(value)
    case 'duration':
      return durationText(value)
    case 'structured':
      return JSON.stringify(value.json)
    case 'collection':
      return JSON.stringify(value.items.map(valueJson))
    default:
      return value.text
  }
}
