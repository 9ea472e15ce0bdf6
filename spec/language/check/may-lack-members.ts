import { typeLine } from '../model/type-line.js'
import type { StructuredType } from '../model/types.js'
import type { CheckContext } from './rule.js'

/** Whether the model may lack members of a type, because something is wrong already with it or one that it inherits from. */
export function mayLackMembers(type: StructuredType, { isIncomplete }: Pick<CheckContext, 'isIncomplete'>): boolean {
  return typeLine(type).some(({ place }) => isIncomplete(place.pointer))
}
