import type { EntityType } from '../../spec/language/index.js'
import type { Row } from '../json.js'
import { keyOf } from '../site/key-of.js'

/** The keys of rows, in order; absent when a row does not show its key, so that rows cannot be told apart. */
export function keysShown(rows: readonly Row[], type: EntityType | undefined): readonly string[] | undefined {
  if (type === undefined) return undefined
  const keys = rows.flatMap(row => keyOf(row, type) ?? [])
  return keys.length === rows.length ? keys : undefined
}

/** Those that occur more than once, each once. */
export function repeated(keys: readonly string[]): readonly string[] {
  const seen = new Set<string>()
  return [...new Set(keys.filter(key => seen.has(key) || !seen.add(key)))]
}
