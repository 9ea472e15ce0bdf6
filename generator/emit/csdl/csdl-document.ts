import type { Annotations, Renamed } from '../../../spec/language/index.js'

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
  /** Whether it is a media entity type whose base type is not. */
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

/** The annotations of any element. Assumptions are together, in `Specwright.Assumptions`. */
export function descriptionAnnotations({ description, ref, rename }: Annotations & Renamed): readonly Annotation[] {
  return annotationsOf([
    ['Core.Description', description],
    ['Specwright.Ref', ref],
    ['Specwright.Rename', rename],
  ])
}

/** The annotations of a type or operation, with its name in the spec. */
export function namedAnnotations(
  element: Annotations & Renamed & { readonly name: string; readonly qualifiedName: string },
): readonly Annotation[] {
  const isNamedSo = element.qualifiedName.endsWith(`.${element.name}`)
  return [
    ...descriptionAnnotations(element),
    ...annotationsOf([['Specwright.Name', isNamedSo ? undefined : element.name]]),
  ]
}

/** The same as members of a record. */
export function descriptionMembers({
  description,
  ref,
}: Annotations): readonly (readonly [string, AnnotationValue | undefined])[] {
  return [
    ['Description', description],
    ['Ref', ref],
  ]
}

/** A record of the members that have a value, in their order. */
export function recordOf(
  members: readonly (readonly [name: string, value: AnnotationValue | undefined])[],
): AnnotationValue {
  return {
    kind: 'Record',
    members: members.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  }
}

export function collectionOf(items: readonly AnnotationValue[]): AnnotationValue {
  return { kind: 'Collection', items }
}

/** A collection, omitted if it is empty. */
export function nonEmptyCollection(items: readonly AnnotationValue[]): AnnotationValue | undefined {
  return items.length === 0 ? undefined : collectionOf(items)
}

/** The annotations that have a value, in their order. */
export function annotationsOf(
  members: readonly (readonly [term: string, value: AnnotationValue | undefined])[],
): readonly Annotation[] {
  return members.flatMap(([term, value]) => (value === undefined ? [] : [{ term, value }]))
}

/** A tag, omitted if it is false. */
export function tagValue(holds: boolean): true | undefined {
  return holds ? true : undefined
}
