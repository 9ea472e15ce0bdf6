import type {
  BinaryExpression,
  BinaryOperator,
  Expression,
  FunctionCall,
  LambdaExpression,
  UnaryExpression,
} from '../ast.js'
import { maxNesting } from '../cursor.js'
import { canonicalFunctions, expectedCalls } from '../functions.js'
import { argumentsByName, functionNamed } from '../service-functions.js'
import type { TypeTable } from '../type-table.js'
import { evaluateArithmetic, evaluateNegation } from './arithmetic.js'
import { evaluateTypeFunction } from './cast.js'
import { areEqual, compare } from './compare.js'
import { enumValue, literalValue, memberNames, valueJson } from './conversion.js'
import { callServiceFunction, type Environment, evaluateAlias, evaluatePath } from './path.js'
import {
  describeValue,
  type EnumValue,
  EvaluationError,
  isOfKind,
  type NonNullValue,
  truthOf,
  type Value,
} from './value.js'

/** Operator precedence alone nests expressions at most this deep between two parentheses. */
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
      throw new EvaluationError('A type has no value. It can only be an argument of `cast` and `isof`.')
  }
}

/** Evaluates chains such as `a or b or c`, which can be long, without recursion. */
function evaluateBinary(expression: BinaryExpression, environment: Environment): Value {
  const chain: BinaryExpression[] = [expression]
  let first = expression.left
  while (first.kind === 'binary') {
    chain.push(first)
    first = first.left
  }
  let value = evaluateExpression(first, environment)
  for (let link = chain.pop(); link !== undefined; link = chain.pop()) value = applyOperator(link, value, environment)
  return value
}

function applyOperator({ operator, right }: BinaryExpression, left: Value, environment: Environment): Value {
  if (operator === 'and' || operator === 'or') {
    const decisive = operator === 'or'
    const truth = truthOf(left, operator)
    if (truth === decisive) return decisive
    const other = truthOf(evaluateExpression(right, environment), operator)
    return other === decisive ? decisive : truth === null || other === null ? null : !decisive
  }
  return applyStrictOperator(operator, left, evaluateExpression(right, environment), environment)
}

function applyStrictOperator(
  operator: Exclude<BinaryOperator, 'and' | 'or'>,
  left: Value,
  right: Value,
  environment: Environment,
): Value {
  const { types } = environment.options
  switch (operator) {
    case 'eq':
      return areEqual(left, right, types)
    case 'ne':
      return !areEqual(left, right, types)
    case 'gt':
      return left !== null && right !== null && compare(left, right, types) > 0
    case 'ge':
      return left !== null && right !== null && compare(left, right, types) >= 0
    case 'lt':
      return left !== null && right !== null && compare(left, right, types) < 0
    case 'le':
      return left !== null && right !== null && compare(left, right, types) <= 0
    case 'has':
      return evaluateHas(left, right, types)
    case 'in':
      return evaluateIn(left, right, environment)
    default:
      return left === null || right === null ? null : evaluateArithmetic(operator, left, right)
  }
}

/** Whether an item of the collection equals the left operand; null if the collection is null. */
function evaluateIn(left: Value, right: Value, { options }: Environment): Value {
  if (right === null) return null
  if (!isOfKind(right, 'collection')) {
    throw new EvaluationError(`\`in\` needs a collection on its right, not ${describeValue(right)}.`)
  }
  return right.items.some(item => areEqual(left, item, options.types))
}

function evaluateUnary({ operator, operand }: UnaryExpression, environment: Environment): Value {
  const value = evaluateExpression(operand, environment)
  if (operator === 'negate') return value === null ? null : evaluateNegation(value)
  const truth = truthOf(value, 'not')
  return truth === null ? null : !truth
}

/**
 * Whether the left operand has all flags of the right one; null if an operand is null.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.1.10
 */
function evaluateHas(left: Value, right: Value, types: TypeTable | undefined): Value {
  if (left === null || right === null) return null
  const [flags, required] = asMembers(left, right, types)
  if (flags.number !== undefined && required.number !== undefined) {
    return (flags.number & required.number) === required.number
  }
  const names = new Set(memberNames(flags.text))
  return memberNames(required.text).every(name => names.has(name))
}

function asMembers(
  left: NonNullValue,
  right: NonNullValue,
  types: TypeTable | undefined,
): readonly [EnumValue, EnumValue] {
  const flags = asEnumMember(left, right, types)
  const required = asEnumMember(right, left, types)
  if (flags !== undefined && required !== undefined) return [flags, required]
  throw new EvaluationError(
    `\`has\` needs members of one enumeration, not ${describeValue(left)} and ${describeValue(right)}.`,
  )
}

/** The operand itself, or a string read as a member of the other operand's type. */
function asEnumMember(operand: NonNullValue, other: NonNullValue, types: TypeTable | undefined): EnumValue | undefined {
  if (isOfKind(operand, 'enum')) return operand
  const isMember = isOfKind(operand, 'string') && isOfKind(other, 'enum')
  return isMember ? enumValue(other.type, operand.text, types) : undefined
}

/**
 * The value of a canonical function; null when an argument is null.
 *
 * @throws {EvaluationError} also for functions of the service itself
 * @see OData 4.01 URL Conventions, 5.1.1.4
 */
function evaluateCall({ function: name, arguments: given }: FunctionCall, environment: Environment): Value {
  switch (name) {
    case 'case':
      return evaluateCase(given, environment)
    case 'cast':
    case 'isof': {
      const type = given.at(-1)
      if (type?.kind !== 'type') throw new EvaluationError(`\`${name}\` needs a type as its last argument.`)
      const [operand] = given
      const isOfRow = given.length < 2 || operand === undefined
      const value = isOfRow ? environment.row : evaluateExpression(operand, environment)
      return evaluateTypeFunction(name, value, type, environment.options.types)
    }
  }
  const called = canonicalFunctions.get(name)
  if (called === undefined) return evaluateServiceCall(name, given, environment)
  const values = given.map(expression => evaluateExpression(expression, environment))
  if (!values.every(isNotNull)) return null
  for (const { parameters, evaluate } of called.signatures) {
    const result = parameters.length === values.length ? evaluate(values, environment) : undefined
    if (result !== undefined) return result
  }
  const found = `${name}(${values.map(describeValue).join(', ')})`
  throw new EvaluationError(`Expected ${expectedCalls(name, called)}, found ${found}.`)
}

/** A call of a function that is not bound, with arguments by position. */
function evaluateServiceCall(name: string, given: readonly Expression[], environment: Environment): Value {
  const called = functionNamed(name, environment.options.functions)
  if (called === undefined) throw new EvaluationError(`Only a service can evaluate the function ${name}.`)
  const values = [...argumentsByName(called, given)].map(
    ([parameter, expression]) => [parameter, evaluateExpression(expression, environment)] as const,
  )
  return callServiceFunction(name, null, new Map(values), environment)
}

function isNotNull(value: Value): value is NonNullValue {
  return value !== null
}

/** The result after the first condition that is true, or null. @see OData 4.01 URL Conventions, 5.1.1.12.1 */
function evaluateCase(expressions: readonly Expression[], environment: Environment): Value {
  for (let index = 0; index + 1 < expressions.length; index += 2) {
    const condition = expressions[index]
    const result = expressions[index + 1]
    if (condition === undefined || result === undefined) return null
    if (truthOf(evaluateExpression(condition, environment), 'case') === true) {
      return evaluateExpression(result, environment)
    }
  }
  return null
}

/**
 * Whether the predicate is true for an item (`any`) or for every item (`all`). Never null: a predicate that is unknown for
 * an item is not true for it, and a null collection has no items.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.13
 */
function evaluateLambda(expression: LambdaExpression, environment: Environment): boolean {
  const { operator, variable, predicate } = expression
  const items = lambdaItems(evaluatePath(expression.collection, environment))
  if (variable === undefined || predicate === undefined) return items.length > 0
  const holds = (value: Value): boolean => {
    const bindings = { name: variable, value, outer: environment.bindings }
    return truthOf(evaluateExpression(predicate, { ...environment, bindings }), operator) === true
  }
  return operator === 'any' ? items.some(holds) : items.every(holds)
}

function lambdaItems(collection: Value): readonly Value[] {
  if (collection === null) return []
  if (isOfKind(collection, 'collection')) return collection.items
  throw new EvaluationError(`\`any\` and \`all\` need a collection, not ${describeValue(collection)}.`)
}
