import type { EntityType } from '../../spec/language/index.js'
import type { Row } from '../json.js'

/** The key of a row as one text, its parts joined by a unit separator; absent when the row does not show all of it. */
export function keyOf(row: Row, type: EntityType): string | undefined {
  const parts: string[] = []
  for (const { name } of type.key) {
    const value = Object.hasOwn(row, name) ? row[name] : undefined
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined
    parts.push(String(value))
  }
  return parts.join('\u001F')
}
