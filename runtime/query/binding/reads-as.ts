import { wrongEnumMembers } from './enum-text.js'
import { type Frame, report } from './frame.js'
import { literalText, type Operand, pathText } from './operand.js'
import { expectedForm, isCastFromText } from './primitive-text.js'
import { isNumericTypeName } from './primitive-types.js'
import type { StaticType } from './static-type.js'

/**
 * Whether `other` has, or can be read with, the type of `one`: numbers read as each other, and a string literal as a
 * Guid, date, time, duration or enumeration. A string literal that is no value of that type is reported, and counts as
 * read: the types go together, the text does not.
 *
 * @see OData Protocol 4.01, 13.3 (4.01 services cast strings to primitive types in URLs)
 */
export function readsAs(one: Operand, other: Operand, frame: Frame): boolean {
  const text = literalText(other.expression)
  if (text !== undefined && one.type.kind === 'enum') {
    const problem = wrongEnumMembers(one.type.name, text, frame.types)
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
