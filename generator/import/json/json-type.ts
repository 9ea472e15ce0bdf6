import { pointerTo } from '../../../spec/language/source/pointer.js'
import type { CsdlElement } from '../csdl/csdl-element.js'
import { annotationElements, type JsonMembers, membersOf } from './json-annotations.js'
import { element } from './json-element.js'

/** A type of any kind; undefined for what is none (a term). */
export function typeElement(name: string, members: JsonMembers, spot: string): CsdlElement | undefined {
  switch (members.get('$Kind')) {
    case 'EntityType':
    case 'ComplexType':
      return structuredElement(name, members, spot)
    case 'EnumType': {
      const attributes = {
        Name: name,
        UnderlyingType: members.get('$UnderlyingType'),
        IsFlags: members.get('$IsFlags'),
      }
      return element('EnumType', attributes, spot, [
        ...enumMembers(members, spot),
        ...annotationElements(members, spot),
      ])
    }
    case 'TypeDefinition': {
      const attributes = { Name: name, UnderlyingType: members.get('$UnderlyingType'), ...facets(members) }
      return element('TypeDefinition', attributes, spot, annotationElements(members, spot))
    }
    default:
      return undefined
  }
}

function structuredElement(name: string, members: JsonMembers, spot: string): CsdlElement {
  const attributes = {
    Name: name,
    BaseType: members.get('$BaseType'),
    Abstract: members.get('$Abstract'),
    OpenType: members.get('$OpenType'),
    HasStream: members.get('$HasStream'),
  }
  const key = members.get('$Key')
  const own = declared(members).map(([member, value]) =>
    memberElement(member, membersOf(value), pointerTo(spot, member)),
  )
  return element(String(members.get('$Kind')), attributes, spot, [
    ...(Array.isArray(key)
      ? [
          element(
            'Key',
            {},
            spot,
            key.map((part: unknown) => keyElement(part, spot)),
          ),
        ]
      : []),
    ...own,
    ...annotationElements(members, spot),
  ])
}

/** A key property: its name, or an object from alias to path. */
function keyElement(part: unknown, spot: string): CsdlElement {
  if (typeof part === 'string') return element('PropertyRef', { Name: part }, spot)
  const [[alias, path] = []] = [...membersOf(part)]
  return element('PropertyRef', { Name: path, Alias: alias }, spot)
}

/** Members that are neither keywords nor annotations. */
export function declared(members: JsonMembers): readonly (readonly [string, unknown])[] {
  return [...members].filter(([key]) => !key.startsWith('$') && !key.includes('@'))
}

function memberElement(name: string, members: JsonMembers, spot: string): CsdlElement {
  if (members.get('$Kind') !== 'NavigationProperty') {
    const attributes = { Name: name, ...typed(members), DefaultValue: members.get('$DefaultValue') }
    return element('Property', attributes, spot, annotationElements(members, spot))
  }
  const attributes = {
    Name: name,
    ...typed(members),
    Partner: members.get('$Partner'),
    ContainsTarget: members.get('$ContainsTarget'),
  }
  const constraints = declared(membersOf(members.get('$ReferentialConstraint')))
  const action = members.get('$OnDelete')
  return element('NavigationProperty', attributes, spot, [
    ...constraints.map(([Property, ReferencedProperty]) =>
      element('ReferentialConstraint', { Property, ReferencedProperty }, spot),
    ),
    ...(action === undefined ? [] : [element('OnDelete', { Action: action }, spot)]),
    ...annotationElements(members, spot),
  ])
}

/** Type and facets, with the defaults of JSON, which are not those of XML. */
export function typed(members: JsonMembers): Readonly<Record<string, unknown>> {
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

function enumMembers(members: JsonMembers, spot: string): readonly CsdlElement[] {
  return declared(members).map(([name, value]) =>
    element('Member', { Name: name, Value: value }, pointerTo(spot, name), annotationElements(members, spot, name)),
  )
}
