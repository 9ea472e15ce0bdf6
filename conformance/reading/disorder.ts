import { type Known, lawsOf } from '../semantics/index.js'
import { compareSorted, type SortKey } from './sort-key.js'

/** Two places of a list that stand the wrong way round, and the sort key that says so. */
export interface Disorder {
  readonly before: number
  readonly after: number
  readonly key: SortKey
}

/** How far the next place with a known order is looked for. */
const reach = 12

/**
 * The first places of a list that contradict its order. Where it is not known how two values sort nothing is said of
 * them; but nulls stand together, at one end.
 *
 * @param values the sort values of each row, in the order of the list
 */
export function disorderOf(
  values: readonly (readonly unknown[])[],
  keys: readonly SortKey[],
  known: Known,
): Disorder | undefined {
  for (const [before, left] of values.entries()) {
    const end = Math.min(values.length, before + 1 + reach)
    for (let after = before + 1; after < end; after++) {
      const right = values[after] ?? []
      const key = contradicted(left, right, keys, known)
      if (key !== undefined) return { before, after, key }
      // What comes after that place is compared with it.
      if (compareSorted(left, right, keys, known) !== undefined) break
    }
  }
  return scatteredNulls(values, keys, known)
}

/** The key by which the left row must come after the right one. */
function contradicted(
  left: readonly unknown[],
  right: readonly unknown[],
  keys: readonly SortKey[],
  known: Known,
): SortKey | undefined {
  for (const [index, key] of keys.entries()) {
    const order = compareSorted([left[index]], [right[index]], [key], known)
    if (order === undefined || order < 0) return undefined
    if (order > 0) return key
  }
  return undefined
}

function scatteredNulls(
  values: readonly (readonly unknown[])[],
  keys: readonly SortKey[],
  known: Known,
): Disorder | undefined {
  const [key] = keys
  const first = values.map(([value]) => value)
  if (key === undefined || first.includes(undefined)) return undefined
  const mayBeNull = (value: unknown): boolean => value === '' && lawsOf(known).emptyIsNull.possible
  const nulls = first.flatMap((value, index) => (value === null ? [index] : []))
  const others = first.flatMap((value, index) => (value === null || mayBeNull(value) ? [] : [index]))
  const [firstNull, lastNull, firstOther, lastOther] = [nulls.at(0), nulls.at(-1), others.at(0), others.at(-1)]
  if (firstNull === undefined || lastNull === undefined || firstOther === undefined || lastOther === undefined) {
    return undefined
  }
  if (lastNull < firstOther || lastOther < firstNull) return undefined
  return { before: firstNull, after: firstOther > firstNull ? firstOther : lastOther, key }
}
