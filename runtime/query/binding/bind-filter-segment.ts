import type { Expression, PathExpression } from '../ast.js'
import { bindNode } from './bind-expression.js'
import { checkBoolean } from './check-boolean.js'
import { type Frame, frameAt, report } from './frame.js'
import { pathText } from './operand.js'
import { describeType, type StaticType, untyped } from './static-type.js'

/** `/$filter(predicate)`: a condition on each item of a collection, whose type stays what it is. */
export function bindFilterSegment(
  predicate: Expression,
  type: StaticType,
  path: PathExpression,
  frame: Frame,
): StaticType {
  if (type.kind !== 'collection') {
    report(
      frame,
      'notACollection',
      `'$filter' may only follow a collection, but found ${describeType(type)}.`,
      pathText(path),
    )
    return untyped
  }
  const inner = frameAt(frame, type.of)
  checkBoolean(bindNode(predicate, inner), "The condition of '$filter'", inner)
  return type
}
