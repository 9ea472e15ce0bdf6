import type { EntityType } from '../../spec/language/index.js'

/** What stands for the items of types as long as nothing writes any of them. */
export interface Readings {
  /** The same object as before, as long as no item of these types was written; of any type where none is given. */
  readonly of: (...types: readonly (EntityType | undefined)[]) => object
  /** Items of a type, with those that inherit from it, may have changed; any may where the type is not known. */
  readonly changed: (type: EntityType | undefined) => void
}

export function createReadings(): Readings {
  const known = new Map<string, { readonly roots: ReadonlySet<string>; readonly reading: object }>()
  return {
    of: (...types) => {
      const roots = new Set(types.includes(undefined) ? [] : types.flatMap(type => (type ? [rootOf(type)] : [])))
      const name = [...roots].sort().join(' ')
      const found = known.get(name) ?? { roots, reading: {} }
      known.set(name, found)
      return found.reading
    },
    changed: type => {
      const root = type === undefined ? undefined : rootOf(type)
      for (const [name, { roots }] of known) {
        if (root === undefined || roots.size === 0 || roots.has(root)) known.delete(name)
      }
    },
  }
}

/** The type at the top of the hierarchy: lists of it hold the items of all others. */
function rootOf(type: EntityType): string {
  let root = type
  while (root.base !== undefined) root = root.base
  return root.name
}
