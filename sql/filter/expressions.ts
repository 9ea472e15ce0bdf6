import { sql } from 'kysely'
import type { BinaryExpression, Expression, FunctionCall } from '../../runtime/query/index.js'
import { allOf, always, anyOf, never } from '../conditions.js'
import { Placeholder, type Sql } from '../dialects/dialect.js'
import { unsupportedQuery } from '../query-faults.js'
import { storageOf } from '../schema/stored-type.js'
import { encodeValue } from '../values/codec.js'
import { arithmeticOperand, negatedOperand } from './arithmetic.js'
import { type BooleanFunction, booleanFunctionCondition } from './collection-functions.js'
import { comparison } from './comparison.js'
import { copied, type ExpressionCompiler, type Frame, nested, type Operand } from './frame.js'
import { callOperand } from './functions.js'
import { enumConstant, literalOperand } from './literals.js'
import { collectionOf, compilePath, lambdaCondition, membershipCondition } from './paths.js'
import { argumentOperand, callHolds, callValue, serviceCall } from './service-functions.js'

/**
 * SQL that is true exactly if a condition is true. If the condition is false or unknown, the SQL is false or null. Together
 * with `isFalse`, this implements OData's three-valued logic in a form that can use indexes.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.1
 */
export function isTrue(expression: Expression, outer: Frame): Sql {
  const frame = nested(outer)
  switch (expression.kind) {
    case 'unary':
      return expression.operator === 'not' ? isFalse(expression.operand, frame) : isValue(expression, true, frame)
    case 'binary':
      return binaryIsTrue(expression, frame)
    case 'call':
      return callCondition(expression, frame) ?? isValue(expression, true, frame)
    case 'lambda':
      return lambdaCondition(expression, frame)
    case 'path': {
      const call = serviceCall(expression, frame)
      return call === undefined ? isValue(expression, true, frame) : callHolds(call)
    }
    default:
      return isValue(expression, true, frame)
  }
}

/** SQL that is true exactly if a condition is false. */
function isFalse(expression: Expression, outer: Frame): Sql {
  const frame = nested(outer)
  switch (expression.kind) {
    case 'unary':
      return expression.operator === 'not' ? isTrue(expression.operand, frame) : isValue(expression, false, frame)
    case 'binary':
      return binaryIsFalse(expression, frame)
    case 'call': {
      const condition = callCondition(expression, frame)
      return condition === undefined ? isValue(expression, false, frame) : sql`NOT (${condition})`
    }
    case 'lambda':
      return sql`NOT ${lambdaCondition(expression, frame)}`
    case 'path': {
      const call = serviceCall(expression, frame)
      return call === undefined ? isValue(expression, false, frame) : callHolds(call, isFalse)
    }
    default:
      return isValue(expression, false, frame)
  }
}

/** The function of a call that returns a Boolean and can be a condition itself. */
function booleanFunction({ function: name }: FunctionCall): BooleanFunction | undefined {
  switch (name) {
    case 'contains':
    case 'startswith':
    case 'endswith':
    case 'hassubset':
    case 'hassubsequence':
      return name
    default:
      return undefined
  }
}

function callCondition(call: FunctionCall, frame: Frame): Sql | undefined {
  const name = booleanFunction(call)
  return name === undefined ? undefined : booleanFunctionCondition(name, call.arguments, frame)
}

function binaryIsTrue(expression: BinaryExpression, frame: Frame): Sql {
  switch (expression.operator) {
    case 'and':
      return allOf(chain(expression).map(operand => isTrue(operand, frame)))
    case 'or':
      return anyOf(chain(expression).map(operand => isTrue(operand, frame)))
    case 'has':
      return hasCondition(expression, sql`=`, frame)
    case 'in':
      return inCondition(expression, frame)
    case 'eq':
    case 'ne':
    case 'gt':
    case 'ge':
    case 'lt':
    case 'le':
      return comparison(expression.operator, ...operands(expression, frame), frame)
    default:
      throw unsupportedQuery(frame.option, `'${expression.operator}' does not return a Boolean.`)
  }
}

function binaryIsFalse(expression: BinaryExpression, frame: Frame): Sql {
  switch (expression.operator) {
    case 'and':
      return anyOf(chain(expression).map(operand => isFalse(operand, frame)))
    case 'or':
      return allOf(chain(expression).map(operand => isFalse(operand, frame)))
    case 'has':
      return hasCondition(expression, sql`<>`, frame)
    case 'eq':
      return comparison('ne', ...operands(expression, frame), frame)
    case 'ne':
      return comparison('eq', ...operands(expression, frame), frame)
    default:
      return sql`(${binaryIsTrue(expression, frame)}) IS NOT TRUE`
  }
}

/** The operands of a left-associative chain such as `a and b and c`. */
function chain(expression: BinaryExpression): readonly Expression[] {
  const found: Expression[] = []
  let rest: Expression = expression
  while (rest.kind === 'binary' && rest.operator === expression.operator) {
    found.push(rest.right)
    rest = rest.left
  }
  found.push(rest)
  return found.reverse()
}

/** A comparison also tests its operands for null and NaN. */
const copiesCompared = 3

function operands({ left, right }: BinaryExpression, frame: Frame): readonly [Operand, Operand] {
  const inner = copied(frame, copiesCompared)
  return [compileOperand(left, inner), compileOperand(right, inner)]
}

/** Whether a value is true, or false. */
function isValue(expression: Expression, expected: boolean, frame: Frame): Sql {
  if (expression.kind === 'literal') {
    return expression.value === expected ? always : never
  }
  const operand = compileOperand(expression, frame)
  if (operand.kind === 'null') return never
  if (operand.kind !== 'scalar') throw unsupportedQuery(frame.option, 'Expected a condition.')
  return expected ? sql`${operand.sql} = TRUE` : sql`${operand.sql} = FALSE`
}

/** Unknown if one side is null. */
function hasCondition(expression: BinaryExpression, sign: Sql, frame: Frame): Sql {
  const [left, right] = operands(expression, frame)
  if (left.kind === 'null' || right.kind === 'null') return never
  if (left.kind !== 'scalar' || right.kind !== 'scalar')
    throw unsupportedQuery(frame.option, "'has' requires enumerations.")
  const { enumType } = left.type
  const flags = right.text === undefined || enumType === undefined ? right : enumConstant(right.text, enumType, frame)
  return sql`(${left.sql} & ${flags.sql}) ${sign} ${flags.sql}`
}

function inCondition(expression: BinaryExpression, frame: Frame): Sql {
  const { right: list } = expression
  const comparisons = list.kind === 'list' ? list.items.length : 1
  const left = compileOperand(expression.left, copied(frame, copiesCompared * comparisons))
  const right = compileOperand(list, frame)
  if (right.kind === 'null') return never
  const collection = collectionOf(right, 'in', frame)
  if (collection.kind === 'parameter') {
    if (left.kind !== 'scalar') throw unsupportedQuery(frame.option, "'in' requires a single value on its left.")
    const { type } = left
    const encodeList = (value: unknown) =>
      frame.dialect.encodeList(
        Array.isArray(value) ? value.map(item => encodeValue(item, type, frame.dialect) ?? null) : [],
      )
    const placeholder = new Placeholder(`parameter ${collection.name}`, encodeList)
    return sql`${left.sql} IN (${frame.dialect.listValues(placeholder, storageOf(type.kind))})`
  }
  const inner = copied(frame, copiesCompared)
  return membershipCondition(left, collection, (a, b) => comparison('eq', a, b, frame), inner)
}

/** The value of an expression. */
export function compileOperand(expression: Expression, outer: Frame): Operand {
  const frame = nested(outer)
  switch (expression.kind) {
    case 'literal':
      return literalOperand(expression, frame)
    case 'path': {
      const call = serviceCall(expression, frame)
      return call === undefined ? compilePath(expression, frame) : callValue(call)
    }
    case 'alias':
      return aliasOperand(expression.name, frame)
    case 'list':
      return { kind: 'list', items: expression.items }
    case 'unary':
      return expression.operator === 'not'
        ? truthValue(expression, frame)
        : negatedOperand(compileOperand(expression.operand, frame), frame)
    case 'binary':
      switch (expression.operator) {
        case 'add':
        case 'sub':
        case 'mul':
        case 'div':
        case 'divby':
        case 'mod':
          return arithmeticOperand(expression.operator, expression.left, expression.right, frame)
        default:
          return truthValue(expression, frame)
      }
    case 'call': {
      const call = serviceCall(expression, frame)
      if (call !== undefined) return callValue(call)
      return booleanFunction(expression) === undefined ? callOperand(expression, frame) : truthValue(expression, frame)
    }
    case 'lambda':
      return truthValue(expression, frame)
    default:
      throw unsupportedQuery(frame.option, `Expressions of kind ${expression.kind} are not supported.`)
  }
}

/** A condition as a Boolean value: true, false, or null for unknown. */
function truthValue(expression: Expression, frame: Frame): Operand {
  const truth = sql`CASE WHEN ${isTrue(expression, frame)} THEN TRUE WHEN ${isFalse(expression, frame)} THEN FALSE END`
  return { kind: 'scalar', type: { kind: 'boolean' }, sql: truth, nullable: true }
}

/** The value of `@p`: a parameter of the operation, or a parameter alias of the request. An undefined alias is null. */
function aliasOperand(name: string, frame: Frame): Operand {
  const argument = argumentOperand(name, frame)
  if (argument !== undefined) return argument
  const parameter = frame.parameters.get(name)
  if (parameter?.collection === true) return { kind: 'parameter', name, type: parameter.type }
  if (parameter !== undefined) {
    const { type, geo } = parameter
    const placeholder = new Placeholder(`parameter ${name}`, value => encodeValue(value, type, frame.dialect) ?? null)
    const bound = frame.dialect.bind(placeholder, storageOf(type.kind))
    const value = type.kind === 'decimal' ? frame.dialect.storedDecimal(bound) : { sql: bound }
    const operand: Operand = { kind: 'scalar', type, ...value, nullable: true, parameter: name }
    return geo === undefined ? operand : { ...operand, sql: frame.dialect.json(bound), geo }
  }
  const value = Object.hasOwn(frame.aliases, name) ? frame.aliases[name] : undefined
  return value === undefined ? { kind: 'null' } : compileOperand(value, frame)
}

export const expressionCompiler: ExpressionCompiler = { operand: compileOperand, isTrue }
