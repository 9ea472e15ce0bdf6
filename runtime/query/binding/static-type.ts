import { primitiveType } from '../primitive-types.js'
import type { TypeTable } from '../type-table.js'

/**
 * The type of an expression without regard to rows. `untyped` is an undeclared property of an open type, or an expression with
 * an error. It is valid everywhere, so that one mistake causes one error.
 *
 * @see OData URL Conventions 4.01, 5.1.1
 */
export type StaticType = SingleType | CollectionType

export type SingleType =
  | { readonly kind: 'null' }
  | { readonly kind: 'untyped' }
  /** A JSON object literal. */
  | { readonly kind: 'object' }
  /** `name` with `Edm.`. A type definition has its underlying type. */
  | { readonly kind: 'primitive'; readonly name: string }
  /** `name` in the type table. */
  | { readonly kind: 'enum' | 'complex' | 'entity'; readonly name: string }

export interface CollectionType {
  readonly kind: 'collection'
  readonly of: SingleType
}

export const nullType: SingleType = { kind: 'null' }
export const untyped: SingleType = { kind: 'untyped' }
export const objectType: SingleType = { kind: 'object' }
export const booleanType: SingleType = { kind: 'primitive', name: 'Edm.Boolean' }

/** The type with the given name: `Edm.String`, or a key of the table. */
export function namedType(name: string, types: TypeTable): SingleType | undefined {
  if (primitiveType(name) !== undefined) return { kind: 'primitive', name }
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

/** The type of a declared property, relation or parameter; `untyped` if the table does not contain it. */
export function declaredType(
  declaration: { readonly type: string; readonly collection?: boolean | undefined },
  types: TypeTable,
): StaticType {
  const single = namedType(declaration.type, types) ?? untyped
  return declaration.collection === true ? { kind: 'collection', of: single } : single
}

/** The type for messages: `Edm.String`, `user`, `collection of Edm.Guid`. */
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
