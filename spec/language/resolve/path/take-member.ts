import type { NavigationProperty, Property } from '../../model/types.js'
import type { TemplateArguments } from './path-template.js'
import type { PathFault, PathWalk, Position } from './path-walk.js'
import { takeKey } from './take-key.js'

/** Takes a relation; the set that it is bound to says where further relations lead. */
export function takeRelation(
  walk: PathWalk,
  { source, bindingPath }: Position,
  property: NavigationProperty,
  given: TemplateArguments | undefined,
): PathFault | undefined {
  const { type, collection, contained, name } = property
  walk.segments.push({ kind: 'navigation', property, ...(source === undefined ? {} : { source }) })
  const path = `${bindingPath}${name}`
  const set = contained ? undefined : source?.bindings.get(path)
  walk.position = set
    ? { type, collection, source: set, bindingPath: '' }
    : { type, collection, source: contained ? source : undefined, bindingPath: `${path}/` }
  if (given === undefined) return undefined
  return collection ? takeKey(walk, given, 'parentheses') : { message: `"${name}" leads to one item and has no key.` }
}

/** Takes a complex property. */
export function takeProperty(
  walk: PathWalk,
  position: Position,
  property: Property,
  given: TemplateArguments | undefined,
): PathFault | undefined {
  const { type, collection, name } = property
  if (given !== undefined) return { message: `"${name}" is a property and has no parentheses.` }
  if (type.kind !== 'complexType') {
    return {
      message: `The path leads to the property "${name}"; only items and complex values on the way to them have paths.`,
    }
  }
  walk.segments.push({ kind: 'property', property, type })
  walk.position = { ...position, type, collection, bindingPath: `${position.bindingPath}${name}/` }
  return undefined
}
