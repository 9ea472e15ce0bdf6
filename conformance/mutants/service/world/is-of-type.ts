import type { StructuredType } from '../../../../spec/language/index.js'

/** Whether a type is another one or derives from it. */
export function isOfType(type: StructuredType, wanted: StructuredType): boolean {
  for (let each: StructuredType | undefined = type; each !== undefined; each = each.base)
    if (each === wanted) return true
  return false
}
