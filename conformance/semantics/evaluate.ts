import type { Expression } from '../../runtime/query/index.js'
import type { Row } from '../json.js'
import { calculated, opposite } from './arithmetic.js'
import { compared, type Relation } from './compare.js'
import { called, hasSubset, isTextMatch, matched } from './functions.js'
import { allOf, anyOf, overCollection } from './lambda-truth.js'
import { pathValue } from './path-value.js'
import { caseValue, castValue, hasSubsequence, isofValue, limitOf, matchesPattern } from './rare-functions.js'
import { readLiteral } from './read-literal.js'
import type { TruthOf, ValueOf, Variable } from './scope.js'
import type { Subject } from './subject.js'
import { anyTruth, both, either, isFalse, isNull, isTrue, negated, type Truth, truthOf } from './truth.js'
import { combined, mapped, type Possible, type Value } from './value.js'

const deepest = 400

/**
 * Prepares an expression for many rows: what it may be on each, under every way to compare that is legal and not excluded.
 * Shares no code with the evaluation of the query runtime, so that an error of either shows.
 */
export function truthOn(expression: Expression, subject: Subject): (row: Row) => Truth {
  const evaluate = truthOfExpression(expression, subject, 0)
  return row => evaluate({ row })
}

/** The same for an expression that is no condition. */
export function valueOn(expression: Expression, subject: Subject): (row: Row) => Possible {
  const evaluate = valueOfExpression(expression, subject, 0)
  return row => evaluate({ row })
}

function truthOfExpression(expression: Expression, subject: Subject, depth: number): TruthOf {
  if (depth > deepest) return () => anyTruth
  switch (expression.kind) {
    case 'unary':
      if (expression.operator === 'not') {
        const operand = truthOfExpression(expression.operand, subject, depth + 1)
        return scope => negated(operand(scope))
      }
      return () => anyTruth
    case 'binary':
      return truthOfBinary(expression, subject, depth)
    case 'call':
      return truthOfCall(expression, subject, depth)
    case 'lambda':
      return truthOfLambda(expression, subject, depth)
    case 'literal':
    case 'path': {
      const value = valueOfExpression(expression, subject, depth)
      const ofNull = expression.kind === 'literal' ? isNull : isFalse | isNull
      return scope => truthOfValue(value(scope), ofNull)
    }
    default:
      return () => anyTruth
  }
}

/** A Boolean property that is null, bare: false to some, null to others. */
function truthOfValue(value: Possible, ofNull: Truth): Truth {
  if (value === 'unknown') return anyTruth
  let truth: Truth = 0
  for (const each of value) {
    if (each === null) truth |= ofNull
    else if (typeof each === 'boolean') truth |= truthOf(each)
    else return anyTruth
  }
  return truth
}

type Binary = Extract<Expression, { readonly kind: 'binary' }>

function truthOfBinary({ operator, left, right }: Binary, subject: Subject, depth: number): TruthOf {
  switch (operator) {
    case 'and':
    case 'or': {
      const join = operator === 'and' ? both : either
      const a = truthOfExpression(left, subject, depth + 1)
      const b = truthOfExpression(right, subject, depth + 1)
      return scope => join(a(scope), b(scope))
    }
    case 'eq':
    case 'ne':
    case 'gt':
    case 'ge':
    case 'lt':
    case 'le': {
      const a = valueOfExpression(left, subject, depth + 1)
      const b = valueOfExpression(right, subject, depth + 1)
      const isLiteral = isNullLiteral(left) || isNullLiteral(right)
      return scope => compared(operator satisfies Relation, a(scope), b(scope), isLiteral, subject)
    }
    case 'in': {
      const a = valueOfExpression(left, subject, depth + 1)
      if (right.kind !== 'list') return () => anyTruth
      const items = right.items.map(item => valueOfExpression(item, subject, depth + 1))
      return scope => {
        const value = a(scope)
        // Whether null is in a list that has null, services do not agree on.
        if (right.items.some(isNullLiteral) && mayBeNull(value)) return anyTruth
        return items.reduce<Truth>(
          (sum, item) => either(sum, compared('eq', value, item(scope), false, subject)),
          isFalse,
        )
      }
    }
    case 'has': {
      const a = valueOfExpression(left, subject, depth + 1)
      const b = valueOfExpression(right, subject, depth + 1)
      return scope => truthOfValue(combined(a(scope), b(scope), hasFlag), isFalse | isNull)
    }
    default:
      return () => anyTruth
  }
}

function mayBeNull(value: Possible): boolean {
  return value === 'unknown' || value.includes(null)
}

function isNullLiteral(expression: Expression): boolean {
  return expression.kind === 'literal' && expression.type === 'null'
}

/** The text of a member is read as one of the other operand's type. */
function hasFlag(left: Value, right: Value): Possible {
  if (left === null || right === null) return [null]
  if (typeof left === 'boolean' || typeof right === 'boolean' || left.kind !== 'enum' || right.kind !== 'enum') {
    return 'unknown'
  }
  if (left.number === undefined || right.number === undefined) return 'unknown'
  return [(left.number & right.number) === right.number]
}

type Call = Extract<Expression, { readonly kind: 'call' }>

function truthOfCall(call: Call, subject: Subject, depth: number): TruthOf {
  const { function: name, arguments: given } = call
  if (name === 'cast' || name === 'isof' || name === 'case') {
    const value = valueOfRareCall(name, given, subject, depth)
    return scope => truthOfValue(value(scope), isFalse | isNull)
  }
  const [whole, part] = given.map(argument => valueOfExpression(argument, subject, depth + 1))
  if (whole === undefined || part === undefined) return () => anyTruth
  if (isTextMatch(name)) return scope => matched(name, whole(scope), part(scope), subject)
  if (name === 'hassubset') return scope => hasSubset(whole(scope), part(scope), subject)
  if (name === 'hassubsequence') return scope => hasSubsequence(whole(scope), part(scope), subject)
  if (name === 'matchespattern') return scope => matchesPattern(whole(scope), part(scope), subject)
  return () => anyTruth
}

type Lambda = Extract<Expression, { readonly kind: 'lambda' }>

function truthOfLambda(
  { operator, collection, variable, predicate }: Lambda,
  subject: Subject,
  depth: number,
): TruthOf {
  const items = pathValue(collection, subject)
  if (variable === undefined || predicate === undefined) {
    return scope => overCollection(items(scope), isFalse | isNull, found => truthOf(found.length > 0))
  }
  const condition = truthOfExpression(predicate, subject, depth + 1)
  return scope =>
    overCollection(items(scope), operator === 'any' ? isFalse | isNull : anyTruth, found => {
      const truths = found.map(value => {
        const own: Variable = { name: variable, value, ...(scope.variables && { outer: scope.variables }) }
        return condition({ row: scope.row, variables: own })
      })
      return operator === 'any' ? anyOf(truths) : allOf(truths)
    })
}

function valueOfExpression(expression: Expression, subject: Subject, depth: number): ValueOf {
  if (depth > deepest) return () => 'unknown'
  switch (expression.kind) {
    case 'literal': {
      const value = readLiteral(expression, subject)
      return () => value
    }
    case 'path':
      return pathValue(expression, subject)
    case 'call': {
      const name = expression.function
      if (isTextMatch(name) || conditions.has(name)) break
      if (name === 'cast' || name === 'isof' || name === 'case') {
        return valueOfRareCall(name, expression.arguments, subject, depth)
      }
      if (name === 'mindatetime' || name === 'maxdatetime') return () => limitOf(name)
      const given = expression.arguments.map(argument => valueOfExpression(argument, subject, depth + 1))
      return scope =>
        called(
          name,
          given.map(argument => argument(scope)),
          subject,
        )
    }
    case 'list': {
      const items = expression.items.map(item => valueOfExpression(item, subject, depth + 1))
      return scope => [{ kind: 'items', items: items.map(item => item(scope)) }]
    }
    case 'unary':
      if (expression.operator === 'negate') {
        const operand = valueOfExpression(expression.operand, subject, depth + 1)
        return scope => mapped(operand(scope), opposite)
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
        const left = valueOfExpression(expression.left, subject, depth + 1)
        const right = valueOfExpression(expression.right, subject, depth + 1)
        return scope => combined(left(scope), right(scope), (a, b) => calculated(operator, a, b))
      }
      break
    }
    case 'lambda':
      break
    default:
      return () => 'unknown'
  }
  const truth = truthOfExpression(expression, subject, depth + 1)
  return scope => valuesOfTruth(truth(scope))
}

const conditions: ReadonlySet<string> = new Set(['hassubset', 'hassubsequence', 'matchespattern'])

function valueOfRareCall(
  name: 'cast' | 'isof' | 'case',
  given: readonly Expression[],
  subject: Subject,
  depth: number,
): ValueOf {
  if (name === 'case') {
    const pairs = given.flatMap((condition, index) => {
      const result = index % 2 === 0 ? given[index + 1] : undefined
      if (result === undefined) return []
      return [
        [truthOfExpression(condition, subject, depth + 1), valueOfExpression(result, subject, depth + 1)] as const,
      ]
    })
    return scope => caseValue(pairs.map(([condition, result]) => [condition(scope), result(scope)]))
  }
  const type = given.at(-1)
  if (type?.kind !== 'type' || type.collection) return () => 'unknown'
  const [first] = given
  const operand =
    given.length < 2 || first === undefined ? itself(subject) : valueOfExpression(first, subject, depth + 1)
  return name === 'cast'
    ? scope => castValue(operand(scope), type.name)
    : scope => isofValue(operand(scope), type.name, subject)
}

function itself(subject: Subject): ValueOf {
  return ({ row }) => [{ kind: 'item', row, type: subject.type }]
}

function valuesOfTruth(truth: Truth): Possible {
  return [...(truth & isTrue ? [true] : []), ...(truth & isFalse ? [false] : []), ...(truth & isNull ? [null] : [])]
}
