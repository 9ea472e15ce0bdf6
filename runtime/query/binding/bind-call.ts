import type { FunctionCall } from '../ast.js'
import { resolveAlias } from './bind-alias.js'
import { bindCase } from './bind-case.js'
import { bindNode } from './bind-expression.js'
import { bindTypeFunction } from './bind-type-function.js'
import { type CanonicalSignature, canonicalSignatures } from './canonical-signatures.js'
import { checkAssignment } from './check-assignment.js'
import { type Frame, report } from './frame.js'
import { literalText, type Operand, pathText } from './operand.js'
import { expectedForm, isCastFromText } from './primitive-text.js'
import { isIntegerTypeName, isNumericTypeName } from './primitive-types.js'
import { serviceFunction } from './service-function.js'
import { declaredType, describeType, type StaticType, untyped } from './static-type.js'
import { didYouMean } from './suggestion.js'

/**
 * A function call: its arguments must fit one of the function's forms.
 *
 * @see OData URL Conventions 4.01, 5.1.1.4
 */
export function bindCall(call: FunctionCall, frame: Frame): StaticType {
  const name = call.function
  if (name === 'cast' || name === 'isof') return bindTypeFunction(name, call.arguments, frame)
  if (name === 'case') return bindCase(call.arguments, frame)
  const given = call.arguments.map(argument => ({
    type: bindNode(argument, frame),
    expression: resolveAlias(argument, frame),
  }))
  const forms = canonicalSignatures.get(name)
  if (forms !== undefined) return canonicalResult(name, forms, given, frame)
  if (!name.includes('.')) {
    const hint = didYouMean(name, canonicalSignatures.keys())
    report(frame, 'unknownFunction', `Could not find a function named '${name}'.${hint}`)
    return untyped
  }
  return serviceResult(name, given, frame)
}

function canonicalResult(
  name: string,
  forms: readonly CanonicalSignature[],
  given: readonly Operand[],
  frame: Frame,
): StaticType {
  const form = forms.find(
    ({ parameters }) =>
      parameters.length === given.length &&
      given.every((operand, index) => isAccepted(parameters[index] ?? '', operand)),
  )
  if (form === undefined) {
    const expected = forms.map(({ parameters }) => `${name}(${parameters.join(', ')})`).join(' or ')
    const found = `${name}(${given.map(({ type }) => describeType(type)).join(', ')})`
    const path = given.map(({ expression }) => pathText(expression)).find(text => text !== undefined)
    report(frame, 'invalidArgument', `Expected ${expected}, but found ${found}.`, path)
    return untyped
  }
  if (form.returns !== 'same') return { kind: 'primitive', name: form.returns }
  const first = given[0]?.type ?? untyped
  return first.kind === 'null' ? untyped : first
}

function isAccepted(parameter: string, { type, expression }: Operand): boolean {
  if (type.kind === 'null' || type.kind === 'untyped') return true
  if (parameter === 'collection') return type.kind === 'collection'
  if (type.kind !== 'primitive') return false
  if (parameter === 'integer') return isIntegerTypeName(type.name)
  if (parameter === 'number') return isNumericTypeName(type.name)
  if (parameter === type.name || type.name === familyOf(parameter)) return true
  const text = literalText(expression)
  return text !== undefined && isCastFromText(parameter) && expectedForm(parameter, text) === undefined
}

/** `Edm.Geography` of `Edm.GeographyPoint`: a property of the abstract type may hold any shape. */
function familyOf(parameter: string): string {
  return /^Edm\.Geo(?:graphy|metry)/.exec(parameter)?.[0] ?? parameter
}

function serviceResult(name: string, given: readonly Operand[], frame: Frame): StaticType {
  const signature = serviceFunction(name, frame)
  if (signature === undefined) return untyped
  if (signature.binding !== undefined) {
    report(frame, 'invalidArgument', `The function '${name}' is bound: write it after a path, '$it/${name}(…)'.`)
  }
  const parameters = Object.entries(signature.parameters)
  const needed = parameters.filter(([, parameter]) => parameter.optional !== true).length
  if (given.length < needed || given.length > parameters.length) {
    const message = `The function '${name}' takes ${parameters.length} arguments, but found ${given.length}.`
    report(frame, 'invalidArgument', message)
  }
  for (const [index, operand] of given.entries()) {
    const parameter = parameters[index]
    if (parameter === undefined) break
    checkAssignment(
      `The parameter '${parameter[0]}' of '${name}'`,
      declaredType(parameter[1], frame.types),
      operand,
      frame,
    )
  }
  return declaredType(signature.returns, frame.types)
}
