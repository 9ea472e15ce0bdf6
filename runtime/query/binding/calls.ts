import type { Expression, PathSegment } from '../ast.js'
import { type CanonicalFunction, canonicalFunctions, expectedCalls } from '../functions.js'
import { didYouMean } from '../operators.js'
import {
  expectedForm,
  isCastFromText,
  isIntegerTypeName,
  isNumericTypeName,
  promoteNumeric,
} from '../primitive-types.js'
import {
  type BindingContext,
  booleanType,
  declaredType,
  describeType,
  nullType,
  report,
  type SingleType,
  type StaticType,
  untyped,
} from './context.js'
import { isRelated, requireType, serviceFunction } from './names.js'
import { checkAssignment, checkBoolean, isInstance, literalText, type Operand, pathText } from './operators.js'

// The types of function calls, given the types of their arguments.

/**
 * The type of a call by position. The arguments must fit a signature of the function.
 *
 * @see OData URL Conventions 4.01, 5.1.1.4
 */
export function typeOfCall(name: string, given: readonly Operand[], context: BindingContext): StaticType {
  const canonical = canonicalFunctions.get(name)
  if (canonical !== undefined) return typeOfCanonicalCall(name, canonical, given, context)
  if (name.includes('.')) return typeOfServiceCall(name, given, context)
  const hint = didYouMean(name, canonicalFunctions.keys())
  report(context, 'unknownFunction', `Could not find a function named '${name}'.${hint}`)
  return untyped
}

function typeOfCanonicalCall(
  name: string,
  called: CanonicalFunction,
  given: readonly Operand[],
  context: BindingContext,
): StaticType {
  const signature = called.signatures.find(
    ({ parameters }) =>
      parameters.length === given.length &&
      given.every((operand, index) => isAccepted(parameters[index] ?? '', operand)),
  )
  if (signature === undefined) {
    const found = `${name}(${given.map(({ type }) => describeType(type)).join(', ')})`
    const path = given.map(({ expression }) => pathText(expression)).find(text => text !== undefined)
    report(context, 'invalidArgument', `Expected ${expectedCalls(name, called)}, but found ${found}.`, path)
    return untyped
  }
  if (signature.returns !== 'same') return { kind: 'primitive', name: signature.returns }
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

/** `Edm.Geography` for `Edm.GeographyPoint`: a property of the abstract type can contain any shape. */
function familyOf(parameter: string): string {
  return /^Edm\.Geo(?:graphy|metry)/.exec(parameter)?.[0] ?? parameter
}

function typeOfServiceCall(name: string, given: readonly Operand[], context: BindingContext): StaticType {
  const signature = serviceFunction(name, context)
  if (signature === undefined) return untyped
  if (signature.binding !== undefined) {
    report(context, 'invalidArgument', `The function '${name}' is bound. Write it after a path, '$it/${name}(...)'.`)
  }
  const parameters = Object.entries(signature.parameters)
  const needed = parameters.filter(([, parameter]) => parameter.optional !== true).length
  if (given.length < needed || given.length > parameters.length) {
    const message = `The function '${name}' takes ${parameters.length} arguments, but found ${given.length}.`
    report(context, 'invalidArgument', message)
  }
  for (const [index, operand] of given.entries()) {
    const parameter = parameters[index]
    if (parameter === undefined) break
    checkAssignment(
      `The parameter '${parameter[0]}' of '${name}'`,
      declaredType(parameter[1], context.types),
      operand,
      context,
    )
  }
  return declaredType(signature.returns, context.types)
}

/**
 * The type of `cast(expression,type)` and `isof(expression,type)`. Without an expression, they apply to the current item.
 *
 * @param from the type of the expression or of the current item
 * @see OData URL Conventions 4.01, 5.1.1.10
 */
export function typeOfTypeFunction(
  name: 'cast' | 'isof',
  given: readonly Expression[],
  from: StaticType,
  context: BindingContext,
): StaticType {
  const last = given.at(-1)
  if (last?.kind !== 'type' || given.length > 2) {
    report(context, 'invalidArgument', `Expected ${name}(type) or ${name}(expression,type).`)
    return untyped
  }
  const single = requireType(last.name, context)
  if (single === undefined) return name === 'isof' ? booleanType : untyped
  const target: StaticType = last.collection ? { kind: 'collection', of: single } : single
  if (!isCastable(from, target, context)) {
    const found = `${describeType(from)} to ${describeType(target)}`
    report(context, 'invalidCast', `'${name}' cannot relate ${found}.`)
  }
  return name === 'isof' ? booleanType : target
}

function isCastable(from: StaticType, to: StaticType, context: BindingContext): boolean {
  if (from.kind === 'collection' && to.kind === 'collection') return isCastable(from.of, to.of, context)
  if (from.kind === 'null' || from.kind === 'untyped') return true
  if (from.kind === 'collection' || to.kind === 'collection') return false
  return isValue(from) && isValue(to) ? isValueCast(comparedName(from), comparedName(to)) : isRelated(from, to, context)
}

function isValue(type: SingleType): boolean {
  return type.kind === 'primitive' || type.kind === 'enum'
}

/** The name of a value's type. An enumeration casts like a number. */
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
 * The type of `case(condition:result,...)`: the common type of its results.
 *
 * @param given the types of condition, result, condition, result and so on
 * @see OData URL Conventions 4.01, 5.1.1.12.1
 */
export function typeOfCase(given: readonly StaticType[], context: BindingContext): StaticType {
  let result: StaticType = nullType
  for (const [index, type] of given.entries()) {
    if (index % 2 === 0) {
      checkBoolean(type, "A condition of 'case'", context)
      continue
    }
    const common = commonType(result, type)
    if (common === undefined) {
      const found = `${describeType(result)} and ${describeType(type)}`
      report(context, 'incompatibleTypes', `The results of 'case' must be of one type, but found ${found}.`)
    }
    result = common ?? untyped
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
 * The type of a call of a service function in a path, `/ns.isOverdue(on=2024-01-01)`.
 *
 * @param given the arguments, in the order of `segment.parameters`
 * @param type what the function is bound to; undefined at the start of a path, where it can be the current item
 */
export function typeOfPathCall(
  segment: PathSegment & { readonly kind: 'function' },
  given: readonly Operand[],
  type: StaticType | undefined,
  context: BindingContext,
): StaticType {
  const { name } = segment
  const signature = serviceFunction(name, context)
  if (signature === undefined) return untyped
  const bound = signature.binding === undefined ? undefined : declaredType(signature.binding, context.types)
  const before = type === undefined && bound !== undefined ? context.current : type
  if (!isBoundTo(bound, before, context)) {
    const expected = bound === undefined ? 'nothing' : describeType(bound)
    const found = before === undefined ? 'nothing before it' : describeType(before)
    report(context, 'invalidArgument', `The function '${name}' is bound to ${expected}, but found ${found}.`)
  }
  const { parameters } = signature
  for (const [index, argument] of segment.parameters.entries()) {
    const operand = given[index]
    const parameter = Object.hasOwn(parameters, argument.name) ? parameters[argument.name] : undefined
    if (parameter === undefined) {
      const hint = didYouMean(argument.name, Object.keys(parameters))
      report(context, 'invalidArgument', `The function '${name}' has no parameter '${argument.name}'.${hint}`)
    } else if (operand !== undefined) {
      const subject = `The parameter '${argument.name}' of '${name}'`
      checkAssignment(subject, declaredType(parameter, context.types), operand, context)
    }
  }
  for (const [required, parameter] of Object.entries(parameters)) {
    if (parameter.optional === true || segment.parameters.some(argument => argument.name === required)) continue
    report(context, 'invalidArgument', `The function '${name}' needs a value for its parameter '${required}'.`)
  }
  return declaredType(signature.returns, context.types)
}

function isBoundTo(bound: StaticType | undefined, type: StaticType | undefined, context: BindingContext): boolean {
  if (bound === undefined || type === undefined) return bound === type
  return isInstance(bound, type, context) || describeType(bound) === describeType(type)
}
