import type { EntityType } from '../../spec/language/index.js'
import { pointerTo } from '../../spec/language/source/pointer.js'
import type { DataProblem } from './data-problem.js'

/** Makes the check that no two items share the value of a property that is declared unique. */
export function uniqueCheck(
  report: (problem: DataProblem) => void,
): (type: EntityType, values: Readonly<Record<string, unknown>>, at: string) => void {
  const seen = new Map<object, Map<unknown, string>>()
  return (type, values, at) => {
    for (const property of type.properties) {
      const value = property.unique ? values[property.name] : null
      if (value === null || value === undefined) continue
      const places = seen.get(property) ?? new Map<unknown, string>()
      seen.set(property, places)
      const where = pointerTo(at, property.name)
      const before = places.get(value)
      if (before === undefined) {
        places.set(value, where)
        continue
      }
      const message = `${property.name} is unique, and ${JSON.stringify(value)} is taken already.`
      report({ code: 'data/duplicate-value', message, at: where, related: { message: 'first given here', at: before } })
    }
  }
}
