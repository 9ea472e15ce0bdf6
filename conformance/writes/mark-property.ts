import type { EntityType, Property } from '../../spec/language/index.js'
import { primitiveOf } from '../lists/properties.js'
import { isAssumed } from '../lists/type-mismatch.js'

/** Maximum length of the mark and the text after it. */
const markLength = 60

/** The string property of a type that carries the mark of a run. Undefined if no text is long enough. */
export function markPropertyOf(type: EntityType): Property | undefined {
  return type.properties.find(canCarryMark)
}

function canCarryMark(property: Property): boolean {
  const { type, collection, computed, pattern, maxLength = markLength, unique } = property
  if (collection || computed || unique || isAssumed(property)) return false
  if (pattern !== undefined || maxLength < markLength) return false
  return type.kind === 'primitive' && primitiveOf(type) === 'String'
}
