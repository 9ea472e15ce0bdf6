import type { LambdaExpression } from '../ast.js'
import { bindNode } from './bind-expression.js'
import { bindPath } from './bind-path.js'
import { checkBoolean } from './check-boolean.js'
import { type Frame, report } from './frame.js'
import { pathText } from './operand.js'
import { booleanType, describeType, type StaticType, untyped } from './static-type.js'

/**
 * `any` and `all`: a condition on the items of a collection, which the variable stands for.
 *
 * @see OData URL Conventions 4.01, 5.1.1.13
 */
export function bindLambda(lambda: LambdaExpression, frame: Frame): StaticType {
  const collection = bindPath(lambda.collection, frame)
  let item: StaticType = untyped
  if (collection.kind === 'collection') {
    item = collection.of
  } else if (collection.kind !== 'untyped') {
    const message = `'${lambda.operator}' may only follow a collection, but found ${describeType(collection)}.`
    report(frame, 'notACollection', message, pathText(lambda.collection))
  }
  const { variable, predicate } = lambda
  if (predicate === undefined) {
    if (lambda.operator === 'all') report(frame, 'invalidArgument', "'all' needs a condition: all(x:x eq 1).")
    return booleanType
  }
  const variables = new Map(frame.variables)
  if (variable !== undefined) variables.set(variable, item)
  const inner = { ...frame, variables }
  checkBoolean(bindNode(predicate, inner), `The condition of '${lambda.operator}'`, inner)
  return booleanType
}
