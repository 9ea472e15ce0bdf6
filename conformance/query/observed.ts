import { isRow } from '../is-row.js'
import type { Row } from '../json.js'

/** The values at a path of rows, null where there is none; collections on the way give those of their items. */
export function valuesAt(rows: readonly unknown[], path: readonly string[]): readonly unknown[] {
  let values: readonly unknown[] = rows
  for (const name of path) {
    values = values.flatMap(value => {
      if (!isRow(value)) return [null]
      const found = Object.hasOwn(value, name) ? value[name] : null
      return Array.isArray(found) ? found : [found]
    })
  }
  return values
}

/** The different values that rows show at a path, null left out, in the order of the rows. */
export function observed(rows: readonly Row[], path: readonly string[]): readonly unknown[] {
  const found = new Map<string, unknown>()
  for (const value of valuesAt(rows, path)) {
    if (value !== null && value !== undefined && typeof value !== 'object') found.set(JSON.stringify(value), value)
  }
  return [...found.values()]
}
