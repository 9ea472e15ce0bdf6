import { structuredTypes } from '../model/service.js'
import type { NavigationProperty, Property, StructuredType } from '../model/types.js'
import type { Check } from './check.js'

interface Need {
  readonly member: Property | NavigationProperty
  readonly type: StructuredType
}

/** The values and items that a type requires: single complex values and single contained items. */
function needsOf(type: StructuredType): readonly Need[] {
  const values = type.properties.flatMap((member): readonly Need[] =>
    member.type.kind === 'complexType' && !member.collection && !member.nullable ? [{ member, type: member.type }] : [],
  )
  const items = type.navigation.flatMap((member): readonly Need[] =>
    member.contained && !member.collection && !member.nullable ? [{ member, type: member.type }] : [],
  )
  return [...values, ...items]
}

/** No item or value requires another of its own type, without end. */
export const requiredCycle: Check = ({ service, report }) => {
  const done = new Set<StructuredType>()
  for (const start of structuredTypes(service)) {
    // Depth first without recursion, so that long chains cost no stack.
    const path: { readonly type: StructuredType; readonly by: Need | undefined; readonly left: Need[] }[] = []
    const onPath = new Set<StructuredType>()
    const enter = (type: StructuredType, by: Need | undefined): void => {
      path.push({ type, by, left: done.has(type) ? [] : [...needsOf(type)] })
      onPath.add(type)
    }
    enter(start, undefined)
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const need = top.left.shift()
      if (need === undefined) {
        done.add(top.type)
        onPath.delete(top.type)
        path.pop()
      } else if (onPath.has(need.type)) {
        const from = path.findIndex(step => step.type === need.type)
        const names = [...path.slice(from + 1).map(step => step.by?.member.name ?? ''), need.member.name]
        const message = `Each "${need.type.name}" must contain another one (by ${names.join(', ')}), without end. Make one of these properties nullable.`
        report({ code: 'spec/required-cycle', message, at: need.member.location.pointer, on: 'key' })
      } else {
        enter(need.type, need)
      }
    }
  }
}
