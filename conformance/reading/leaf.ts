import type { Property, StructuredType } from '../../spec/language/index.js'
import { isRow } from '../is-row.js'
import type { Row } from '../json.js'

/** A property with a single value that is no object, of the item itself or of a complex value in it. */
export interface Leaf {
  readonly path: readonly string[]
  readonly property: Property
  /** As in a type table: `Edm.String`, or the name of an enumeration. */
  readonly typeName: string
}

const deepest = 3

/** The leaves of a type, its own first, then those inside complex values. */
export function leavesOf(type: StructuredType, prefix: readonly string[] = []): readonly Leaf[] {
  const here: Leaf[] = []
  const below: Leaf[] = []
  for (const property of type.properties) {
    if (property.collection) continue
    const path = [...prefix, property.name]
    const { type: of } = property
    if (of.kind === 'primitive') here.push({ path, property, typeName: `Edm.${of.name}` })
    else if (of.kind === 'typeDefinition') here.push({ path, property, typeName: `Edm.${of.underlying}` })
    else if (of.kind === 'enumType') here.push({ path, property, typeName: of.name })
    else if (of.kind === 'complexType' && path.length < deepest) below.push(...leavesOf(of, path))
  }
  return [...here, ...below]
}

/**
 * The value at a path. `undefined`: the row does not show it, so that it is not known; a complex value that is null makes
 * what is in it null.
 */
export function valueAt(row: Row, path: readonly string[]): unknown {
  let value: unknown = row
  for (const name of path) {
    if (value === null) return null
    if (!isRow(value) || !Object.hasOwn(value, name)) return undefined
    value = value[name]
  }
  return value
}
