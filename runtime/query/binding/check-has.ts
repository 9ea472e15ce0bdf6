import { wrongEnumMembers } from './enum-text.js'
import { type Frame, report } from './frame.js'
import { literalText, type Operand, pathText } from './operand.js'
import { describeType } from './static-type.js'

/**
 * `has`: flags of an enumeration on the left, a value of the same enumeration on the right, written with or without the
 * type's name.
 *
 * @see OData URL Conventions 4.01, 5.1.1.1.10
 */
export function checkHas(left: Operand, right: Operand, frame: Frame): void {
  if (left.type.kind === 'untyped' || left.type.kind === 'null') return
  const path = pathText(left.expression)
  if (left.type.kind !== 'enum') {
    report(
      frame,
      'incompatibleTypes',
      `'has' takes an enumeration with flags, but found ${describeType(left.type)}.`,
      path,
    )
    return
  }
  const info = Object.hasOwn(frame.types, left.type.name) ? frame.types[left.type.name] : undefined
  if (info?.kind === 'enumType' && info.flags !== true) {
    report(frame, 'incompatibleTypes', `The enumeration '${left.type.name}' has no flags. Use 'eq'.`, path)
    return
  }
  const text = literalText(right.expression)
  if (text !== undefined) {
    const problem = wrongEnumMembers(left.type.name, text, frame.types)
    if (problem !== undefined) report(frame, 'unknownMember', problem, path)
    return
  }
  if (right.type.kind === 'null' || right.type.kind === 'untyped') return
  if (right.type.kind === 'enum' && right.type.name === left.type.name) return
  const found = describeType(right.type)
  report(
    frame,
    'incompatibleTypes',
    `'has' expects a value of '${left.type.name}' on its right, but found ${found}.`,
    path,
  )
}
