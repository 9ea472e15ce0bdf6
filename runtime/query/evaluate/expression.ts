import type {
  BinaryExpression,
  BinaryOperator,
  Expression,
  FunctionCall,
  LambdaExpression,
  UnaryExpression,
} from '../ast.js'
import { maxNesting } from '../cursor.js'
import {
  type CanonicalFunction,
  clockFunctions,
  collectionFunctions,
  dateTimeFunctions,
  roundingFunctions,
  sequenceFunctions,
  textFunctions,
} from '../functions.js'
import type { TypeTable } from '../type-table.js'
import { evaluateArithmetic, numericOrTemporal } from './arithmetic.js'
import { castFunction, isofFunction } from './cast.js'
import { areEqual, compare } from './compare.js'
import { enumValue, literalValue, memberNames, valueJson } from './conversion.js'
import { negate } from './decimal.js'
import type { Environment } from './environment.js'
import { geoFunctions } from './geo.js'
import { evaluatePath } from './path.js'
import { describeValue, type EnumValue, EvaluationError, type NonNullValue, truthOf, type Value } from './value.js'

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

/** A binary operator. A chain that leans to the left is walked without recursion, since it may be long. */
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

/** Whether an item of the collection equals the left operand; null when there is no collection. */
function evaluateIn(left: Value, right: Value, { options }: Environment): Value {
  if (right === null) return null
  if (typeof right === 'boolean' || right.kind !== 'collection') {
    throw new EvaluationError(`\`in\` needs a collection on its right, not ${describeValue(right)}.`)
  }
  return right.items.some(item => areEqual(left, item, options.types))
}

/** `not` in three-valued logic, and the sign of numbers and durations. */
function evaluateUnary({ operator, operand }: UnaryExpression, environment: Environment): Value {
  const value = evaluateExpression(operand, environment)
  if (operator === 'not') {
    const truth = truthOf(value, 'not')
    return truth === null ? null : !truth
  }
  return value === null ? null : negated(numericOrTemporal(value))
}

function negated(value: Exclude<Value, null>): Value {
  if (typeof value !== 'boolean') {
    switch (value.kind) {
      case 'integer':
        return { kind: 'integer', value: -value.value }
      case 'decimal':
        return { kind: 'decimal', value: negate(value.value) }
      case 'double':
        return { kind: 'double', value: -value.value }
      case 'duration':
        return { kind: 'duration', seconds: negate(value.seconds) }
      default:
        break
    }
  }
  throw new EvaluationError(`Cannot negate ${describeValue(value)}; a number or a duration was expected.`)
}

/**
 * Whether all flags of the right operand are set on the left one; null when one operand is.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.1.10
 */
function evaluateHas(left: Value, right: Value, types: TypeTable | undefined): Value {
  if (left === null || right === null) return null
  const [flags, wanted] = asMembers(left, right, types)
  if (flags.number !== undefined && wanted.number !== undefined) {
    return (flags.number & wanted.number) === wanted.number
  }
  const names = new Set(memberNames(flags.text))
  return memberNames(wanted.text).every(name => names.has(name))
}

function asMembers(
  left: NonNullValue,
  right: NonNullValue,
  types: TypeTable | undefined,
): readonly [EnumValue, EnumValue] {
  const flags = asEnumMember(left, right, types)
  const wanted = asEnumMember(right, left, types)
  if (flags !== undefined && wanted !== undefined) return [flags, wanted]
  throw new EvaluationError(
    `\`has\` needs members of one enumeration, not ${describeValue(left)} and ${describeValue(right)}.`,
  )
}

/** The operand itself, or a string read as a member of the other operand's type. */
function asEnumMember(operand: NonNullValue, other: NonNullValue, types: TypeTable | undefined): EnumValue | undefined {
  if (typeof operand === 'boolean') return undefined
  if (operand.kind === 'enum') return operand
  const isMember = operand.kind === 'string' && typeof other !== 'boolean' && other.kind === 'enum'
  return isMember ? enumValue(other.type, operand.text, types) : undefined
}

let functions: ReadonlyMap<string, CanonicalFunction> | undefined

/** Made at first need, so that a bundler can leave the functions out where nothing is evaluated. */
function functionNamed(name: string): CanonicalFunction | undefined {
  functions ??= new Map([
    ...Object.entries(sequenceFunctions),
    ...Object.entries(collectionFunctions),
    ...Object.entries(textFunctions),
    ...Object.entries(dateTimeFunctions),
    ...Object.entries(roundingFunctions),
    ...Object.entries(geoFunctions),
  ])
  return functions.get(name)
}

/**
 * The value of a canonical function; null when an argument is null. Functions of the service's own have no value here.
 *
 * @throws {EvaluationError}
 * @see OData 4.01 URL Conventions, 5.1.1.4
 */
function evaluateCall(call: FunctionCall, environment: Environment): Value {
  const { function: name, arguments: expressions } = call
  switch (name) {
    case 'case':
      return caseFunction(expressions, environment)
    case 'cast':
      return castFunction(expressions, environment)
    case 'isof':
      return isofFunction(expressions, environment)
    case 'now':
    case 'mindatetime':
    case 'maxdatetime':
      return clockFunctions[name](environment)
    default: {
      const implementation = functionNamed(name)
      if (implementation === undefined) throw new EvaluationError(`Only a service can evaluate the function ${name}.`)
      const values = expressions.map(expression => evaluateExpression(expression, environment))
      return values.every(isPresent) ? implementation(values, environment.options.types) : null
    }
  }
}

function isPresent(value: Value): value is NonNullValue {
  return value !== null
}

/** The result behind the first condition that is true, or null. @see OData 4.01 URL Conventions, 5.1.1.12.1 */
function caseFunction(expressions: readonly Expression[], environment: Environment): Value {
  for (let index = 0; index + 1 < expressions.length; index += 2) {
    const condition = expressions[index]
    const result = expressions[index + 1]
    if (condition === undefined || result === undefined) return null
    if (truthOf(evaluateExpression(condition, environment), 'case') === true)
      return evaluateExpression(result, environment)
  }
  return null
}

/**
 * `any`: whether the predicate is true for an item; `all`: whether it is true for every item. Never null: an item for which
 * the predicate is unknown is one for which it is not true, and a collection that is not there has no items.
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
  if (typeof collection !== 'boolean' && collection.kind === 'collection') return collection.items
  throw new EvaluationError(`\`any\` and \`all\` need a collection, not ${describeValue(collection)}.`)
}

/** The value of `@name`, worked out once a row. An alias that was not given is null. @see OData 4.01 Protocol, 11.2.5.1.3 */
export function evaluateAlias(name: string, environment: Environment): Value {
  const { aliases } = environment.options
  const expression = aliases !== undefined && Object.hasOwn(aliases, name) ? aliases[name] : undefined
  if (expression === undefined) return null
  const known = environment.aliasValues.get(name)
  if (known !== undefined) return known
  if (environment.aliasesInProgress.has(name)) throw new EvaluationError(`The alias @${name} stands for itself.`)
  const openAliases = new Set(environment.aliasesInProgress).add(name)
  const value = evaluateExpression(expression, { ...environment, aliasesInProgress: openAliases, bindings: undefined })
  environment.aliasValues.set(name, value)
  return value
}
