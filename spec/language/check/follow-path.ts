import type { NavigationProperty, Property, StructuredType } from '../model/types.js'

/**
 * The property or relation that a path of names leads to from a type, `from/emailAddress`; undefined when it leads
 * nowhere. Names of derived types (casts) are not followed.
 */
export function followPath(type: StructuredType, path: string): Property | NavigationProperty | undefined {
  let from: StructuredType | undefined = type
  let found: Property | NavigationProperty | undefined
  for (const name of path.split('/')) {
    found =
      from?.properties.find(property => property.name === name) ??
      from?.navigation.find(relation => relation.name === name)
    if (found === undefined) return undefined
    from = found.type.kind === 'entityType' || found.type.kind === 'complexType' ? found.type : undefined
  }
  return found
}
