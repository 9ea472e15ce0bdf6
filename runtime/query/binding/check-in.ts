import { resolveAlias } from './bind-alias.js'
import { checkComparison } from './check-comparison.js'
import { type Frame, report } from './frame.js'
import { type Operand, pathText } from './operand.js'
import { describeType, untyped } from './static-type.js'

/** `in`: each item of the list, or the items of the collection, must be comparable with the left operand. */
export function checkIn(left: Operand, right: Operand, frame: Frame): void {
  const { type, expression } = right
  if (type.kind === 'untyped' || type.kind === 'null') return
  if (type.kind !== 'collection') {
    const message = `'in' takes a list in parentheses, ('a','b'), or a collection, but found ${describeType(type)}.`
    report(frame, 'notACollection', message, pathText(expression))
    return
  }
  const items = expression.kind === 'list' ? expression.items : []
  if (items.length === 0) {
    checkComparison('in', left, { type: expression.kind === 'list' ? untyped : type.of, expression }, frame)
    return
  }
  const types = expression.kind === 'list' ? (frame.itemTypes.get(expression) ?? []) : []
  for (const [index, item] of items.entries()) {
    checkComparison('in', left, { type: types[index] ?? untyped, expression: resolveAlias(item, frame) }, frame)
  }
}
