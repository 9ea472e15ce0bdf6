import type { Annotations } from './place.js'
import type { PrimitiveTypeName } from './primitive-type-name.js'

export type StructuredType = EntityType | ComplexType

export interface EntityType extends Annotations {
  readonly kind: 'entityType'
  /** In the spec, and in code. */
  readonly name: string
  /** In CSDL and on the wire, with its namespace. */
  readonly qualifiedName: string
  readonly base?: EntityType
  readonly abstract: boolean
  readonly open: boolean
  /** Key properties, in order; inherited keys included. */
  readonly key: readonly Property[]
  readonly entityTag: 'weak' | 'strong' | 'none'
  /** Own properties only. */
  readonly ownProperties: readonly Property[]
  readonly ownNavigation: readonly NavigationProperty[]
  /** Inherited first, then own. */
  readonly properties: readonly Property[]
  readonly navigation: readonly NavigationProperty[]
}

export interface ComplexType extends Annotations {
  readonly kind: 'complexType'
  /** In the spec, and in code. */
  readonly name: string
  /** In CSDL and on the wire, with its namespace. */
  readonly qualifiedName: string
  readonly base?: ComplexType
  readonly abstract: boolean
  readonly open: boolean
  readonly ownProperties: readonly Property[]
  readonly ownNavigation: readonly NavigationProperty[]
  readonly properties: readonly Property[]
  readonly navigation: readonly NavigationProperty[]
}

export interface EnumType extends Annotations {
  readonly kind: 'enumType'
  /** In the spec, and in code. */
  readonly name: string
  /** In CSDL and on the wire, with its namespace. */
  readonly qualifiedName: string
  readonly flags: boolean
  readonly underlying: 'Byte' | 'SByte' | 'Int16' | 'Int32' | 'Int64'
  readonly members: readonly EnumMember[]
}

export interface EnumMember extends Annotations {
  readonly name: string
  readonly value: number
}

export interface TypeDefinition extends Annotations, Facets {
  readonly kind: 'typeDefinition'
  /** In the spec, and in code. */
  readonly name: string
  /** In CSDL and on the wire, with its namespace. */
  readonly qualifiedName: string
  readonly underlying: PrimitiveTypeName
}

/** What a property, parameter or result is of. A collection is said beside it, by `collection`. */
export type ValueType =
  | { readonly kind: 'primitive'; readonly name: PrimitiveTypeName }
  | EnumType
  | ComplexType
  | EntityType
  | TypeDefinition

export interface Facets {
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly precision?: number
  readonly scale?: number | 'variable' | 'floating'
  readonly unicode?: boolean
  readonly srid?: number | 'variable'
}

export interface Property extends Annotations, Facets {
  readonly kind: 'property'
  readonly name: string
  readonly type: ValueType
  readonly collection: boolean
  readonly nullable: boolean
  readonly computed: boolean
  readonly createOnly: boolean
  /** A create must have it: said so, or not nullable, no default, not computed, no collection. */
  readonly required: boolean
  readonly unique: boolean
  readonly returned: 'always' | 'byDefault' | 'onSelect'
  readonly default?: boolean | number | string | null
  /** Set to the current time when the item is created, or each time it is changed. */
  readonly stamp?: 'created' | 'changed'
  readonly search: 'words' | 'prefix' | 'none'
  readonly index: boolean
}

export interface NavigationProperty extends Annotations {
  readonly kind: 'navigationProperty'
  readonly name: string
  readonly type: EntityType
  readonly collection: boolean
  readonly nullable: boolean
  readonly contained: boolean
  readonly partner?: NavigationProperty
  readonly constraint: readonly { readonly dependent: string; readonly principal: string }[]
  readonly onDelete?: 'cascade' | 'none' | 'setNull' | 'restrict'
}
