import type { NamedExpression, PathSegment } from '../ast.js'
import { resolveAlias } from './bind-alias.js'
import { bindNode } from './bind-expression.js'
import type { FunctionSignature } from './binding-scope.js'
import { checkAssignment, isInstance } from './check-assignment.js'
import { type Frame, report } from './frame.js'
import { serviceFunction } from './service-function.js'
import { declaredType, describeType, type StaticType, untyped } from './static-type.js'
import { didYouMean } from './suggestion.js'

/**
 * A function of the service in a path, `/ns.isOverdue(on=2024-01-01)`: bound to what stands before it; at the start of a
 * path (`type` absent) bound to nothing.
 */
export function bindPathFunction(
  segment: PathSegment & { readonly kind: 'function' },
  type: StaticType | undefined,
  frame: Frame,
): StaticType {
  const signature = serviceFunction(segment.name, frame)
  if (signature === undefined) {
    for (const parameter of segment.parameters) bindNode(parameter.value, frame)
    return untyped
  }
  const bound = signature.binding === undefined ? undefined : declaredType(signature.binding, frame.types)
  if (!isBoundTo(bound, type, frame)) {
    const expected = bound === undefined ? 'nothing' : describeType(bound)
    const found = type === undefined ? 'nothing before it' : describeType(type)
    const message = `The function '${segment.name}' is bound to ${expected}, but found ${found}.`
    report(frame, 'invalidArgument', message)
  }
  checkParameters(segment.name, segment.parameters, signature, frame)
  return declaredType(signature.returns, frame.types)
}

function isBoundTo(bound: StaticType | undefined, type: StaticType | undefined, frame: Frame): boolean {
  if (bound === undefined || type === undefined) return bound === type
  return isInstance(bound, type, frame) || describeType(bound) === describeType(type)
}

function checkParameters(
  name: string,
  given: readonly NamedExpression[],
  signature: FunctionSignature,
  frame: Frame,
): void {
  const { parameters } = signature
  for (const argument of given) {
    const operand = { type: bindNode(argument.value, frame), expression: resolveAlias(argument.value, frame) }
    const parameter = Object.hasOwn(parameters, argument.name) ? parameters[argument.name] : undefined
    if (parameter === undefined) {
      const hint = didYouMean(argument.name, Object.keys(parameters))
      report(frame, 'invalidArgument', `The function '${name}' has no parameter '${argument.name}'.${hint}`)
      continue
    }
    const subject = `The parameter '${argument.name}' of '${name}'`
    checkAssignment(subject, declaredType(parameter, frame.types), operand, frame)
  }
  for (const [required, parameter] of Object.entries(parameters)) {
    if (parameter.optional === true || given.some(argument => argument.name === required)) continue
    report(frame, 'invalidArgument', `The function '${name}' needs a value for its parameter '${required}'.`)
  }
}
