import type { Annotated } from './annotated.js'

export type ResourceDocument = StructuredTypeDocument | EnumTypeDocument | TypeDefinitionDocument

export interface StructuredTypeDocument extends Annotated {
  readonly kind: 'entityType' | 'complexType'
  /** The name in CSDL, where that is not the service's namespace and the key in the spec. */
  readonly qualifiedName?: string
  readonly base?: string
  readonly abstract?: boolean
  readonly open?: boolean
  readonly key?: readonly string[]
  readonly entityTag?: 'weak' | 'strong' | 'none'
  readonly properties?: Readonly<Record<string, PropertyDocument>>
  readonly navigation?: Readonly<Record<string, NavigationDocument>>
}

export interface PropertyDocument extends Annotated {
  /** An Edm primitive type without `Edm.` (`String`, `DateTimeOffset`), or the name of a resource. */
  readonly type: string
  readonly collection?: boolean
  readonly nullable?: boolean
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
  /** Set by the service: neither create nor patch accepts it. */
  readonly computed?: boolean
  readonly createOnly?: boolean
  /** A create must have it. Default: not nullable, no default, not computed, no collection. */
  readonly required?: boolean
  readonly unique?: boolean
  readonly returned?: 'always' | 'byDefault' | 'onSelect'
  readonly default?: boolean | number | string | null
  /** A computed DateTimeOffset that the service sets to the current time: when the item is `created`, or each time it is `changed`. */
  readonly stamp?: 'created' | 'changed'
  /** How `$search` matches it: `words` by token, `prefix` like startsWith, `none` (default). */
  readonly search?: 'words' | 'prefix' | 'none'
  readonly index?: boolean
}

export interface NavigationDocument extends Annotated {
  readonly to: string
  readonly collection?: boolean
  readonly nullable?: boolean
  /** The target belongs to this item alone and ends with it. */
  readonly contained?: boolean
  readonly partner?: string
  /** Dependent property -> principal property. */
  readonly constraint?: Readonly<Record<string, string>>
  readonly onDelete?: 'cascade' | 'none' | 'setNull' | 'restrict'
}

export interface EnumTypeDocument extends Annotated {
  readonly kind: 'enumType'
  /** The name in CSDL, where that is not the service's namespace and the key in the spec. */
  readonly qualifiedName?: string
  readonly flags?: boolean
  readonly underlying?: 'Byte' | 'SByte' | 'Int16' | 'Int32' | 'Int64'
  readonly members: Readonly<Record<string, number | EnumMemberDocument>>
}

export interface EnumMemberDocument extends Annotated {
  readonly value: number
}

export interface TypeDefinitionDocument extends Annotated {
  readonly kind: 'typeDefinition'
  /** The name in CSDL, where that is not the service's namespace and the key in the spec. */
  readonly qualifiedName?: string
  readonly type: string
  readonly maxLength?: number
  readonly precision?: number
  readonly scale?: number | 'variable' | 'floating'
  readonly pattern?: string
}

export interface ContainerElementDocument extends Annotated {
  readonly entitySet?: string
  readonly singleton?: string
  /** `principal`: the item of the signed-in caller. */
  readonly bound?: 'principal'
  /** Navigation path -> entity set. By default the one set of the relation's type. */
  readonly bindings?: Readonly<Record<string, string>>
}
