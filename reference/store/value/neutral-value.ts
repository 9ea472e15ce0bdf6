import type { ValueType } from '../../../spec/language/index.js'
import { storedType } from '../schema/storage.js'

/**
 * A value for what the service computes, may not be null, and nothing is said of: nothing counted, nothing written, now.
 * Null where no value is as good as another, as of a place.
 *
 * @param now as text: ISO 8601, in UTC
 */
export function neutralValue(type: ValueType, now: string): unknown {
  if (type.kind === 'complexType') return {}
  const { kind, enumType } = storedType(type)
  switch (kind) {
    case 'integer':
    case 'decimal':
    case 'double':
      return 0
    case 'string':
    case 'binary':
      return ''
    case 'boolean':
      return false
    case 'guid':
      return '00000000-0000-0000-0000-000000000000'
    case 'date':
      return now.slice(0, 10)
    case 'dateTimeOffset':
      return now
    case 'timeOfDay':
      return '00:00:00'
    case 'duration':
      return 'PT0S'
    case 'enum':
      return enumType?.members[0]?.name ?? null
    case 'json':
      return null
  }
}
