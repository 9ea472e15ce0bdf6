import type { Expression, FunctionCall, NamedExpression, PathSegment, TypeExpression } from '../ast.js'
import { type CanonicalSignature, canonicalSignatures } from '../functions.js'
import {
  expectedForm,
  isCastFromText,
  isIntegerTypeName,
  isNumericTypeName,
  promoteNumeric,
} from '../primitive-types.js'
import { didYouMean } from '../spelling.js'
import { type BindingContext, type FunctionSignature, report } from './context.js'
import { bindNode, isRelated, resolveAlias } from './expression.js'
import { qualifiedType, serviceFunction } from './names.js'
import { checkAssignment, checkBoolean, isInstance, literalText, type Operand, pathText } from './operators.js'
import {
  booleanType,
  declaredType,
  describeType,
  nullType,
  type SingleType,
  type StaticType,
  untyped,
} from './static-type.js'

/**
 * A function call: its arguments must fit one of the function's forms.
 *
 * @see OData URL Conventions 4.01, 5.1.1.4
 */
export function bindCall(call: FunctionCall, frame: BindingContext): StaticType {
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
  frame: BindingContext,
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

function serviceResult(name: string, given: readonly Operand[], frame: BindingContext): StaticType {
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

/**
 * `cast(expression,type)` and `isof(expression,type)`; without an expression, of the current item.
 *
 * @see OData URL Conventions 4.01, 5.1.1.10
 */
function bindTypeFunction(name: 'cast' | 'isof', given: readonly Expression[], frame: BindingContext): StaticType {
  const last = given.at(-1)
  const value = given.length === 2 ? given[0] : undefined
  if (last?.kind !== 'type' || given.length > 2 || (given.length === 2 && value === undefined)) {
    report(frame, 'invalidArgument', `Expected ${name}(type) or ${name}(expression,type).`)
    return untyped
  }
  const from = value === undefined ? frame.current : bindNode(value, frame)
  const target = targetType(last, frame)
  if (target === undefined) return name === 'isof' ? booleanType : untyped
  if (!isCastable(from, target, frame)) {
    const found = `${describeType(from)} to ${describeType(target)}`
    report(frame, 'invalidCast', `'${name}' cannot relate ${found}.`)
  }
  return name === 'isof' ? booleanType : target
}

function targetType(type: TypeExpression, frame: BindingContext): StaticType | undefined {
  const target = qualifiedType(type.name, frame)
  if (target === undefined) {
    const hint = didYouMean(type.name.slice(type.name.lastIndexOf('.') + 1), Object.keys(frame.types))
    report(frame, 'unknownType', `Could not find a type named '${type.name}'.${hint}`)
    return undefined
  }
  return type.collection ? { kind: 'collection', of: target } : target
}

function isCastable(from: StaticType, to: StaticType, frame: BindingContext): boolean {
  if (from.kind === 'collection' && to.kind === 'collection') return isCastable(from.of, to.of, frame)
  if (from.kind === 'null' || from.kind === 'untyped') return true
  if (from.kind === 'collection' || to.kind === 'collection') return false
  return isValue(from) && isValue(to) ? isValueCast(comparedName(from), comparedName(to)) : isRelated(from, to, frame)
}

function isValue(type: SingleType): boolean {
  return type.kind === 'primitive' || type.kind === 'enum'
}

/** The name of a value's type; enumerations count as what they are cast to, a number. */
function comparedName(type: SingleType): string {
  return type.kind === 'primitive' ? type.name : 'Edm.Int64'
}

function isValueCast(from: string, to: string): boolean {
  if (from === to || from === 'Edm.String' || to === 'Edm.String') return true
  if (isNumericTypeName(from) && isNumericTypeName(to)) return true
  if (from === 'Edm.DateTimeOffset') return to === 'Edm.Date' || to === 'Edm.TimeOfDay'
  return isIntegerTypeName(from) && isIntegerTypeName(to)
}

/**
 * `case(condition:result,…)`, its arguments condition and result in turns: the results must be of one type.
 *
 * @see OData URL Conventions 4.01, 5.1.1.12.1
 */
function bindCase(given: readonly Expression[], frame: BindingContext): StaticType {
  let result: StaticType = nullType
  for (const [index, argument] of given.entries()) {
    const type = bindNode(argument, frame)
    if (index % 2 === 0) {
      checkBoolean(type, "A condition of 'case'", frame)
      continue
    }
    const common = commonType(result, type)
    if (common === undefined) {
      const found = `${describeType(result)} and ${describeType(type)}`
      report(frame, 'incompatibleTypes', `The results of 'case' must be of one type, but found ${found}.`)
      result = untyped
    } else {
      result = common
    }
  }
  return result
}

function commonType(one: StaticType, other: StaticType): StaticType | undefined {
  if (one.kind === 'null' || other.kind === 'untyped') return other
  if (other.kind === 'null' || one.kind === 'untyped') return one
  if (one.kind === 'primitive' && other.kind === 'primitive' && one.name !== other.name) {
    if (!isNumericTypeName(one.name) || !isNumericTypeName(other.name)) return undefined
    return { kind: 'primitive', name: promoteNumeric(one.name, other.name) }
  }
  return describeType(one) === describeType(other) ? one : undefined
}

/**
 * A function of the service in a path, `/ns.isOverdue(on=2024-01-01)`: bound to what stands before it; at the start of a
 * path (`type` absent) bound to nothing.
 */
export function bindPathFunction(
  segment: PathSegment & { readonly kind: 'function' },
  type: StaticType | undefined,
  frame: BindingContext,
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

function isBoundTo(bound: StaticType | undefined, type: StaticType | undefined, frame: BindingContext): boolean {
  if (bound === undefined || type === undefined) return bound === type
  return isInstance(bound, type, frame) || describeType(bound) === describeType(type)
}

function checkParameters(
  name: string,
  given: readonly NamedExpression[],
  signature: FunctionSignature,
  frame: BindingContext,
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
