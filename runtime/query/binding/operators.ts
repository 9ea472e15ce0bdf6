import type { ArithmeticOperator, Expression } from '../ast.js'
import {
  expectedForm,
  isCastFromText,
  isComparableTypeName,
  isNumericTypeName,
  promoteNumeric,
} from '../primitive-types.js'
import { type BindingContext, report } from './context.js'
import { resolveAlias } from './expression.js'
import { enumTextProblem } from './literals.js'
import { isAssignable } from './names.js'
import { describeType, nullType, type StaticType, untyped } from './static-type.js'

/** One side of an operator, or one argument: its type, and its expression with aliases replaced. */
export interface Operand {
  readonly type: StaticType
  readonly expression: Expression
}

/** The text of a string literal. */
export function literalText(expression: Expression): string | undefined {
  return expression.kind === 'literal' && expression.type === 'String' ? expression.value : undefined
}

/** The names of a path, for messages; absent for other expressions. */
export function pathText(expression: Expression): string | undefined {
  if (expression.kind !== 'path') return undefined
  const names = expression.segments.flatMap(segment => (segment.kind === 'property' ? [segment.name] : []))
  return names.length === 0 ? undefined : names.join('/')
}

type ComparisonSign = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le' | 'in'

/**
 * Whether two values may be compared. Null fits every single value; structured values, binaries, streams and geo values
 * may be compared with null only: what makes two structures equal is better said property by property.
 *
 * @see OData URL Conventions 4.01, 5.1.1.1
 */
export function checkComparison(operator: ComparisonSign, left: Operand, right: Operand, frame: BindingContext): void {
  if (left.type.kind === 'collection' || right.type.kind === 'collection') {
    const collection = left.type.kind === 'collection' ? left : right
    const found = describeType(collection.type)
    const message = `'${operator}' cannot compare a ${found}. Use '/any(…)', '/all(…)' or '/$count'.`
    report(frame, 'notAValue', message, pathText(collection.expression))
    return
  }
  const isEquality = operator === 'eq' || operator === 'ne' || operator === 'in'
  const withNull = left.type.kind === 'null' || right.type.kind === 'null'
  if (isEquality && withNull) return
  for (const operand of [left, right]) {
    if (isComparable(operand.type)) continue
    report(frame, 'notAValue', notComparable(operand.type), pathText(operand.expression))
    return
  }
  if (isOfAnyType(left.type) || isOfAnyType(right.type)) return
  if (isConvertible(left, right, frame) || isConvertible(right, left, frame)) return
  const found = `${describeType(left.type)} with ${describeType(right.type)}`
  const hint = writingHint(left, right) ?? writingHint(right, left) ?? ''
  const path = pathText(left.expression) ?? pathText(right.expression)
  report(frame, 'incompatibleTypes', `'${operator}' cannot compare ${found}.${hint}`, path)
}

function isOfAnyType(type: StaticType): boolean {
  return type.kind === 'null' || type.kind === 'untyped'
}

function isComparable(type: StaticType): boolean {
  return isOfAnyType(type) || type.kind === 'enum' || (type.kind === 'primitive' && isComparableTypeName(type.name))
}

function notComparable(type: StaticType): string {
  switch (type.kind) {
    case 'entity':
      return `A relation to '${type.name}' is no value: compare one of its properties, or test it with 'eq null'.`
    case 'complex':
      return `The complex type '${type.name}' cannot be compared: compare one of its properties, or test it with 'eq null'.`
    default:
      return `A value of type ${describeType(type)} can only be tested with 'eq null' and 'ne null'.`
  }
}

/** Quotes too many or too few are the most frequent reason for operands that do not go together. */
function writingHint(one: Operand, other: Operand): string | undefined {
  if (one.type.kind !== 'primitive' || other.expression.kind !== 'literal') return undefined
  const { name } = one.type
  const literal = other.expression
  if (literal.type === 'String') {
    return isNumericTypeName(name) || name === 'Edm.Boolean' ? ' Write the value without quotes.' : undefined
  }
  if (name === 'Edm.String') return ' Put the value in single quotes.'
  if (name === 'Edm.DateTimeOffset' && literal.type === 'Date') {
    return ` Write ${literal.value}T00:00:00Z, or compare the date(…) of it.`
  }
  return undefined
}

/** `in`: each item of the list, or the items of the collection, must be comparable with the left operand. */
export function checkIn(left: Operand, right: Operand, frame: BindingContext): void {
  const { type, expression } = right
  if (type.kind === 'untyped' || type.kind === 'null') return
  if (type.kind !== 'collection') {
    const message = `'in' takes a list in parentheses, ('a','b'), or a collection, but found ${describeType(type)}.`
    report(frame, 'notACollection', message, pathText(expression))
    return
  }
  const items = expression.kind === 'list' ? expression.items : []
  if (items.length === 0) {
    checkComparison('in', left, { type: expression.kind === 'list' ? untyped : type.of, expression }, frame)
    return
  }
  const types = expression.kind === 'list' ? (frame.itemTypes.get(expression) ?? []) : []
  for (const [index, item] of items.entries()) {
    checkComparison('in', left, { type: types[index] ?? untyped, expression: resolveAlias(item, frame) }, frame)
  }
}

/**
 * `has`: flags of an enumeration on the left, a value of the same enumeration on the right, written with or without the
 * type's name.
 *
 * @see OData URL Conventions 4.01, 5.1.1.1.10
 */
export function checkHas(left: Operand, right: Operand, frame: BindingContext): void {
  if (left.type.kind === 'untyped' || left.type.kind === 'null') return
  const path = pathText(left.expression)
  if (left.type.kind !== 'enum') {
    report(
      frame,
      'incompatibleTypes',
      `'has' takes an enumeration with flags, but found ${describeType(left.type)}.`,
      path,
    )
    return
  }
  const info = Object.hasOwn(frame.types, left.type.name) ? frame.types[left.type.name] : undefined
  if (info?.kind === 'enumType' && info.flags !== true) {
    report(frame, 'incompatibleTypes', `The enumeration '${left.type.name}' has no flags. Use 'eq'.`, path)
    return
  }
  const text = literalText(right.expression)
  if (text !== undefined) {
    const problem = enumTextProblem(left.type.name, text, frame.types)
    if (problem !== undefined) report(frame, 'unknownMember', problem, path)
    return
  }
  if (right.type.kind === 'null' || right.type.kind === 'untyped') return
  if (right.type.kind === 'enum' && right.type.name === left.type.name) return
  const found = describeType(right.type)
  report(
    frame,
    'incompatibleTypes',
    `'has' expects a value of '${left.type.name}' on its right, but found ${found}.`,
    path,
  )
}

/** Reports a condition that is no Boolean. `subject` names it: `The condition of 'any'`. */
export function checkBoolean(type: StaticType, subject: string, frame: BindingContext): void {
  if (type.kind === 'null' || type.kind === 'untyped') return
  if (type.kind === 'primitive' && type.name === 'Edm.Boolean') return
  report(frame, 'notBoolean', `${subject} must be a Boolean expression, but is of type ${describeType(type)}.`)
}

/** Whether a value may be given to a parameter. `subject` names the parameter: `The parameter 'on' of 'isDue'`. */
export function checkAssignment(subject: string, declared: StaticType, given: Operand, frame: BindingContext): void {
  if (fits(declared, given, frame)) return
  const message = `${subject} takes ${describeType(declared)}, but found ${describeType(given.type)}.`
  report(frame, 'invalidArgument', message)
}

function fits(declared: StaticType, given: Operand, frame: BindingContext): boolean {
  if (declared.kind === 'untyped' || given.type.kind === 'untyped' || given.type.kind === 'null') return true
  if (declared.kind !== 'collection') {
    return (
      isInstance(declared, given.type, frame) ||
      isConvertible({ type: declared, expression: given.expression }, given, frame)
    )
  }
  if (given.type.kind !== 'collection') return false
  const list = given.expression
  if (list.kind !== 'list') return fits(declared.of, { type: given.type.of, expression: list }, frame)
  const types = frame.itemTypes.get(list) ?? []
  return list.items.every((item, index) =>
    fits(declared.of, { type: types[index] ?? untyped, expression: resolveAlias(item, frame) }, frame),
  )
}

/** Whether a value of one structured type is a value of another. A JSON object may be of any. */
export function isInstance(declared: StaticType, given: StaticType, frame: BindingContext): boolean {
  if (declared.kind !== 'entity' && declared.kind !== 'complex') return false
  return (
    given.kind === 'object' || (given.kind === declared.kind && isAssignable(given.name, declared.name, frame.types))
  )
}

/**
 * Whether `other` has, or can be read with, the type of `one`: numbers read as each other, and a string literal as a
 * Guid, date, time, duration or enumeration. A string literal that is no value of that type is reported, and counts as
 * read: the types go together, the text does not.
 *
 * @see OData Protocol 4.01, 13.3 (4.01 services cast strings to primitive types in URLs)
 */
function isConvertible(one: Operand, other: Operand, frame: BindingContext): boolean {
  const text = literalText(other.expression)
  if (text !== undefined && one.type.kind === 'enum') {
    const problem = enumTextProblem(one.type.name, text, frame.types)
    if (problem !== undefined) report(frame, 'unknownMember', problem, pathText(one.expression))
    return true
  }
  if (text !== undefined && one.type.kind === 'primitive' && isCastFromText(one.type.name)) {
    const expected = expectedForm(one.type.name, text)
    if (expected !== undefined) {
      const message = `'${text}' is no ${one.type.name}: expected ${expected}.`
      report(frame, 'invalidLiteral', message, pathText(one.expression))
    }
    return true
  }
  return isSameFamily(one.type, other.type)
}

function isSameFamily(left: StaticType, right: StaticType): boolean {
  if (!('name' in left && 'name' in right) || left.kind !== right.kind) return false
  return left.name === right.name || (isNumericTypeName(left.name) && isNumericTypeName(right.name))
}

/** What `add` and `sub` make of times: `left operator right` -> result. */
const timeResults: Readonly<Record<string, string>> = {
  'Edm.DateTimeOffset add Edm.Duration': 'Edm.DateTimeOffset',
  'Edm.Duration add Edm.Duration': 'Edm.Duration',
  'Edm.Date add Edm.Duration': 'Edm.Date',
  'Edm.DateTimeOffset sub Edm.Duration': 'Edm.DateTimeOffset',
  'Edm.Duration sub Edm.Duration': 'Edm.Duration',
  'Edm.DateTimeOffset sub Edm.DateTimeOffset': 'Edm.Duration',
  'Edm.Date sub Edm.Duration': 'Edm.Date',
  'Edm.Date sub Edm.Date': 'Edm.Duration',
}

/**
 * The type of an arithmetic expression. Null with anything is null.
 *
 * @see OData URL Conventions 4.01, 5.1.1.2
 */
export function arithmeticResult(
  operator: ArithmeticOperator,
  left: StaticType,
  right: StaticType,
  frame: BindingContext,
): StaticType {
  if (left.kind === 'untyped' || right.kind === 'untyped') return untyped
  if (left.kind === 'null' || right.kind === 'null') {
    const other = left.kind === 'null' ? right : left
    if (other.kind === 'null' || other.kind === 'primitive') return nullType
  }
  const name = resultName(operator, nameOf(left), nameOf(right))
  if (name !== undefined) return { kind: 'primitive', name }
  const found = `${describeType(left)} and ${describeType(right)}`
  report(frame, 'incompatibleTypes', `'${operator}' takes numbers, dates or durations, but found ${found}.`)
  return untyped
}

function nameOf(type: StaticType): string {
  return type.kind === 'primitive' ? type.name : ''
}

function resultName(operator: ArithmeticOperator, left: string, right: string): string | undefined {
  if (isNumericTypeName(left) && isNumericTypeName(right)) {
    return promoteNumeric(operator === 'divby' ? 'Edm.Decimal' : left, right)
  }
  if (operator === 'add' || operator === 'sub') {
    const key = `${left} ${operator} ${right}`
    return Object.hasOwn(timeResults, key) ? timeResults[key] : undefined
  }
  if (operator === 'mod') return undefined
  if (left === 'Edm.Duration' && isNumericTypeName(right)) return left
  return operator === 'mul' && isNumericTypeName(left) && right === 'Edm.Duration' ? right : undefined
}
