import type { TypeTable } from '../schema.js'
import { declaredType, type StaticType, untyped } from './static-type.js'
import { didYouMean } from './suggestion.js'
import { structuredInfo } from './type-names.js'

/** The type of a property or relation; `untyped` for an undeclared one of an open type; absent when there is none. */
export function memberType(name: string, typeName: string, types: TypeTable): StaticType | undefined {
  const info = structuredInfo(typeName, types)
  if (info === undefined) return untyped
  if (Object.hasOwn(info.properties, name) && info.properties[name] !== undefined) {
    return declaredType(info.properties[name], types)
  }
  if (Object.hasOwn(info.navigation, name) && info.navigation[name] !== undefined) {
    return declaredType(info.navigation[name], types)
  }
  return info.open === true ? untyped : undefined
}

/** Says that the type has no such property, and which one was probably meant. */
export function unknownProperty(
  name: string,
  typeName: string,
  types: TypeTable,
  others: Iterable<string> = [],
): string {
  const info = structuredInfo(typeName, types)
  const names = [...Object.keys(info?.properties ?? {}), ...Object.keys(info?.navigation ?? {}), ...others]
  return `Could not find a property named '${name}' on type '${typeName}'.${didYouMean(name, names)}`
}
