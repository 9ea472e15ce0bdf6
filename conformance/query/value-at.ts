import { isRow } from '../is-row.js'
import { valuesAt } from './observed.js'

/** The value at a path of a row, null where there is none; where a collection is on the way that of its first item. */
export function valueAt(row: unknown, path: readonly string[]): unknown {
  let value: unknown = row
  for (const [index, name] of path.entries()) {
    if (!isRow(value)) return null
    const found = Object.hasOwn(value, name) ? value[name] : null
    if (Array.isArray(found)) return valuesAt([value], path.slice(index))[0]
    value = found
  }
  return value
}
