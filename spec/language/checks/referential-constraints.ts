import { suggest } from '../diagnostics/diagnostic.js'
import { structuredTypes } from '../model/service.js'
import { pointerTo } from '../source/json-pointer.js'
import { type Check, mayLackMembers } from './check.js'

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
