import type { Expression } from '../ast.js'
import { bindAlias } from './bind-alias.js'
import { bindBinary } from './bind-binary.js'
import { bindCall } from './bind-call.js'
import { bindLambda } from './bind-lambda.js'
import { bindList } from './bind-list.js'
import { bindLiteral } from './bind-literal.js'
import { bindPath } from './bind-path.js'
import { bindUnary } from './bind-unary.js'
import { type Frame, maxBindingDepth, report } from './frame.js'
import { objectType, type StaticType, untyped } from './static-type.js'

/** The static type of an expression where it stands; what does not fit is reported, and is `untyped`. */
export function bindNode(expression: Expression, frame: Frame): StaticType {
  const { run } = frame
  if (run.depth >= maxBindingDepth) {
    report(
      frame,
      'tooComplex',
      `The expression is nested more than ${maxBindingDepth} levels deep. Write a simpler one.`,
    )
    return untyped
  }
  run.depth++
  const type = dispatch(expression, frame)
  run.depth--
  return type
}

function dispatch(expression: Expression, frame: Frame): StaticType {
  switch (expression.kind) {
    case 'literal':
      return bindLiteral(expression, frame)
    case 'path':
      return bindPath(expression, frame)
    case 'unary':
      return bindUnary(expression, frame)
    case 'binary':
      return bindBinary(expression, frame)
    case 'call':
      return bindCall(expression, frame)
    case 'lambda':
      return bindLambda(expression, frame)
    case 'list':
      return bindList(expression, frame)
    case 'alias':
      return bindAlias(expression, frame)
    case 'object':
      for (const member of expression.members) bindNode(member.value, frame)
      return objectType
    case 'type':
      report(frame, 'notAValue', `The type name '${expression.name}' is no value: it may stand in cast and isof only.`)
      return untyped
  }
}
