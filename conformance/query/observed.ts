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

/** Rows that are looked through for values: what more of them show tells no more. */
const mostRows = 4_000

const known = new WeakMap<readonly Row[], Map<string, readonly unknown[]>>()

/** The different values that rows show at a path, null left out, in the order of the rows. */
export function observed(rows: readonly Row[], path: readonly string[]): readonly unknown[] {
  const byPath = known.get(rows) ?? new Map<string, readonly unknown[]>()
  known.set(rows, byPath)
  const name = path.join('/')
  const before = byPath.get(name)
  if (before !== undefined) return before
  const some = rows.length > mostRows ? rows.slice(0, mostRows) : rows
  const values = valuesAt(some, path).filter(
    value => value !== null && value !== undefined && typeof value !== 'object',
  )
  const found = [...new Set(values)]
  byPath.set(name, found)
  return found
}
