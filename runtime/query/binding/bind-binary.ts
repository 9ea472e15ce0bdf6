import type { BinaryExpression, Expression } from '../ast.js'
import { arithmeticResult } from './arithmetic-result.js'
import { resolveAlias } from './bind-alias.js'
import { bindNode } from './bind-expression.js'
import { checkComparison } from './check-comparison.js'
import { checkHas } from './check-has.js'
import { checkIn } from './check-in.js'
import { type Frame, report } from './frame.js'
import type { Operand } from './operand.js'
import { booleanType, describeType, type StaticType } from './static-type.js'

/** The left operands of `a or b or c …` are walked in a loop: such chains are long, but not deep. */
export function bindBinary(binary: BinaryExpression, frame: Frame): StaticType {
  const chain: BinaryExpression[] = []
  let innermost: Expression = binary
  while (innermost.kind === 'binary') {
    chain.push(innermost)
    innermost = innermost.left
  }
  let type = bindNode(innermost, frame)
  for (const node of chain.reverse()) {
    const left = { type, expression: resolveAlias(node.left, frame) }
    const right = { type: bindNode(node.right, frame), expression: resolveAlias(node.right, frame) }
    type = applyOperator(node, left, right, frame)
  }
  return type
}

function applyOperator(binary: BinaryExpression, left: Operand, right: Operand, frame: Frame): StaticType {
  const { operator } = binary
  switch (operator) {
    case 'and':
    case 'or':
      checkLogical(operator, left.type, frame)
      checkLogical(operator, right.type, frame)
      return booleanType
    case 'in':
      checkIn(left, right, frame)
      return booleanType
    case 'has':
      checkHas(left, right, frame)
      return booleanType
    case 'add':
    case 'sub':
    case 'mul':
    case 'div':
    case 'divby':
    case 'mod':
      return arithmeticResult(operator, left.type, right.type, frame)
    default:
      checkComparison(operator, left, right, frame)
      return booleanType
  }
}

function checkLogical(operator: 'and' | 'or', operand: StaticType, frame: Frame): void {
  if (operand.kind === 'null' || operand.kind === 'untyped') return
  if (operand.kind === 'primitive' && operand.name === 'Edm.Boolean') return
  report(frame, 'incompatibleTypes', `'${operator}' takes Booleans, but found ${describeType(operand)}.`)
}
