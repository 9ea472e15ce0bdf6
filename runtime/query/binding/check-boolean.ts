import { type Frame, report } from './frame.js'
import { describeType, type StaticType } from './static-type.js'

/** Reports a condition that is no Boolean. `subject` names it: `The condition of 'any'`. */
export function checkBoolean(type: StaticType, subject: string, frame: Frame): void {
  if (type.kind === 'null' || type.kind === 'untyped') return
  if (type.kind === 'primitive' && type.name === 'Edm.Boolean') return
  report(frame, 'notBoolean', `${subject} must be a Boolean expression, but is of type ${describeType(type)}.`)
}
