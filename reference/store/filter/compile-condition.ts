import { sql } from 'kysely'
import type { BinaryExpression, Expression, FunctionCall } from '../../../runtime/query/index.js'
import type { Sql } from '../dialect/dialect.js'
import { Slot } from '../engine/sql-value.js'
import { storageOf } from '../schema/storage.js'
import { encodeValue } from '../value/column-codec.js'
import { allOf, always, anyOf, never } from './combine.js'
import { containsCondition, lambdaCondition } from './compile-collection.js'
import { comparison } from './compile-comparison.js'
import { compileOperand } from './compile-operand.js'
import { collectionOf } from './compile-path.js'
import { type BooleanFunction, containment } from './containment.js'
import { copied, deeper, type Frame } from './frame.js'
import { enumConstant } from './literal-operand.js'
import type { Operand } from './operand.js'
import { unsupported } from './unsupported.js'

/**
 * SQL that is true exactly when a condition is: where the condition is false or unknown, the SQL is false or null. Together
 * with `isFalse` this is OData's three-valued logic, in a form that lets engines use their indexes.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.1
 */
export function isTrue(expression: Expression, outer: Frame): Sql {
  const frame = deeper(outer)
  switch (expression.kind) {
    case 'unary':
      return expression.operator === 'not' ? isFalse(expression.operand, frame) : isValue(expression, true, frame)
    case 'binary':
      return binaryIsTrue(expression, frame)
    case 'call':
      return callCondition(expression, frame) ?? isValue(expression, true, frame)
    case 'lambda':
      return lambdaCondition(expression, frame)
    default:
      return isValue(expression, true, frame)
  }
}

/** SQL that is true exactly when a condition is false. */
export function isFalse(expression: Expression, outer: Frame): Sql {
  const frame = deeper(outer)
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
    default:
      return isValue(expression, false, frame)
  }
}

/** The function of a call that gives a Boolean, and so may be a condition itself. */
export function booleanFunction({ function: name }: FunctionCall): BooleanFunction | undefined {
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
  return name === undefined ? undefined : containment(name, call.arguments, frame)
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
      throw unsupported(frame.option, `'${expression.operator}' gives no Boolean.`)
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

/** The operands of `a and b and c`, however long; they lean to the left. */
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

/** What is compared is asked, too, whether it is null, or no number. */
const copiesCompared = 3

function operands({ left, right }: BinaryExpression, frame: Frame): readonly [Operand, Operand] {
  const inner = copied(frame, copiesCompared)
  return [compileOperand(left, inner), compileOperand(right, inner)]
}

/** That a value is true, or false. */
function isValue(expression: Expression, wanted: boolean, frame: Frame): Sql {
  if (expression.kind === 'literal') {
    return expression.value === wanted ? always : never
  }
  const operand = compileOperand(expression, frame)
  if (operand.kind === 'null') return never
  if (operand.kind !== 'scalar') throw unsupported(frame.option, 'A condition was expected.')
  return wanted ? sql`${operand.sql} = TRUE` : sql`${operand.sql} = FALSE`
}

/** Unknown where either side is null. */
function hasCondition(expression: BinaryExpression, sign: Sql, frame: Frame): Sql {
  const [left, right] = operands(expression, frame)
  if (left.kind === 'null' || right.kind === 'null') return never
  if (left.kind !== 'scalar' || right.kind !== 'scalar') throw unsupported(frame.option, "'has' needs enumerations.")
  const { enumType } = left.type
  const wanted = right.text === undefined || enumType === undefined ? right : enumConstant(right.text, enumType, frame)
  return sql`(${left.sql} & ${wanted.sql}) ${sign} ${wanted.sql}`
}

function inCondition(expression: BinaryExpression, frame: Frame): Sql {
  const { right: list } = expression
  const comparisons = list.kind === 'list' ? list.items.length : 1
  const left = compileOperand(expression.left, copied(frame, copiesCompared * comparisons))
  const right = compileOperand(list, frame)
  if (right.kind === 'null') return never
  const collection = collectionOf(right, 'in', frame)
  if (collection.kind === 'parameter') {
    if (left.kind !== 'scalar') throw unsupported(frame.option, "'in' needs a value on its left.")
    const { type } = left
    const encodeList = (value: unknown) =>
      frame.dialect.encodeList(
        Array.isArray(value) ? value.map(item => encodeValue(item, type, frame.dialect) ?? null) : [],
      )
    const slot = new Slot(`parameter ${collection.name}`, encodeList)
    return sql`${left.sql} IN (${frame.dialect.listed(slot, storageOf(type.kind))})`
  }
  const inner = copied(frame, copiesCompared)
  return containsCondition(left, collection, (a, b) => comparison('eq', a, b, frame), inner)
}
