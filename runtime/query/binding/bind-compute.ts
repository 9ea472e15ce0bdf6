import type { ComputeItem } from '../ast.js'
import { bindNode } from './bind-expression.js'
import { type Frame, report } from './frame.js'
import { memberType } from './member-type.js'
import type { StaticType } from './static-type.js'

/** The names that `$compute` adds, with their types. A name must not hide a property, nor be given twice. */
export function bindCompute(items: readonly ComputeItem[], frame: Frame): ReadonlyMap<string, StaticType> {
  const computed = new Map<string, StaticType>()
  const { current } = frame
  for (const { expression, alias } of items) {
    const type = bindNode(expression, { ...frame, computed })
    const isProperty =
      (current.kind === 'entity' || current.kind === 'complex') &&
      (memberType(alias, current.name, frame.types)?.kind ?? 'untyped') !== 'untyped'
    if (isProperty || computed.has(alias)) {
      report(frame, 'duplicate', `The name '${alias}' of a computed property is taken. Choose another.`, alias)
    }
    computed.set(alias, type)
  }
  return computed
}
