import type { SelectItem } from '../../query/ast.js'

/** What a `$select` names. */
export interface Selection {
  /** `*`. */
  readonly all: boolean
  /** First name of each path -> what is selected below it; nothing: all of it. */
  readonly names: ReadonlyMap<string, readonly SelectItem[]>
}

/** Gathers the items of a `$select` by their first names. A cast in front of a name selects that name where there is one. */
export function selectionOf(items: readonly SelectItem[]): Selection {
  const names = new Map<string, readonly SelectItem[]>()
  let all = false
  for (const item of items) {
    const [first, ...rest] = item.path[0]?.includes('.') ? item.path.slice(1) : item.path
    if (first === undefined) continue
    if (first === '*') all = true
    const below = rest.length > 0 ? [{ ...item, path: rest }] : (item.options?.select ?? [])
    const known = names.get(first)
    names.set(first, below.length === 0 || known?.length === 0 ? [] : [...(known ?? []), ...below])
  }
  return { all, names }
}
