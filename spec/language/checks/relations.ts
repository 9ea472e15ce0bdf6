import { suggest } from '../diagnostics/suggest.js'
import { structuredTypes } from '../model/service.js'
import { derivesFrom, type NavigationProperty, type Property, type StructuredType } from '../model/types.js'
import { pointerTo } from '../source/json-pointer.js'
import { type Check, mayLackMembers } from './check.js'

/**
 * Partners lead to each other: the partner's target is the type that the relation starts from, and its partner is the
 * relation.
 *
 * @see OData CSDL 4.01, 8.4 (partner)
 */
export const partnerAgreement: Check = ({ service, report, isIncomplete }) => {
  for (const type of structuredTypes(service)) {
    for (const relation of type.ownNavigation) {
      const { partner, name, location } = relation
      if (partner === undefined) continue
      const at = `${location.pointer}/partner`
      const related = [
        { message: `"${partner.name}" is declared here`, at: partner.location.pointer, on: 'key' as const },
      ]
      if (!derivesFrom(type, partner.type) && !derivesFrom(partner.type, type)) {
        const message = `"${partner.name}" leads to "${partner.type.name}", not back to "${type.name}".`
        report({ code: 'spec/partner-mismatch', message, at, related })
      } else if (partner.partner === undefined && !isIncomplete(`${partner.location.pointer}/partner`)) {
        const message = `"${partner.name}" does not name "${name}" as its partner. Add \`partner: ${name}\` there.`
        report({ code: 'spec/partner-mismatch', message, at, related })
      } else if (partner.partner !== undefined && partner.partner !== relation) {
        const message = `The partner of "${partner.name}" is "${partner.partner.name}", not "${name}".`
        report({ code: 'spec/partner-mismatch', message, at, related })
      }
    }
  }
}

/**
 * A constraint pairs properties that exist and have the same type, of a relation that leads to one item.
 *
 * @see OData CSDL 4.01, 8.5 (referential constraint)
 */
export const referentialConstraints: Check = context => {
  const { service, report } = context
  for (const type of structuredTypes(service)) {
    const own = new Map(type.properties.map(property => [property.name, property]))
    for (const relation of type.ownNavigation) {
      if (relation.constraint.length === 0) continue
      const pointer = `${relation.location.pointer}/constraint`
      if (relation.collection) {
        const message = `"${relation.name}" leads to many items. Only a relation to one item can have a constraint.`
        report({ code: 'spec/constraint', message, at: pointer, on: 'key' })
        continue
      }
      const theirs = new Map(relation.type.properties.map(property => [property.name, property]))
      for (const { dependent, principal } of relation.constraint) {
        const at = pointerTo(pointer, dependent)
        const [mine, other] = [own.get(dependent), theirs.get(principal)]
        if (mine === undefined && !mayLackMembers(type, context)) {
          const message = `"${type.name}" has no property "${dependent}".`
          report({ code: 'spec/unknown-property', message, at, on: 'key', suggestion: suggest(dependent, own.keys()) })
        }
        if (other === undefined && !mayLackMembers(relation.type, context)) {
          const message = `"${relation.type.name}" has no property "${principal}".`
          report({ code: 'spec/unknown-property', message, at, suggestion: suggest(principal, theirs.keys()) })
        }
        if (mine && other && (mine.type !== other.type || mine.collection || other.collection)) {
          const message = `"${dependent}" is of "${mine.type.name}", but "${principal}" of "${other.type.name}". Give both the same type, and make both single.`
          const related = [
            { message: `"${principal}" is declared here`, at: other.location.pointer, on: 'key' as const },
          ]
          report({ code: 'spec/constraint', message, at, related })
        }
      }
    }
  }
}

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
