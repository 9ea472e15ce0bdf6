import type { EntityType, StructuredType } from '../../../spec/language/index.js'

/** Whether a type is another one, or derived from it. */
export function isDerived(type: StructuredType, base: StructuredType): boolean {
  for (let current: StructuredType | undefined = type; current !== undefined; current = current.base) {
    if (current === base) return true
  }
  return false
}

/** The type at the top of a type's hierarchy. */
export function rootOf(type: EntityType): EntityType {
  let root = type
  while (root.base !== undefined) root = root.base
  return root
}
