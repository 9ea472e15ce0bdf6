import type { Annotation, AnnotationValue } from '../csdl/csdl-document.js'
import { type XmlElement, xmlElement } from './xml-element.js'

/** Annotations as elements. @see OData CSDL XML Representation 4.01, 14 */
export function xmlAnnotations(annotations: readonly Annotation[]): readonly XmlElement[] {
  return annotations.map(({ term, value }) => holder('Annotation', [['Term', term]], value))
}

/** An element that holds a value: a constant or path as an attribute, anything else as a child. */
function holder(name: string, attributes: XmlElement['attributes'], value: AnnotationValue): XmlElement {
  const constant = constantOf(value)
  if (constant !== undefined) return xmlElement(name, [...attributes, constant])
  return xmlElement(name, attributes, [expression(value)])
}

/** The attribute that a constant value is written as. */
function constantOf(value: AnnotationValue): readonly [name: string, value: string] | undefined {
  switch (typeof value) {
    case 'string':
      return ['String', value]
    case 'boolean':
      return ['Bool', String(value)]
    case 'number':
      return [Number.isInteger(value) ? 'Int' : 'Float', String(value)]
    default:
      if (value === null || value.kind === 'Collection' || value.kind === 'Record') return undefined
      return value.kind === 'EnumMember'
        ? ['EnumMember', enumMembers(value.type, value.members)]
        : [value.kind, value.path]
  }
}

/** An item of a collection, or a value that no attribute can hold. */
function expression(value: AnnotationValue): XmlElement {
  if (value === null) return xmlElement('Null', [])
  if (typeof value === 'object' && value.kind === 'Collection') {
    return xmlElement('Collection', [], value.items.map(expression))
  }
  if (typeof value === 'object' && value.kind === 'Record') {
    const members = value.members.map(([name, member]) => holder('PropertyValue', [['Property', name]], member))
    return xmlElement('Record', [], members)
  }
  const [name, text] = constantOf(value) ?? ['String', '']
  return { name, attributes: [], children: [], text }
}

/** `Ns.Type/A Ns.Type/B`. */
function enumMembers(type: string, members: string): string {
  return members
    .split(',')
    .map(member => `${type}/${member}`)
    .join(' ')
}
