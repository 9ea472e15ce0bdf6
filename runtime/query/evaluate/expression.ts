import type { Expression } from '../ast.js'
import { EvaluationError } from '../evaluation-error.js'
import { maxNesting } from '../max-nesting.js'
import { evaluateAlias } from './alias.js'
import { evaluateBinary } from './binary.js'
import { evaluateCall } from './call.js'
import type { Environment } from './environment.js'
import { evaluateLambda } from './lambda.js'
import { literalValue } from './literal-value.js'
import { evaluatePath } from './path.js'
import { evaluateUnary } from './unary.js'
import type { Value } from './value.js'
import { valueJson } from './value-json.js'

/** Between two parentheses the precedence of operators alone makes at most this many levels. */
const levelsWithoutParentheses = 8
const maxDepth = maxNesting * levelsWithoutParentheses

/** The value of an expression in its environment. @throws {EvaluationError} */
export function evaluateExpression(expression: Expression, environment: Environment): Value {
  const { level } = environment
  if (level.current >= maxDepth) throw new EvaluationError(`The expression is more than ${maxDepth} levels deep.`)
  level.current += 1
  const value = evaluateKind(expression, environment)
  level.current -= 1
  return value
}

function evaluateKind(expression: Expression, environment: Environment): Value {
  switch (expression.kind) {
    case 'literal':
      return literalValue(expression, environment.options.types)
    case 'path':
      return evaluatePath(expression, environment)
    case 'unary':
      return evaluateUnary(expression, environment)
    case 'binary':
      return evaluateBinary(expression, environment)
    case 'call':
      return evaluateCall(expression, environment)
    case 'lambda':
      return evaluateLambda(expression, environment)
    case 'list':
      return { kind: 'collection', items: expression.items.map(item => evaluateExpression(item, environment)) }
    case 'object': {
      const members = expression.members.map(({ name, value }) => [
        name,
        valueJson(evaluateExpression(value, environment)),
      ])
      return { kind: 'structured', json: Object.fromEntries(members), type: undefined }
    }
    case 'alias':
      return evaluateAlias(expression.name, environment)
    case 'type':
      throw new EvaluationError('A type has no value; it can only stand in `cast` and `isof`.')
  }
}
