import type { Service } from '../../../spec/language/index.js'
import { buildCsdl, vocabularies } from './build-csdl.js'
import type {
  Annotation,
  AnnotationValue,
  CsdlContainer,
  CsdlContainerChild,
  CsdlDocument,
  CsdlEnumType,
  CsdlFacets,
  CsdlNavigationProperty,
  CsdlOperation,
  CsdlParameter,
  CsdlProperty,
  CsdlSchema,
  CsdlStructuredType,
  CsdlType,
  CsdlTypeDefinition,
  CsdlTyped,
} from './csdl-document.js'

/** A service as CSDL XML, which a service answers under `$metadata`. @see OData CSDL XML Representation 4.01 */
export function emitCsdlXml(service: Service): string {
  const document = buildCsdl(service)
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>', xmlComment(document.comment), ...xmlLines(edmx(document))]
  return `${lines.join('\n')}\n`
}

function edmx(document: CsdlDocument): XmlElement {
  const attributes = [
    ['xmlns:edmx', 'http://docs.oasis-open.org/odata/ns/edmx'],
    ['Version', '4.01'],
  ] as const
  return xmlElement('edmx:Edmx', attributes, [
    ...vocabularies.map(({ alias, namespace, address }) =>
      xmlElement(
        'edmx:Reference',
        [['Uri', `${address}.xml`]],
        [
          xmlElement('edmx:Include', [
            ['Namespace', namespace],
            ['Alias', alias],
          ]),
        ],
      ),
    ),
    xmlElement('edmx:DataServices', [], document.schemas.map(schemaXml)),
  ])
}

function schemaXml({ namespace, types, operations, container }: CsdlSchema): XmlElement {
  const attributes = [
    ['xmlns', 'http://docs.oasis-open.org/odata/ns/edm'],
    ['Namespace', namespace],
  ] as const
  return xmlElement('Schema', attributes, [
    ...types.map(typeXml),
    ...operations.map(operationXml),
    ...(container === undefined ? [] : [containerXml(container)]),
  ])
}

function typeXml(type: CsdlType): XmlElement {
  switch (type.kind) {
    case 'EnumType':
      return enumXml(type)
    case 'TypeDefinition':
      return definitionXml(type)
    default:
      return structuredXml(type)
  }
}

function structuredXml(type: CsdlStructuredType): XmlElement {
  const key = type.key.map(name => xmlElement('PropertyRef', [['Name', name]]))
  return xmlElement(
    type.kind,
    [
      ['Name', type.name],
      ['BaseType', type.baseType],
      ['Abstract', given(type.abstract)],
      ['OpenType', given(type.open)],
      ['HasStream', given(type.hasStream)],
    ],
    [
      ...(key.length === 0 ? [] : [xmlElement('Key', [], key)]),
      ...type.properties.map(propertyXml),
      ...type.navigation.map(navigationXml),
      ...xmlAnnotations(type.annotations),
    ],
  )
}

function propertyXml(property: CsdlProperty): XmlElement {
  return xmlElement(
    'Property',
    [['Name', property.name], ...typed(property), ['DefaultValue', property.defaultValue]],
    xmlAnnotations(property.annotations),
  )
}

/** In CSDL XML, "nullable" is the default, so only its opposite is written. */
function typed(value: CsdlTyped): XmlElement['attributes'] {
  return [['Type', typeText(value)], ['Nullable', value.nullable ? undefined : false], ...facets(value)]
}

function typeText({ type, collection }: { readonly type: string; readonly collection: boolean }): string {
  return collection ? `Collection(${type})` : type
}

function facets({ maxLength, precision, scale, unicode, srid }: CsdlFacets): XmlElement['attributes'] {
  return [
    ['MaxLength', maxLength],
    ['Precision', precision],
    ['Scale', scale],
    ['Unicode', unicode],
    ['SRID', srid],
  ]
}

function navigationXml(relation: CsdlNavigationProperty): XmlElement {
  return xmlElement(
    'NavigationProperty',
    [
      ['Name', relation.name],
      ['Type', typeText(relation)],
      // A collection-valued relation is never null, so it has no attribute for that.
      ['Nullable', relation.nullable || relation.collection ? undefined : false],
      ['Partner', relation.partner],
      ['ContainsTarget', given(relation.containsTarget)],
    ],
    [
      ...relation.constraints.map(({ property, referencedProperty }) =>
        xmlElement('ReferentialConstraint', [
          ['Property', property],
          ['ReferencedProperty', referencedProperty],
        ]),
      ),
      ...(relation.onDelete === undefined ? [] : [xmlElement('OnDelete', [['Action', relation.onDelete]])]),
      ...xmlAnnotations(relation.annotations),
    ],
  )
}

function enumXml(type: CsdlEnumType): XmlElement {
  return xmlElement(
    'EnumType',
    [
      ['Name', type.name],
      ['UnderlyingType', type.underlyingType === 'Edm.Int32' ? undefined : type.underlyingType],
      ['IsFlags', given(type.flags)],
    ],
    [
      ...type.members.map(member =>
        xmlElement(
          'Member',
          [
            ['Name', member.name],
            ['Value', member.value],
          ],
          xmlAnnotations(member.annotations),
        ),
      ),
      ...xmlAnnotations(type.annotations),
    ],
  )
}

function definitionXml(type: CsdlTypeDefinition): XmlElement {
  return xmlElement(
    'TypeDefinition',
    [['Name', type.name], ['UnderlyingType', type.underlyingType], ...facets(type)],
    xmlAnnotations(type.annotations),
  )
}

function operationXml(operation: CsdlOperation): XmlElement {
  const { returnType } = operation
  return xmlElement(
    operation.kind,
    [
      ['Name', operation.name],
      ['IsBound', given(operation.bound)],
      ['IsComposable', given(operation.composable)],
    ],
    [
      ...operation.parameters.map(parameterXml),
      ...(returnType === undefined
        ? []
        : [xmlElement('ReturnType', typed(returnType), xmlAnnotations(returnType.annotations))]),
      ...xmlAnnotations(operation.annotations),
    ],
  )
}

function parameterXml(parameter: CsdlParameter): XmlElement {
  return xmlElement('Parameter', [['Name', parameter.name], ...typed(parameter)], xmlAnnotations(parameter.annotations))
}

function containerXml(container: CsdlContainer): XmlElement {
  return xmlElement(
    'EntityContainer',
    [['Name', container.name]],
    [...container.children.map(childXml), ...xmlAnnotations(container.annotations)],
  )
}

function childXml(child: CsdlContainerChild): XmlElement {
  switch (child.kind) {
    case 'EntitySet':
    case 'Singleton':
      return xmlElement(
        child.kind,
        [
          ['Name', child.name],
          [child.kind === 'EntitySet' ? 'EntityType' : 'Type', child.type],
        ],
        [
          ...child.bindings.map(({ path, target }) =>
            xmlElement('NavigationPropertyBinding', [
              ['Path', path],
              ['Target', target],
            ]),
          ),
          ...xmlAnnotations(child.annotations),
        ],
      )
    default:
      return xmlElement(
        child.kind,
        [
          ['Name', child.name],
          [child.kind === 'ActionImport' ? 'Action' : 'Function', child.operation],
        ],
        xmlAnnotations(child.annotations),
      )
  }
}

function given(holds: boolean): true | undefined {
  return holds ? true : undefined
}

/** Annotations as elements. @see OData CSDL XML Representation 4.01, 14 */
function xmlAnnotations(annotations: readonly Annotation[]): readonly XmlElement[] {
  return annotations.map(({ term, value }) => holder('Annotation', [['Term', term]], value))
}

/** An element that holds a value: a constant or path as an attribute, anything else as a child. */
function holder(name: string, attributes: XmlElement['attributes'], value: AnnotationValue): XmlElement {
  const constant = constantOf(value)
  if (constant !== undefined) return xmlElement(name, [...attributes, constant])
  return xmlElement(name, attributes, [expression(value)])
}

/** The attribute for a constant value. */
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

/** An element. Undefined attributes are omitted. */
interface XmlElement {
  readonly name: string
  readonly attributes: readonly (readonly [name: string, value: string | number | boolean | undefined])[]
  readonly children: readonly XmlElement[]
  /** Content, for an element without children. */
  readonly text?: string
}

function xmlElement(
  name: string,
  attributes: XmlElement['attributes'],
  children: readonly XmlElement[] = [],
): XmlElement {
  return { name, attributes, children }
}

/** An element as lines, indented by two spaces for each level. */
function xmlLines(element: XmlElement): readonly string[] {
  const lines: string[] = []
  writeLines(element, '', lines)
  return lines
}

function writeLines({ name, attributes, children, text }: XmlElement, indentation: string, lines: string[]): void {
  let start = `${indentation}<${name}`
  for (const [attribute, value] of attributes) {
    if (value !== undefined) start += ` ${attribute}="${xmlText(String(value))}"`
  }
  if (text !== undefined) lines.push(`${start}>${xmlText(text)}</${name}>`)
  else if (children.length === 0) lines.push(`${start}/>`)
  else {
    lines.push(`${start}>`)
    for (const child of children) writeLines(child, `${indentation}  `, lines)
    lines.push(`${indentation}</${name}>`)
  }
}

/**
 * Characters that XML 1.0 does not allow, even escaped: controls, lone surrogates, and two noncharacters.
 *
 * @see XML 1.0, 2.2 (Char)
 */
const impossible = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Cs}/gu

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // A parser converts these to spaces in attributes, and carriage returns to line feeds anywhere.
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
  // XML 1.1 or some parsers treat these as line ends.
  '\x85': '&#133;',
  '\u2028': '&#8232;',
  '\u2029': '&#8233;',
}

/** A text as the value of an attribute in double quotes, or as content. Characters that XML does not allow become U+FFFD. */
export function xmlText(text: string): string {
  return plain.test(text) ? text : escaped(text)
}

/** Printable ASCII without the characters that XML reserves. Most texts of a spec match, and need no escaping. */
const plain = /^[ !#-%'-;=?-~]*$/

function escaped(text: string): string {
  return text
    .replace(impossible, '\ufffd')
    .replace(/[&<>"\t\n\r\x85\u2028\u2029]/g, character => references[character] ?? character)
}

/** A text as a comment. Two hyphens would end it, so a space separates them. */
export function xmlComment(text: string): string {
  const plain = text.replace(impossible, '\ufffd').replace(/-(?=-|$)/g, '- ')
  return `<!-- ${plain} -->`
}
