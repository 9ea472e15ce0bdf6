import type { StructuredType } from './types.js'

/** A type and those that it inherits from, up to the first. A type that derives from itself ends where it comes round. */
export function typeLine(type: StructuredType): readonly StructuredType[] {
  const line = new Set<StructuredType>()
  for (let each: StructuredType | undefined = type; each !== undefined && !line.has(each); each = each.base)
    line.add(each)
  return [...line]
}
