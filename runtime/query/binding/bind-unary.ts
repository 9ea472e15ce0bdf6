import type { UnaryExpression } from '../ast.js'
import { bindNode } from './bind-expression.js'
import { type Frame, report } from './frame.js'
import { isNumericTypeName } from './primitive-types.js'
import { booleanType, describeType, type StaticType, untyped } from './static-type.js'

/** `not` of a Boolean; `-` of a number or duration. */
export function bindUnary(unary: UnaryExpression, frame: Frame): StaticType {
  const operand = bindNode(unary.operand, frame)
  if (operand.kind === 'null' || operand.kind === 'untyped') return unary.operator === 'not' ? booleanType : operand
  const name = operand.kind === 'primitive' ? operand.name : ''
  if (unary.operator === 'not') {
    if (name !== 'Edm.Boolean') {
      const hint = 'Put the whole condition in parentheses: not (a eq b).'
      report(frame, 'incompatibleTypes', `'not' takes a Boolean, but found ${describeType(operand)}. ${hint}`)
    }
    return booleanType
  }
  if (isNumericTypeName(name) || name === 'Edm.Duration') return operand
  report(frame, 'incompatibleTypes', `'-' takes a number or a duration, but found ${describeType(operand)}.`)
  return untyped
}
