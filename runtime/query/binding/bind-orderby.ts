import type { OrderbyItem } from '../ast.js'
import { bindNode } from './bind-expression.js'
import { type Frame, report } from './frame.js'
import { pathText } from './operand.js'
import { isComparableTypeName } from './primitive-types.js'
import { describeType, type StaticType } from './static-type.js'

/**
 * Each key of `$orderby` must be one value that has an order.
 *
 * @see OData URL Conventions 4.01, 5.1.5
 */
export function bindOrderby(items: readonly OrderbyItem[], frame: Frame): void {
  for (const { expression } of items) {
    const type = bindNode(expression, frame)
    if (isOrdered(type)) continue
    const message = `'$orderby' needs a value that has an order, but found ${describeType(type)}.`
    report(frame, 'notAValue', message, pathText(expression))
  }
}

function isOrdered(type: StaticType): boolean {
  if (type.kind === 'null' || type.kind === 'untyped' || type.kind === 'enum') return true
  return type.kind === 'primitive' && isComparableTypeName(type.name)
}
