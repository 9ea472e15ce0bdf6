/**
 * A CSDL document before it is printed: plain data, from which both the XML and the JSON form are printed.
 *
 * @see OData CSDL 4.01 (JSON and XML representation)
 */
export interface CsdlDocument {
  /** The generator of the document. */
  readonly comment: string
  /** The one with the container first. */
  readonly schemas: readonly [CsdlSchema & { readonly container: CsdlContainer }, ...CsdlSchema[]]
}

/** The types and operations of one namespace. */
export interface CsdlSchema {
  readonly namespace: string
  readonly types: readonly CsdlType[]
  readonly operations: readonly CsdlOperation[]
  readonly container?: CsdlContainer
}

export type CsdlType = CsdlStructuredType | CsdlEnumType | CsdlTypeDefinition

export interface CsdlStructuredType {
  readonly kind: 'EntityType' | 'ComplexType'
  readonly namespace: string
  readonly name: string
  /** Qualified. */
  readonly baseType?: string
  readonly abstract: boolean
  readonly open: boolean
  /** Whether it is a media entity type, and its base is none. */
  readonly hasStream: boolean
  /** Empty when the key is inherited, or there is none. */
  readonly key: readonly string[]
  readonly properties: readonly CsdlProperty[]
  readonly navigation: readonly CsdlNavigationProperty[]
  readonly annotations: readonly Annotation[]
}

/** The facets of CSDL, such as length and digits. */
export interface CsdlFacets {
  readonly maxLength?: number
  readonly precision?: number
  readonly scale?: number | 'variable' | 'floating'
  readonly unicode?: boolean
  readonly srid?: number | 'variable'
}

/** The type of a property, parameter or result. `type` is qualified. */
export interface CsdlTyped extends CsdlFacets {
  readonly type: string
  readonly collection: boolean
  readonly nullable: boolean
}

export interface CsdlProperty extends CsdlTyped {
  readonly name: string
  readonly defaultValue?: boolean | number | string
  readonly annotations: readonly Annotation[]
}

export interface CsdlNavigationProperty {
  readonly name: string
  readonly type: string
  readonly collection: boolean
  readonly nullable: boolean
  readonly partner?: string
  readonly containsTarget: boolean
  readonly constraints: readonly { readonly property: string; readonly referencedProperty: string }[]
  readonly onDelete?: 'Cascade' | 'None' | 'SetNull' | 'Restrict'
  readonly annotations: readonly Annotation[]
}

export interface CsdlEnumType {
  readonly kind: 'EnumType'
  readonly namespace: string
  readonly name: string
  readonly underlyingType: string
  readonly flags: boolean
  readonly members: readonly {
    readonly name: string
    readonly value: number
    readonly annotations: readonly Annotation[]
  }[]
  readonly annotations: readonly Annotation[]
}

export interface CsdlTypeDefinition extends CsdlFacets {
  readonly kind: 'TypeDefinition'
  readonly namespace: string
  readonly name: string
  readonly underlyingType: string
  readonly annotations: readonly Annotation[]
}

export interface CsdlOperation {
  readonly kind: 'Action' | 'Function'
  readonly namespace: string
  readonly name: string
  readonly bound: boolean
  readonly composable: boolean
  /** The binding parameter first, when it is bound. */
  readonly parameters: readonly CsdlParameter[]
  readonly returnType?: CsdlTyped & { readonly annotations: readonly Annotation[] }
  readonly annotations: readonly Annotation[]
}

export interface CsdlParameter extends CsdlTyped {
  readonly name: string
  readonly annotations: readonly Annotation[]
}

export interface CsdlContainer {
  readonly name: string
  readonly children: readonly CsdlContainerChild[]
  readonly annotations: readonly Annotation[]
}

export type CsdlContainerChild =
  | {
      readonly kind: 'EntitySet' | 'Singleton'
      readonly name: string
      readonly type: string
      readonly bindings: readonly { readonly path: string; readonly target: string }[]
      readonly annotations: readonly Annotation[]
    }
  | {
      readonly kind: 'ActionImport' | 'FunctionImport'
      readonly name: string
      /** Qualified. */
      readonly operation: string
      readonly annotations: readonly Annotation[]
    }

/** `term` with its alias: `Core.Description`. */
export interface Annotation {
  readonly term: string
  readonly value: AnnotationValue
}

export type AnnotationValue =
  | string
  | number
  | boolean
  | null
  /** A path to a property or relation: in JSON an ordinary string, in XML a separate kind of expression. */
  | { readonly kind: 'PropertyPath' | 'NavigationPropertyPath'; readonly path: string }
  /** Members of an enumeration: `Read` of `Core.Permission`; several with commas. */
  | { readonly kind: 'EnumMember'; readonly type: string; readonly members: string }
  | { readonly kind: 'Collection'; readonly items: readonly AnnotationValue[] }
  | { readonly kind: 'Record'; readonly members: readonly (readonly [name: string, value: AnnotationValue])[] }
