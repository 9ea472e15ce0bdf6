import { isPrimitiveTypeName } from '../primitive-types.js'
import type { TypeTable } from '../type-table.js'

/**
 * What is known of an expression's value before any row is seen. `untyped` is the value of an undeclared property of an
 * open type, or of an expression that was already refused: it fits everywhere, so that one mistake gives one error.
 *
 * @see OData URL Conventions 4.01, 5.1.1
 */
export type StaticType = SingleType | CollectionType

export type SingleType =
  | { readonly kind: 'null' }
  | { readonly kind: 'untyped' }
  /** A JSON object literal. */
  | { readonly kind: 'object' }
  /** `name` with `Edm.`; a type definition stands as the primitive type under it. */
  | { readonly kind: 'primitive'; readonly name: string }
  /** `name` as in the type table. */
  | { readonly kind: 'enum' | 'complex' | 'entity'; readonly name: string }

export interface CollectionType {
  readonly kind: 'collection'
  readonly of: SingleType
}

export const nullType: SingleType = { kind: 'null' }
export const untyped: SingleType = { kind: 'untyped' }
export const objectType: SingleType = { kind: 'object' }
export const booleanType: SingleType = { kind: 'primitive', name: 'Edm.Boolean' }
export const stringType: SingleType = { kind: 'primitive', name: 'Edm.String' }

/** The static type of a name as properties carry it: `Edm.String`, or a type of the table. Absent: no such type. */
export function namedType(name: string, types: TypeTable): SingleType | undefined {
  if (isPrimitiveTypeName(name)) return { kind: 'primitive', name }
  const info = Object.hasOwn(types, name) ? types[name] : undefined
  switch (info?.kind) {
    case undefined:
      return undefined
    case 'entityType':
      return { kind: 'entity', name }
    case 'complexType':
      return { kind: 'complex', name }
    case 'enumType':
      return { kind: 'enum', name }
    case 'typeDefinition':
      return { kind: 'primitive', name: info.type }
  }
}

/** The type of a declared property, relation or parameter. A name that the table lacks is `untyped`. */
export function declaredType(
  declaration: { readonly type: string; readonly collection?: boolean | undefined },
  types: TypeTable,
): StaticType {
  const single = namedType(declaration.type, types) ?? untyped
  return declaration.collection === true ? { kind: 'collection', of: single } : single
}

/** A type as messages name it: `Edm.String`, `user`, `collection of Edm.Guid`. */
export function describeType(type: StaticType): string {
  switch (type.kind) {
    case 'null':
      return 'null'
    case 'untyped':
      return 'an undeclared property'
    case 'object':
      return 'a JSON object'
    case 'collection':
      return `collection of ${describeType(type.of)}`
    default:
      return type.name
  }
}
