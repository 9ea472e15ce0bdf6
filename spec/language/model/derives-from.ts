import type { StructuredType } from './types.js'

/** Whether a type is another one or derives from it. */
export function derivesFrom(type: StructuredType, base: StructuredType): boolean {
  for (let each: StructuredType | undefined = type; each !== undefined; each = each.base) if (each === base) return true
  return false
}
