import type { Value } from '../annotations/value.js'

/** Where an element stands: an offset in XML, a JSON Pointer in JSON. */
export type Spot = number | string

/**
 * An element of a CSDL document as the XML form has it. The JSON form is read into the same, so that what follows knows one
 * form only.
 *
 * @see OData CSDL XML Representation 4.01
 */
export interface CsdlElement {
  /** Without prefix: `EntityType`. */
  readonly name: string
  /** Values by name; attributes of other namespaces as `{namespace}name`. */
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly CsdlElement[]
  /** Of an element without children. */
  readonly text: string
  readonly spot: Spot
  /** The value of an annotation, where it was read already: in JSON. */
  readonly value?: Value
}

/** The children of one name, in order. */
export function childrenOf(element: CsdlElement, name: string): readonly CsdlElement[] {
  return element.children.filter(child => child.name === name)
}

/** Whether an attribute says `true`. */
export function isTrue(element: CsdlElement, attribute: string): boolean {
  return element.attributes.get(attribute) === 'true'
}
