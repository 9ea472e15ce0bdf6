import type { PropertyFilterCapabilities } from './capabilities.js'
import type { CheckContext } from './check-context.js'
import { nearestException, type PropertyTrail } from './property-trail.js'

/** What a property of a filter is an operand or argument of. */
interface Surroundings {
  readonly operators: readonly string[]
  readonly functions: readonly string[]
}

/**
 * Whether a filter may use a property, and what is done with it. `passesRelation`: the path itself leads through a
 * relation, not only the collection that a lambda variable stands for.
 */
export function checkFilterProperty(
  trail: PropertyTrail,
  passesRelation: boolean,
  at: Surroundings,
  context: CheckContext,
): void {
  const { report } = context
  const property = trail.path.join('/')
  const exception = nearestException(context.capabilities.filter.properties, trail.path)
  const isUnnamedRelation = passesRelation && (exception?.depth ?? 0) < trail.relationDepth
  if (isUnnamedRelation || exception?.entry.support === 'none') {
    report('$filter', 'filter', `Filtering by '${property}' is not supported here.`, property)
    return
  }
  if (exception === undefined) return
  const { operators, functions } = unsupportedOn(exception.entry, at)
  for (const name of operators) {
    const message = `The filter operator '${name}' is not supported on '${property}' here.`
    report('$filter', `filter.${name}`, message, property)
  }
  for (const name of functions) {
    const message = `The filter function '${name}' is not supported on '${property}' here.`
    report('$filter', `filter.${name}`, message, property)
  }
}

function unsupportedOn({ operators, functions }: PropertyFilterCapabilities, at: Surroundings) {
  return { operators: missing(at.operators, operators), functions: missing(at.functions, functions) }
}

/** Which of the names a list of names in any letter case lacks; none when there is no list. */
function missing(names: readonly string[], declared: readonly string[] | undefined): readonly string[] {
  const lower = declared?.map(name => name.toLowerCase())
  return lower === undefined ? [] : names.filter(name => !lower.includes(name.toLowerCase()))
}
