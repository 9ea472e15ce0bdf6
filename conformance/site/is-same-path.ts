import type { ResolvedSegment } from '../../spec/language/index.js'

/** Whether two paths lead to the same, step by step; variables may have other names. */
export function isSamePath(left: readonly ResolvedSegment[], right: readonly ResolvedSegment[]): boolean {
  return left.length === right.length && left.every((segment, index) => isSameStep(segment, right[index]))
}

function isSameStep(left: ResolvedSegment, right: ResolvedSegment | undefined): boolean {
  if (right === undefined || left.kind !== right.kind) return false
  switch (left.kind) {
    case 'entitySet':
    case 'singleton':
      return 'element' in right && left.element === right.element
    case 'navigation':
    case 'property':
      return 'property' in right && left.property === right.property
    case 'key':
    case 'cast':
      return 'type' in right && left.type === right.type
    case 'operation':
      return 'operation' in right && left.operation === right.operation
    default:
      return true
  }
}
