/**
 * What the query language has to know of a service's types: plain data, printed into generated code, built from the
 * spec's model at start. Keys are unqualified type names; a test for membership uses `Object.hasOwn`.
 *
 * @see OData CSDL 4.01, chapters 6 to 10
 */
export type TypeTable = Readonly<Record<string, TypeInfo>>

export type TypeInfo = StructuredTypeInfo | EnumTypeInfo | TypeDefinitionInfo

/** An entity type or a complex type, with what it inherits already folded in. */
export interface StructuredTypeInfo {
  readonly kind: 'entityType' | 'complexType'
  /** In CSDL and on the wire, when it is not the service's namespace and the type's key. */
  readonly qualifiedName?: string
  /** Names of the key properties, in order; empty for a complex type. */
  readonly key: readonly string[]
  readonly properties: Readonly<Record<string, PropertyInfo>>
  readonly navigation: Readonly<Record<string, NavigationInfo>>
  /** Properties that are not declared are allowed. */
  readonly open?: true
  /** The unqualified name of the base type. */
  readonly base?: string
  /** `weak` or `strong` when items of this type carry an entity tag. */
  readonly entityTag?: 'weak' | 'strong'
}

/** One structural property. */
export interface PropertyInfo {
  /** `Edm.String` and so on for a primitive type; otherwise the unqualified name of a type of the table. */
  readonly type: string
  readonly collection?: true
  readonly nullable?: true
  /** Set by the service: neither create nor patch accepts it. */
  readonly computed?: true
  /** A create accepts it, a patch does not. */
  readonly createOnly?: true
  /** A create must have it. */
  readonly required?: true
  /** Returned only when it is named in `$select`. */
  readonly onSelect?: true
  /** Returned even when `$select` does not name it. */
  readonly always?: true
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  /** Digits of fractional seconds, or of a decimal number. */
  readonly precision?: number
  readonly scale?: number | 'variable' | 'floating'
  readonly minimum?: number
  readonly maximum?: number
  /** An ECMAScript regular expression, anchored by its author. */
  readonly pattern?: string
  readonly default?: boolean | number | string | null
}

/** One relation. */
export interface NavigationInfo {
  /** The unqualified name of an entity type. */
  readonly type: string
  readonly collection?: true
  readonly nullable?: true
  readonly contained?: true
}

export interface EnumTypeInfo {
  readonly kind: 'enumType'
  /** In CSDL and on the wire, when it is not the service's namespace and the type's key. */
  readonly qualifiedName?: string
  readonly members: Readonly<Record<string, number>>
  /** Several members may be combined, `a,b`. */
  readonly flags?: true
}

/** A primitive type under a name of its own, with its facets. */
export interface TypeDefinitionInfo {
  readonly kind: 'typeDefinition'
  /** In CSDL and on the wire, when it is not the service's namespace and the type's key. */
  readonly qualifiedName?: string
  /** The Edm primitive type, `Edm.String`. */
  readonly type: string
  readonly maxLength?: number
  readonly precision?: number
  readonly scale?: number | 'variable' | 'floating'
  readonly pattern?: string
}
