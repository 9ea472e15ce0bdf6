import { type Frame, report } from './frame.js'
import { type Operand, pathText } from './operand.js'
import { isComparableTypeName, isNumericTypeName } from './primitive-types.js'
import { readsAs } from './reads-as.js'
import { describeType, type StaticType } from './static-type.js'

export type ComparisonSign = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le' | 'in'

/**
 * Whether two values may be compared. Null fits every single value; structured values, binaries, streams and geo values
 * may be compared with null only: what makes two structures equal is better said property by property.
 *
 * @see OData URL Conventions 4.01, 5.1.1.1
 */
export function checkComparison(operator: ComparisonSign, left: Operand, right: Operand, frame: Frame): void {
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
  if (readsAs(left, right, frame) || readsAs(right, left, frame)) return
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
