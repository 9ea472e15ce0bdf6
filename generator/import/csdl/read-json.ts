import { pointerTo } from '../../../spec/language/index.js'
import { type Finding, importError } from '../finding.js'
import type { AnnotationValue, CsdlElement } from './csdl-element.js'
import { exceedsLimits } from './json-text.js'

/**
 * Reads CSDL JSON into the elements of CSDL XML.
 *
 * @see OData CSDL JSON Representation 4.01
 */
export function readJson(text: string): CsdlElement | Finding {
  if (exceedsLimits(text)) {
    return importError(
      'too-deep',
      'The document exceeds a limit: at most 100 levels of nesting and 2,000,000 members.',
      0,
    )
  }
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    const location = Number(/at position (\d+)/.exec(message)?.[1] ?? 0)
    return importError('not-well-formed', `The document is not well-formed JSON: ${message}.`, location)
  }
  const root = membersOf(parsed)
  const version = root.get('$Version')
  if (typeof version !== 'string') {
    const found = root.has('openapi') || root.has('swagger') ? 'is an OpenAPI document' : 'has no "$Version"'
    const message = `The document ${found}, so it is not CSDL JSON. Import the response of an OData 4 service to $metadata.`
    return importError('not-metadata', message, '')
  }
  if (!/^4\.\d+$/.test(version)) {
    return importError('odata-version', `This is CSDL ${version}; OData 4 is expected.`, '/$Version')
  }
  const schemas = [...root].flatMap(([namespace, schema]) =>
    namespace.startsWith('$') || namespace.startsWith('@') ? [] : [schemaElement(namespace, membersOf(schema))],
  )
  return element('Edmx', { Version: version, EntityContainer: root.get('$EntityContainer') }, '', [
    ...referenceElements(membersOf(root.get('$Reference'))),
    element('DataServices', {}, '', schemas),
  ])
}

function referenceElements(references: JsonMembers): readonly CsdlElement[] {
  return [...references].map(([uri, reference]) => {
    const location = pointerTo('/$Reference', uri)
    const includes: unknown = membersOf(reference).get('$Include')
    const children = (Array.isArray(includes) ? includes : []).map((include: unknown) => {
      const members = membersOf(include)
      return element('Include', { Namespace: members.get('$Namespace'), Alias: members.get('$Alias') }, location)
    })
    return element('Reference', { Uri: uri }, location, children)
  })
}

function schemaElement(namespace: string, schema: JsonMembers): CsdlElement {
  const location = pointerTo('', namespace)
  const children = [...schema].flatMap(([name, value]): readonly CsdlElement[] => {
    if (name.startsWith('$') || name.includes('@')) return []
    const at = pointerTo(location, name)
    if (Array.isArray(value)) {
      return value.map((overload: unknown, index) => operationElement(name, membersOf(overload), pointerTo(at, index)))
    }
    const members = membersOf(value)
    if (members.get('$Kind') === 'EntityContainer') {
      const extended = members.get('$Extends')
      return [element('EntityContainer', { Name: name, Extends: extended }, at, containerElements(members, at))]
    }
    const type = typeElement(name, members, at)
    return type === undefined ? [] : [type]
  })
  const targets = [...membersOf(schema.get('$Annotations'))].map(([target, annotations]) => {
    const at = pointerTo(pointerTo(location, '$Annotations'), target)
    return element('Annotations', { Target: target }, at, annotationElements(membersOf(annotations), at))
  })
  return element('Schema', { Namespace: namespace, Alias: schema.get('$Alias') }, location, [
    ...children,
    ...targets,
    ...annotationElements(schema, location),
  ])
}

/** A type of any kind; undefined for an element that is not a type (a term). */
function typeElement(name: string, members: JsonMembers, location: string): CsdlElement | undefined {
  switch (members.get('$Kind')) {
    case 'EntityType':
    case 'ComplexType':
      return structuredElement(name, members, location)
    case 'EnumType': {
      const attributes = {
        Name: name,
        UnderlyingType: members.get('$UnderlyingType'),
        IsFlags: members.get('$IsFlags'),
      }
      return element('EnumType', attributes, location, [
        ...enumMembers(members, location),
        ...annotationElements(members, location),
      ])
    }
    case 'TypeDefinition': {
      const attributes = { Name: name, UnderlyingType: members.get('$UnderlyingType'), ...facets(members) }
      return element('TypeDefinition', attributes, location, annotationElements(members, location))
    }
    default:
      return undefined
  }
}

function structuredElement(name: string, members: JsonMembers, location: string): CsdlElement {
  const attributes = {
    Name: name,
    BaseType: members.get('$BaseType'),
    Abstract: members.get('$Abstract'),
    OpenType: members.get('$OpenType'),
    HasStream: members.get('$HasStream'),
  }
  const key = members.get('$Key')
  const own = declared(members).map(([member, value]) =>
    memberElement(member, membersOf(value), pointerTo(location, member)),
  )
  return element(String(members.get('$Kind')), attributes, location, [
    ...(Array.isArray(key)
      ? [
          element(
            'Key',
            {},
            location,
            key.map((part: unknown) => keyElement(part, location)),
          ),
        ]
      : []),
    ...own,
    ...annotationElements(members, location),
  ])
}

/** A key property: its name, or an object from alias to path. */
function keyElement(part: unknown, location: string): CsdlElement {
  if (typeof part === 'string') return element('PropertyRef', { Name: part }, location)
  const [[alias, path] = []] = [...membersOf(part)]
  return element('PropertyRef', { Name: path, Alias: alias }, location)
}

/** Members that are neither keywords nor annotations. */
function declared(members: JsonMembers): readonly (readonly [string, unknown])[] {
  return [...members].filter(([key]) => !key.startsWith('$') && !key.includes('@'))
}

function memberElement(name: string, members: JsonMembers, location: string): CsdlElement {
  if (members.get('$Kind') !== 'NavigationProperty') {
    const attributes = { Name: name, ...typed(members), DefaultValue: members.get('$DefaultValue') }
    return element('Property', attributes, location, annotationElements(members, location))
  }
  const attributes = {
    Name: name,
    ...typed(members),
    Partner: members.get('$Partner'),
    ContainsTarget: members.get('$ContainsTarget'),
  }
  const constraints = declared(membersOf(members.get('$ReferentialConstraint')))
  const action = members.get('$OnDelete')
  return element('NavigationProperty', attributes, location, [
    ...constraints.map(([Property, ReferencedProperty]) =>
      element('ReferentialConstraint', { Property, ReferencedProperty }, location),
    ),
    ...(action === undefined ? [] : [element('OnDelete', { Action: action }, location)]),
    ...annotationElements(members, location),
  ])
}

/** Type and facets, with the defaults of JSON, which are not those of XML. */
function typed(members: JsonMembers): Readonly<Record<string, unknown>> {
  const type = members.get('$Type') ?? 'Edm.String'
  return {
    Type: members.get('$Collection') === true ? `Collection(${type})` : type,
    Nullable: members.get('$Nullable') === true,
    ...facets(members),
  }
}

function facets(members: JsonMembers): Readonly<Record<string, unknown>> {
  return {
    MaxLength: members.get('$MaxLength'),
    Precision: members.get('$Precision'),
    Scale: members.get('$Scale'),
    Unicode: members.get('$Unicode'),
    SRID: members.get('$SRID'),
  }
}

function enumMembers(members: JsonMembers, location: string): readonly CsdlElement[] {
  return declared(members).map(([name, value]) =>
    element(
      'Member',
      { Name: name, Value: value },
      pointerTo(location, name),
      annotationElements(members, location, name),
    ),
  )
}

/** One overload of an action or function. */
function operationElement(name: string, members: JsonMembers, location: string): CsdlElement {
  const attributes = {
    Name: name,
    IsBound: members.get('$IsBound'),
    IsComposable: members.get('$IsComposable'),
    EntitySetPath: members.get('$EntitySetPath'),
  }
  const parameters = members.get('$Parameter')
  const returns = members.get('$ReturnType')
  return element(members.get('$Kind') === 'Function' ? 'Function' : 'Action', attributes, location, [
    ...(Array.isArray(parameters) ? parameters : []).map((parameter: unknown, index) => {
      const own = membersOf(parameter)
      const at = pointerTo(`${location}/$Parameter`, index)
      return element('Parameter', { Name: own.get('$Name'), ...typed(own) }, at, annotationElements(own, at))
    }),
    ...(returns === undefined ? [] : [returnElement(membersOf(returns), `${location}/$ReturnType`)]),
    ...annotationElements(members, location),
  ])
}

function returnElement(members: JsonMembers, location: string): CsdlElement {
  return element('ReturnType', typed(members), location, annotationElements(members, location))
}

/** Entity sets, singletons and operation imports, and the annotations of the container. */
function containerElements(container: JsonMembers, location: string): readonly CsdlElement[] {
  const children = declared(container).map(([name, value]) =>
    childElement(name, membersOf(value), pointerTo(location, name)),
  )
  return [...children, ...annotationElements(container, location)]
}

function childElement(name: string, members: JsonMembers, location: string): CsdlElement {
  const own = annotationElements(members, location)
  const [action, called] = [members.get('$Action'), members.get('$Function')]
  if (action !== undefined) return element('ActionImport', { Name: name, Action: action }, location, own)
  if (called !== undefined) return element('FunctionImport', { Name: name, Function: called }, location, own)
  const isSet = members.get('$Collection') === true
  const bindings = [...membersOf(members.get('$NavigationPropertyBinding'))].map(([Path, Target]) =>
    element('NavigationPropertyBinding', { Path, Target }, location),
  )
  const type = isSet ? { EntityType: members.get('$Type') } : { Type: members.get('$Type') }
  return element(isSet ? 'EntitySet' : 'Singleton', { Name: name, ...type }, location, [...bindings, ...own])
}

/** The members of an object, with any name; none if the value is not an object. */
type JsonMembers = ReadonlyMap<string, unknown>

function membersOf(value: unknown): JsonMembers {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return new Map<string, unknown>(isObject ? Object.entries(value) : [])
}

/**
 * Annotations among the members of an object, `@Core.Description`, or those of one of its members,
 * `low@Core.Description`. Those of annotations, and of parts of their values, are below these.
 */
function annotationElements(members: JsonMembers, location: string, of = ''): readonly CsdlElement[] {
  const below = annotationsBelow(members, location)
  return [...members].flatMap(([key, content]) => {
    if (!key.startsWith(`${of}@`)) return []
    const [term = '', qualifier] = key.slice(of.length + 1).split('#')
    if (term.includes('@')) return []
    const value = jsonConstant(content)
    const attributes = { Term: term, Qualifier: qualifier, ...(value === undefined ? { Path: '' } : {}) }
    const nested = [...(below.get(key) ?? []), ...annotationsWithin(content, pointerTo(location, key))]
    return [element('Annotation', attributes, pointerTo(location, key), nested, value)]
  })
}

/** Annotations of annotations by what they are about: `@Core.Description@Core.IsLanguageDependent`. */
function annotationsBelow(members: JsonMembers, location: string): ReadonlyMap<string, readonly CsdlElement[]> {
  const below = new Map<string, CsdlElement[]>()
  for (const key of members.keys()) {
    const end = key.lastIndexOf('@')
    if (key.indexOf('@') === end) continue
    const nested = element('Annotation', { Term: key.slice(end + 1) }, pointerTo(location, key))
    const known = below.get(key.slice(0, end))
    if (known === undefined) below.set(key.slice(0, end), [nested])
    else known.push(nested)
  }
  return below
}

/** The annotations of records, and of their members, at any depth of a value. */
function annotationsWithin(content: unknown, location: string): readonly CsdlElement[] {
  if (Array.isArray(content))
    return content.flatMap((item, index) => annotationsWithin(item, pointerTo(location, `${index}`)))
  return [...membersOf(content)].flatMap(([key, value]) => {
    const term = key.slice(key.indexOf('@') + 1)
    // `@type`, `@odata.type` and the like are not annotations: terms have a namespace or an alias.
    if (key.includes('@'))
      return term.includes('.') && !term.startsWith('odata.')
        ? [element('Annotation', { Term: term }, pointerTo(location, key), [])]
        : []
    return annotationsWithin(value, pointerTo(location, key))
  })
}

/** A constant value; undefined for one that depends on data: an object that begins with `$Path`, `$If` and the like. */
function jsonConstant(content: unknown): AnnotationValue | undefined {
  if (typeof content === 'string' || typeof content === 'number' || typeof content === 'boolean') return content
  if (content === null) return null
  if (Array.isArray(content)) return content.map(jsonConstant).filter(value => value !== undefined)
  const members = membersOf(content)
  if ([...members.keys()].some(key => key.startsWith('$'))) return undefined
  return {
    members: new Map([...members].flatMap(([key, value]) => (key.includes('@') ? [] : [[key, jsonConstant(value)]]))),
    read: new Set(),
  }
}

/** An element in the form of XML, without attributes that are not a text, number or boolean. */
function element(
  name: string,
  attributes: Readonly<Record<string, unknown>>,
  location: string,
  children: readonly CsdlElement[] = [],
  value?: AnnotationValue,
): CsdlElement {
  const given = new Map<string, string>()
  for (const [attribute, content] of Object.entries(attributes)) {
    if (typeof content === 'string') given.set(attribute, content)
    else if (typeof content === 'number' || typeof content === 'boolean') given.set(attribute, String(content))
  }
  return { name, attributes: given, children, text: '', location, ...(value === undefined ? {} : { value }) }
}
