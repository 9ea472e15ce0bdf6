import type { StructuredType } from '../../../../spec/language/index.js'
import type { Json } from '../../../json.js'
import { isObject } from '../reply/project.js'

type Values = Readonly<Record<string, Json>>

/** Values after a change: what is not named stays, complex values are merged part by part, collections replaced. */
export function merge(old: Values, changes: Values, type: StructuredType): Values {
  const merged: Record<string, Json> = Object.assign(Object.create(null), old)
  for (const property of type.properties) {
    if (!Object.hasOwn(changes, property.name)) continue
    const change = changes[property.name] ?? null
    const before = old[property.name] ?? null
    const isPart = property.type.kind === 'complexType' && !property.collection && isObject(change)
    merged[property.name] =
      isPart && property.type.kind === 'complexType'
        ? { ...merge(isObject(before) ? before : defaultsOf(property.type), change, property.type) }
        : change
  }
  return merged
}

/** The values that a complex value has before anything is said of it. */
function defaultsOf(type: StructuredType): Values {
  const values: Record<string, Json> = Object.create(null)
  for (const property of type.properties) values[property.name] = property.default ?? (property.collection ? [] : null)
  return values
}
