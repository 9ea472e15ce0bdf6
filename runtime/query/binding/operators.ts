import type { ArithmeticOperator, ComparisonOperator, Expression } from '../ast.js'
import {
  expectedForm,
  isCastFromText,
  isComparableTypeName,
  isIntegerTypeName,
  isNumericTypeName,
  promoteNumeric,
} from '../primitive-types.js'
import { isSubtype } from '../type-table.js'
import {
  type BindingContext,
  describeType,
  nullType,
  report,
  resolveAlias,
  type StaticType,
  untyped,
} from './context.js'
import { enumTextProblem } from './names.js'

/** An operand or argument: its type, and its expression after the replacement of aliases. */
export interface Operand {
  readonly type: StaticType
  readonly expression: Expression
}

export function literalText(expression: Expression): string | undefined {
  return expression.kind === 'literal' && expression.type === 'String' ? expression.value : undefined
}

/** The names of a path, for messages; undefined for other expressions. */
export function pathText(expression: Expression): string | undefined {
  if (expression.kind !== 'path') return undefined
  const names = expression.segments.flatMap(segment => (segment.kind === 'property' ? [segment.name] : []))
  return names.length === 0 ? undefined : names.join('/')
}

/**
 * Checks that two values are comparable. Single values are comparable with null. Structured values, streams and geo values are
 * comparable only with null, binaries also with `eq`, `ne` and `in`.
 *
 * @see OData URL Conventions 4.01, 5.1.1.1
 */
export function checkComparison(
  operator: Exclude<ComparisonOperator, 'has'>,
  left: Operand,
  right: Operand,
  context: BindingContext,
): void {
  if (left.type.kind === 'collection' || right.type.kind === 'collection') {
    const collection = left.type.kind === 'collection' ? left : right
    const found = describeType(collection.type)
    const message = `'${operator}' cannot compare a ${found}. Use '/any(...)', '/all(...)' or '/$count'.`
    report(context, 'notAValue', message, pathText(collection.expression))
    return
  }
  const isEquality = operator === 'eq' || operator === 'ne' || operator === 'in'
  const withNull = left.type.kind === 'null' || right.type.kind === 'null'
  if (isEquality && withNull) return
  for (const operand of [left, right]) {
    if (isComparable(operand.type) || (isEquality && isBinaryData(operand.type))) continue
    report(context, 'notAValue', notComparable(operand.type), pathText(operand.expression))
    return
  }
  if (isOfAnyType(left.type) || isOfAnyType(right.type)) return
  if (isConvertible(left, right, context) || isConvertible(right, left, context)) return
  const found = `${describeType(left.type)} with ${describeType(right.type)}`
  const hint = writingHint(left, right) ?? writingHint(right, left) ?? ''
  const path = pathText(left.expression) ?? pathText(right.expression)
  report(context, 'incompatibleTypes', `'${operator}' cannot compare ${found}.${hint}`, path)
}

function isOfAnyType(type: StaticType): boolean {
  return type.kind === 'null' || type.kind === 'untyped'
}

function isComparable(type: StaticType): boolean {
  return isOfAnyType(type) || type.kind === 'enum' || (type.kind === 'primitive' && isComparableTypeName(type.name))
}

/** Binaries are equal or not, but have no order. */
function isBinaryData(type: StaticType): boolean {
  return type.kind === 'primitive' && type.name === 'Edm.Binary'
}

function notComparable(type: StaticType): string {
  switch (type.kind) {
    case 'entity':
      return `A relation to '${type.name}' is not a value. Compare one of its properties, or test it with 'eq null'.`
    case 'complex':
      return `The complex type '${type.name}' cannot be compared. Compare one of its properties, or test it with 'eq null'.`
    default:
      if (isBinaryData(type)) return "A value of type Edm.Binary can only be tested with 'eq' and 'ne'."
      return `A value of type ${describeType(type)} can only be tested with 'eq null' and 'ne null'.`
  }
}

/** Superfluous or missing quotes are the most frequent cause of incompatible operands. */
function writingHint(one: Operand, other: Operand): string | undefined {
  if (one.type.kind !== 'primitive' || other.expression.kind !== 'literal') return undefined
  const { name } = one.type
  const literal = other.expression
  if (literal.type === 'String') {
    return isNumericTypeName(name) || name === 'Edm.Boolean' ? ' Write the value without quotes.' : undefined
  }
  if (name === 'Edm.String') return ' Put the value in single quotes.'
  if (name === 'Edm.DateTimeOffset' && literal.type === 'Date') {
    return ` Write ${literal.value}T00:00:00Z, or compare the date(...) of it.`
  }
  return undefined
}

/** `in`: the items of the list or collection must be comparable with the left operand. */
export function checkIn(left: Operand, right: Operand, context: BindingContext): void {
  const { type, expression } = right
  if (type.kind === 'untyped' || type.kind === 'null') return
  if (type.kind !== 'collection') {
    const message = `'in' takes a list in parentheses, ('a','b'), or a collection, but found ${describeType(type)}.`
    report(context, 'notACollection', message, pathText(expression))
    return
  }
  const items = expression.kind === 'list' ? expression.items : []
  if (items.length === 0) {
    checkComparison('in', left, { type: expression.kind === 'list' ? untyped : type.of, expression }, context)
    return
  }
  const types = expression.kind === 'list' ? (context.itemTypes.get(expression) ?? []) : []
  for (const [index, item] of items.entries()) {
    checkComparison('in', left, { type: types[index] ?? untyped, expression: resolveAlias(item, context) }, context)
  }
}

/**
 * `has`: flags of an enumeration on the left, and a value of the same enumeration on the right, with or without the name of
 * the type.
 *
 * @see OData URL Conventions 4.01, 5.1.1.1.10
 */
export function checkHas(left: Operand, right: Operand, context: BindingContext): void {
  if (left.type.kind === 'untyped' || left.type.kind === 'null') return
  const path = pathText(left.expression)
  if (left.type.kind !== 'enum') {
    report(
      context,
      'incompatibleTypes',
      `'has' takes an enumeration with flags, but found ${describeType(left.type)}.`,
      path,
    )
    return
  }
  const info = Object.hasOwn(context.types, left.type.name) ? context.types[left.type.name] : undefined
  if (info?.kind === 'enumType' && info.flags !== true) {
    report(context, 'incompatibleTypes', `The enumeration '${left.type.name}' has no flags. Use 'eq'.`, path)
    return
  }
  const text = literalText(right.expression)
  if (text !== undefined) {
    const problem = enumTextProblem(left.type.name, text, context.types)
    if (problem !== undefined) report(context, 'unknownMember', problem, path)
    return
  }
  if (right.type.kind === 'null' || right.type.kind === 'untyped') return
  if (right.type.kind === 'enum' && right.type.name === left.type.name) return
  const found = describeType(right.type)
  report(
    context,
    'incompatibleTypes',
    `'has' expects a value of '${left.type.name}' on its right, but found ${found}.`,
    path,
  )
}

/** Reports a condition that is not a Boolean. `subject` names it: `The condition of 'any'`. */
export function checkBoolean(type: StaticType, subject: string, context: BindingContext): void {
  if (type.kind === 'null' || type.kind === 'untyped') return
  if (type.kind === 'primitive' && type.name === 'Edm.Boolean') return
  report(context, 'notBoolean', `${subject} must be a Boolean expression, but is of type ${describeType(type)}.`)
}

/** Checks that a parameter accepts a value. `subject` names the parameter: `The parameter 'on' of 'isDue'`. */
export function checkAssignment(subject: string, declared: StaticType, given: Operand, context: BindingContext): void {
  if (fits(declared, given, context)) return
  const message = `${subject} takes ${describeType(declared)}, but found ${describeType(given.type)}.`
  report(context, 'invalidArgument', message)
}

function fits(declared: StaticType, given: Operand, context: BindingContext): boolean {
  if (declared.kind === 'untyped' || given.type.kind === 'untyped' || given.type.kind === 'null') return true
  if (declared.kind !== 'collection') {
    return (
      isInstance(declared, given.type, context) ||
      isConvertible({ type: declared, expression: given.expression }, given, context)
    )
  }
  if (given.type.kind !== 'collection') return false
  const list = given.expression
  if (list.kind !== 'list') return fits(declared.of, { type: given.type.of, expression: list }, context)
  const types = context.itemTypes.get(list) ?? []
  return list.items.every((item, index) =>
    fits(declared.of, { type: types[index] ?? untyped, expression: resolveAlias(item, context) }, context),
  )
}

/** Whether a value of one structured type is a value of another. A JSON object can be of any type. */
export function isInstance(declared: StaticType, given: StaticType, context: BindingContext): boolean {
  if (declared.kind !== 'entity' && declared.kind !== 'complex') return false
  return (
    given.kind === 'object' || (given.kind === declared.kind && isSubtype(given.name, declared.name, context.types))
  )
}

/**
 * Whether `other` is of the type of `one` or convertible to it: numbers to each other, and a string literal to a Guid, date,
 * time, duration or enumeration. If the text of the literal does not fit, reports that and returns true, because the types
 * match.
 *
 * @see OData Protocol 4.01, 13.3 (4.01 services cast strings to primitive types in URLs)
 */
function isConvertible(one: Operand, other: Operand, context: BindingContext): boolean {
  const text = literalText(other.expression)
  if (text !== undefined && one.type.kind === 'enum') {
    const problem = enumTextProblem(one.type.name, text, context.types)
    if (problem !== undefined) report(context, 'unknownMember', problem, pathText(one.expression))
    return true
  }
  if (one.type.kind === 'enum' && context.scope.enumNumbers === true && isInteger(other.type)) {
    return true
  }
  if (text !== undefined && one.type.kind === 'primitive' && isCastFromText(one.type.name)) {
    const expected = expectedForm(one.type.name, text)
    if (expected !== undefined) {
      const message = `'${text}' is not an ${one.type.name}: expected ${expected}.`
      report(context, 'invalidLiteral', message, pathText(one.expression))
    }
    return true
  }
  return isSameFamily(one.type, other.type)
}

function isInteger(type: StaticType): boolean {
  return type.kind === 'primitive' && isIntegerTypeName(type.name)
}

function isSameFamily(left: StaticType, right: StaticType): boolean {
  if (!('name' in left && 'name' in right) || left.kind !== right.kind) return false
  return left.name === right.name || (isNumericTypeName(left.name) && isNumericTypeName(right.name))
}

/** The results of `add` and `sub` on dates and durations: `left operator right` to result. */
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
 * The type of an arithmetic expression. With a null operand, it is null.
 *
 * @see OData URL Conventions 4.01, 5.1.1.2
 */
export function arithmeticResult(
  operator: ArithmeticOperator,
  left: StaticType,
  right: StaticType,
  context: BindingContext,
): StaticType {
  if (left.kind === 'untyped' || right.kind === 'untyped') return untyped
  if (left.kind === 'null' || right.kind === 'null') {
    const other = left.kind === 'null' ? right : left
    if (other.kind === 'null' || other.kind === 'primitive') return nullType
  }
  const name = resultName(operator, nameOf(left), nameOf(right))
  if (name !== undefined) return { kind: 'primitive', name }
  const found = `${describeType(left)} and ${describeType(right)}`
  report(context, 'incompatibleTypes', `'${operator}' takes numbers, dates or durations, but found ${found}.`)
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
