import { resolveAlias } from './bind-alias.js'
import { type Frame, report } from './frame.js'
import type { Operand } from './operand.js'
import { readsAs } from './reads-as.js'
import { describeType, type StaticType, untyped } from './static-type.js'
import { isAssignable } from './type-names.js'

/** Whether a value may be given to a parameter. `subject` names the parameter: `The parameter 'on' of 'isDue'`. */
export function checkAssignment(subject: string, declared: StaticType, given: Operand, frame: Frame): void {
  if (fits(declared, given, frame)) return
  const message = `${subject} takes ${describeType(declared)}, but found ${describeType(given.type)}.`
  report(frame, 'invalidArgument', message)
}

function fits(declared: StaticType, given: Operand, frame: Frame): boolean {
  if (declared.kind === 'untyped' || given.type.kind === 'untyped' || given.type.kind === 'null') return true
  if (declared.kind !== 'collection') {
    return (
      isInstance(declared, given.type, frame) || readsAs({ type: declared, expression: given.expression }, given, frame)
    )
  }
  if (given.type.kind !== 'collection') return false
  const list = given.expression
  if (list.kind !== 'list') return fits(declared.of, { type: given.type.of, expression: list }, frame)
  const types = frame.itemTypes.get(list) ?? []
  return list.items.every((item, index) =>
    fits(declared.of, { type: types[index] ?? untyped, expression: resolveAlias(item, frame) }, frame),
  )
}

/** Whether a value of one structured type is a value of another. A JSON object may be of any. */
export function isInstance(declared: StaticType, given: StaticType, frame: Frame): boolean {
  if (declared.kind !== 'entity' && declared.kind !== 'complex') return false
  return (
    given.kind === 'object' || (given.kind === declared.kind && isAssignable(given.name, declared.name, frame.types))
  )
}
