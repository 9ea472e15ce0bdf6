import type { NavigationProperty } from '../../spec/language/index.js'
import { isRow } from '../is-row.js'
import type { Row } from '../json.js'

/** The items that a row shows under a relation: none for null; absent when it shows something that is none. */
export function relatedRows(row: Row, { name, collection }: NavigationProperty): readonly Row[] | undefined {
  const value = Object.hasOwn(row, name) ? row[name] : undefined
  if (collection) return Array.isArray(value) && value.every(isRow) ? value : undefined
  if (value === null || value === undefined) return []
  return isRow(value) ? [value] : undefined
}
