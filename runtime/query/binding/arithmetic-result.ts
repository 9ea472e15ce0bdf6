import type { ArithmeticOperator } from '../ast.js'
import { type Frame, report } from './frame.js'
import { isNumericTypeName, promoteNumeric } from './primitive-types.js'
import { describeType, nullType, type StaticType, untyped } from './static-type.js'

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
  frame: Frame,
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
