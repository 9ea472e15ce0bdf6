import type { ArithmeticOperator, Expression } from '../../runtime/query/index.js'
import type { Row } from '../json.js'
import { compareValues, type RelationalOperator } from './compare.js'
import { callFunction, dateTimeLimit, hasSubset, isTextMatch, matchText } from './functions.js'
import {
  type EvaluationContext,
  pathEvaluator,
  type TruthEvaluator,
  type ValueEvaluator,
  type Variable,
} from './paths.js'
import { caseValue, castValue, hasSubsequence, isofValue, matchesPattern } from './rare-functions.js'
import { add, divide, floored, integerOf, multiply, negative, type Rational, truncated } from './rational.js'
import { ticksInDay } from './temporal.js'
import {
  allOf,
  anyOf,
  anyTruth,
  both,
  either,
  isFalse,
  isNull,
  isTrue,
  negated,
  quantify,
  type TruthSet,
  truthOfBoolean,
} from './truth-set.js'
import { combineValues, mapValues, type PossibleValues, readLiteral, type Value } from './values.js'

const maxDepth = 400

/**
 * Prepares an expression for many rows. The result is the set of truth values that a conforming service may compute for
 * a row. This code is independent of the evaluation in the query runtime, so that a bug in either shows.
 */
export function truthOn(expression: Expression, context: EvaluationContext): (row: Row) => TruthSet {
  const evaluate = truthOfExpression(expression, context, 0)
  return row => evaluate({ row })
}

function truthOfExpression(expression: Expression, context: EvaluationContext, depth: number): TruthEvaluator {
  if (depth > maxDepth) return () => anyTruth
  switch (expression.kind) {
    case 'unary':
      if (expression.operator === 'not') {
        const operand = truthOfExpression(expression.operand, context, depth + 1)
        return scope => negated(operand(scope))
      }
      return () => anyTruth
    case 'binary':
      return truthOfBinary(expression, context, depth)
    case 'call':
      return truthOfCall(expression, context, depth)
    case 'lambda':
      return truthOfLambda(expression, context, depth)
    case 'literal':
    case 'path': {
      const value = valueOfExpression(expression, context, depth)
      const ofNull = expression.kind === 'literal' ? isNull : isFalse | isNull
      return scope => truthOfValue(value(scope), ofNull)
    }
    default:
      return () => anyTruth
  }
}

/** Services treat a bare Boolean property that is null as false or as null. */
function truthOfValue(value: PossibleValues, ofNull: TruthSet): TruthSet {
  if (value === 'unknown') return anyTruth
  let truth: TruthSet = 0
  for (const each of value) {
    if (each === null) truth |= ofNull
    else if (typeof each === 'boolean') truth |= truthOfBoolean(each)
    else return anyTruth
  }
  return truth
}

type Binary = Extract<Expression, { readonly kind: 'binary' }>

function truthOfBinary({ operator, left, right }: Binary, context: EvaluationContext, depth: number): TruthEvaluator {
  switch (operator) {
    case 'and':
    case 'or': {
      const join = operator === 'and' ? both : either
      const a = truthOfExpression(left, context, depth + 1)
      const b = truthOfExpression(right, context, depth + 1)
      return scope => join(a(scope), b(scope))
    }
    case 'eq':
    case 'ne':
    case 'gt':
    case 'ge':
    case 'lt':
    case 'le': {
      const a = valueOfExpression(left, context, depth + 1)
      const b = valueOfExpression(right, context, depth + 1)
      const isLiteral = isNullLiteral(left) || isNullLiteral(right)
      return scope => compareValues(operator satisfies RelationalOperator, a(scope), b(scope), isLiteral, context)
    }
    case 'in': {
      const a = valueOfExpression(left, context, depth + 1)
      if (right.kind !== 'list') return () => anyTruth
      const items = right.items.map(item => valueOfExpression(item, context, depth + 1))
      return scope => {
        const value = a(scope)
        // Services disagree on whether null is in a list that contains null.
        if (right.items.some(isNullLiteral) && mayBeNull(value)) return anyTruth
        return items.reduce<TruthSet>(
          (sum, item) => either(sum, compareValues('eq', value, item(scope), false, context)),
          isFalse,
        )
      }
    }
    case 'has': {
      const a = valueOfExpression(left, context, depth + 1)
      const b = valueOfExpression(right, context, depth + 1)
      return scope => truthOfValue(combineValues(a(scope), b(scope), hasFlag), isFalse | isNull)
    }
    default:
      return () => anyTruth
  }
}

function mayBeNull(value: PossibleValues): boolean {
  return value === 'unknown' || value.includes(null)
}

function isNullLiteral(expression: Expression): boolean {
  return expression.kind === 'literal' && expression.type === 'null'
}

/** A text names a member of the other operand's type. */
function hasFlag(left: Value, right: Value): PossibleValues {
  if (left === null || right === null) return [null]
  if (typeof left === 'boolean' || typeof right === 'boolean' || left.kind !== 'enum' || right.kind !== 'enum') {
    return 'unknown'
  }
  if (left.number === undefined || right.number === undefined) return 'unknown'
  return [(left.number & right.number) === right.number]
}

type Call = Extract<Expression, { readonly kind: 'call' }>

function truthOfCall(call: Call, context: EvaluationContext, depth: number): TruthEvaluator {
  const { function: name, arguments: given } = call
  if (name === 'cast' || name === 'isof' || name === 'case') {
    const value = valueOfRareCall(name, given, context, depth)
    return scope => truthOfValue(value(scope), isFalse | isNull)
  }
  const [whole, part] = given.map(argument => valueOfExpression(argument, context, depth + 1))
  if (whole === undefined || part === undefined) return () => anyTruth
  if (isTextMatch(name)) return scope => matchText(name, whole(scope), part(scope), context)
  if (name === 'hassubset') return scope => hasSubset(whole(scope), part(scope), context)
  if (name === 'hassubsequence') return scope => hasSubsequence(whole(scope), part(scope), context)
  if (name === 'matchespattern') return scope => matchesPattern(whole(scope), part(scope), context)
  return () => anyTruth
}

type Lambda = Extract<Expression, { readonly kind: 'lambda' }>

function truthOfLambda(
  { operator, collection, variable, predicate }: Lambda,
  context: EvaluationContext,
  depth: number,
): TruthEvaluator {
  const items = pathEvaluator(collection, context)
  if (variable === undefined || predicate === undefined) {
    return scope => quantify(items(scope), isFalse | isNull, found => truthOfBoolean(found.length > 0))
  }
  const condition = truthOfExpression(predicate, context, depth + 1)
  return scope =>
    quantify(items(scope), operator === 'any' ? isFalse | isNull : anyTruth, found => {
      const truths = found.map(value => {
        const own: Variable = { name: variable, value, ...(scope.variables && { outer: scope.variables }) }
        return condition({ row: scope.row, variables: own })
      })
      return operator === 'any' ? anyOf(truths) : allOf(truths)
    })
}

function valueOfExpression(expression: Expression, context: EvaluationContext, depth: number): ValueEvaluator {
  if (depth > maxDepth) return () => 'unknown'
  switch (expression.kind) {
    case 'literal': {
      const value = readLiteral(expression, context)
      return () => value
    }
    case 'path':
      return pathEvaluator(expression, context)
    case 'call': {
      const name = expression.function
      if (isTextMatch(name) || booleanFunctions.has(name)) break
      if (name === 'cast' || name === 'isof' || name === 'case') {
        return valueOfRareCall(name, expression.arguments, context, depth)
      }
      if (name === 'mindatetime' || name === 'maxdatetime') return () => dateTimeLimit(name)
      const given = expression.arguments.map(argument => valueOfExpression(argument, context, depth + 1))
      return scope =>
        callFunction(
          name,
          given.map(argument => argument(scope)),
          context,
        )
    }
    case 'list': {
      const items = expression.items.map(item => valueOfExpression(item, context, depth + 1))
      return scope => [{ kind: 'items', items: items.map(item => item(scope)) }]
    }
    case 'unary':
      if (expression.operator === 'negate') {
        const operand = valueOfExpression(expression.operand, context, depth + 1)
        return scope => mapValues(operand(scope), negateValue)
      }
      break
    case 'binary': {
      const { operator } = expression
      if (
        operator === 'add' ||
        operator === 'sub' ||
        operator === 'mul' ||
        operator === 'div' ||
        operator === 'divby' ||
        operator === 'mod'
      ) {
        const left = valueOfExpression(expression.left, context, depth + 1)
        const right = valueOfExpression(expression.right, context, depth + 1)
        return scope => combineValues(left(scope), right(scope), (a, b) => calculate(operator, a, b))
      }
      break
    }
    case 'lambda':
      break
    default:
      return () => 'unknown'
  }
  const truth = truthOfExpression(expression, context, depth + 1)
  return scope => valuesOfTruth(truth(scope))
}

const booleanFunctions: ReadonlySet<string> = new Set(['hassubset', 'hassubsequence', 'matchespattern'])

function valueOfRareCall(
  name: 'cast' | 'isof' | 'case',
  given: readonly Expression[],
  context: EvaluationContext,
  depth: number,
): ValueEvaluator {
  if (name === 'case') {
    const pairs = given.flatMap((condition, index) => {
      const result = index % 2 === 0 ? given[index + 1] : undefined
      if (result === undefined) return []
      return [
        [truthOfExpression(condition, context, depth + 1), valueOfExpression(result, context, depth + 1)] as const,
      ]
    })
    return scope => caseValue(pairs.map(([condition, result]) => [condition(scope), result(scope)]))
  }
  const type = given.at(-1)
  if (type?.kind !== 'type' || type.collection) return () => 'unknown'
  const [first] = given
  const operand =
    given.length < 2 || first === undefined ? rowItself(context) : valueOfExpression(first, context, depth + 1)
  return name === 'cast'
    ? scope => castValue(operand(scope), type.name)
    : scope => isofValue(operand(scope), type.name, context)
}

function rowItself(context: EvaluationContext): ValueEvaluator {
  return ({ row }) => [{ kind: 'item', row, type: context.type }]
}

function valuesOfTruth(truth: TruthSet): PossibleValues {
  return [...(truth & isTrue ? [true] : []), ...(truth & isFalse ? [false] : []), ...(truth & isNull ? [null] : [])]
}

type NumberValue = Extract<Value, { readonly kind: 'number' }>

/**
 * The possible results of an arithmetic operator: null if an operand is null, `unknown` where services differ (division
 * by zero, overflow).
 *
 * @see OData 4.01 URL Conventions, 5.1.1.2
 */
function calculate(operator: ArithmeticOperator, left: Value, right: Value): PossibleValues {
  if (left === null || right === null) return [null]
  if (typeof left === 'boolean' || typeof right === 'boolean') return 'unknown'
  if (left.kind === 'number' && right.kind === 'number') return calculateNumbers(operator, left, right)
  if (operator !== 'add' && operator !== 'sub') return 'unknown'
  const sign = operator === 'add' ? 1n : -1n
  if (left.kind === 'duration' && right.kind === 'duration') {
    return [{ kind: 'duration', ticks: left.ticks + sign * right.ticks }]
  }
  if (left.kind === 'instant' && right.kind === 'duration') {
    return [{ ...left, from: left.from + sign * right.ticks, to: left.to + sign * right.ticks }]
  }
  if (left.kind === 'date' && right.kind === 'duration' && right.ticks % ticksInDay === 0n) {
    return [{ kind: 'date', days: left.days + Number((sign * right.ticks) / ticksInDay) }]
  }
  if (operator === 'sub' && left.kind === 'date' && right.kind === 'date') {
    return [{ kind: 'duration', ticks: BigInt(left.days - right.days) * ticksInDay }]
  }
  return 'unknown'
}

function calculateNumbers(operator: ArithmeticOperator, left: NumberValue, right: NumberValue): PossibleValues {
  const isInteger = left.isInteger && right.isInteger
  const approximate = left.approximate || right.approximate
  const exact = (value: Rational): readonly Value[] => [{ kind: 'number', value, isInteger, approximate }]
  if ((operator === 'div' || operator === 'divby' || operator === 'mod') && right.value.numerator === 0n)
    return 'unknown'
  switch (operator) {
    case 'add':
      return exact(add(left.value, right.value))
    case 'sub':
      return exact(add(left.value, negative(right.value)))
    case 'mul':
      return exact(multiply(left.value, right.value))
    case 'div': {
      const quotient = divide(left.value, right.value)
      if (isInteger) return wholeQuotients(quotient).flatMap(whole => exact(integerOf(whole)))
      return [{ kind: 'number', value: quotient, isInteger: false, approximate: true }]
    }
    case 'divby':
      return [{ kind: 'number', value: divide(left.value, right.value), isInteger: false, approximate: true }]
    case 'mod': {
      const quotients = wholeQuotients(divide(left.value, right.value))
      return quotients.flatMap(whole => exact(add(left.value, negative(multiply(integerOf(whole), right.value)))))
    }
  }
}

/** For negative numbers, services truncate or round down. */
function wholeQuotients(quotient: Rational): readonly bigint[] {
  return [...new Set([truncated(quotient), floored(quotient)])]
}

function negateValue(value: Value): PossibleValues {
  if (value === null) return [null]
  if (typeof value === 'boolean') return 'unknown'
  if (value.kind === 'number') return [{ ...value, value: negative(value.value) }]
  return value.kind === 'duration' ? [{ kind: 'duration', ticks: -value.ticks }] : 'unknown'
}
