import type { SqlValue } from '../dialects/dialect.js'
import type { Storage, StoredType } from '../schema/stored-type.js'

/** The digits of fractional seconds that engines keep. */
const instant = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?$/
const date = /^(?!0000)\d{4}-\d\d-\d\d$/
const time = /^\d\d:\d\d:\d\d(?:\.\d{1,6})?$/
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * A stored value as a value of a type of the engine; undefined if the engine cannot represent it exactly. It is then compared
 * in its stored form.
 */
export function nativeValue(
  value: SqlValue | undefined,
  storage: Storage,
  { enumType }: StoredType,
): SqlValue | undefined {
  if (storage === 'untyped') return enumType?.members.find(member => member.value === value)?.name
  if (typeof value !== 'string') return undefined
  switch (storage) {
    case 'uuid':
      return uuid.test(value) ? value : undefined
    case 'timestamptz':
      return instant.test(value) ? `${value}Z` : undefined
    case 'timestamp':
      return instant.test(value) ? value : undefined
    case 'date':
      return date.test(value) ? value : undefined
    case 'time':
      return time.test(value) ? value : undefined
    case 'equalText':
      return value
    default:
      return undefined
  }
}
