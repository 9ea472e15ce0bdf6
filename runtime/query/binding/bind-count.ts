import type { PathExpression, PathSegment } from '../ast.js'
import { bindNode } from './bind-expression.js'
import { checkBoolean } from './check-boolean.js'
import { type Frame, frameAt, report } from './frame.js'
import { pathText } from './operand.js'
import { describeType, type StaticType } from './static-type.js'

/** `/$count`: how many items a collection has, or how many of them meet the condition. */
export function bindCount(
  segment: PathSegment & { readonly kind: 'count' },
  type: StaticType,
  path: PathExpression,
  frame: Frame,
): StaticType {
  if (type.kind !== 'collection') {
    report(
      frame,
      'notACollection',
      `'$count' may only follow a collection, but found ${describeType(type)}.`,
      pathText(path),
    )
  } else if (segment.filter !== undefined) {
    const inner = frameAt(frame, type.of)
    checkBoolean(bindNode(segment.filter, inner), "The condition of '$count'", inner)
  }
  return { kind: 'primitive', name: 'Edm.Int64' }
}
