import type { Expression } from '../ast.js'
import type { TypeTable } from '../schema.js'
import { bindNode } from './bind-expression.js'
import type { BindingError } from './binding-error.js'
import type { BindingScope } from './binding-scope.js'
import { queryFrame } from './query-frame.js'
import type { StaticType } from './static-type.js'

/** The type of an expression, and what in it does not fit; `type` is `untyped` where it cannot be told. */
export interface BoundExpression {
  readonly type: StaticType
  readonly errors: readonly BindingError[]
}

/**
 * Puts one expression to an item of a type. Never throws.
 *
 * @param typeName a name of the type table, or `Edm.String` and so on
 * @param aliases the values of parameter aliases; those without a value may be declared in `scope.parameters`
 */
export function bindExpression(
  expression: Expression,
  types: TypeTable,
  typeName: string,
  scope: BindingScope = {},
  aliases: Readonly<Record<string, Expression>> = {},
): BoundExpression {
  const frame = queryFrame(types, typeName, scope, aliases)
  const type = bindNode(expression, frame)
  return { type, errors: frame.run.errors }
}
