import type {
  EnumType,
  Facets,
  Service,
  StructuredType,
  TypeDefinition,
  ValueType,
} from '../../../spec/language/model/index.js'
import { annotationsOf } from './annotation-value.js'
import type { CsdlEnumType, CsdlFacets, CsdlStructuredType, CsdlType, CsdlTypeDefinition } from './csdl-document.js'
import { csdlNavigationProperty, csdlProperty } from './csdl-property.js'
import { namedOf, saidOf } from './said.js'

/** All types of a service, in the order of the spec. */
export function csdlTypes(service: Service): readonly CsdlType[] {
  return [
    ...[...service.entityTypes, ...service.complexTypes].map(structuredType),
    ...service.enumTypes.map(enumType),
    ...service.typeDefinitions.map(typeDefinition),
  ]
}

/** `Edm.String`, or the qualified name of a type of the service. */
export function typeName(type: ValueType): string {
  return type.kind === 'primitive' ? `Edm.${type.name}` : type.qualifiedName
}

/** A qualified name in its two parts. */
export function nameParts(qualifiedName: string): { readonly namespace: string; readonly name: string } {
  const dot = qualifiedName.lastIndexOf('.')
  return { namespace: qualifiedName.slice(0, dot), name: qualifiedName.slice(dot + 1) }
}

/**
 * The facets that CSDL has. What a spec does not limit, CSDL has to be told: by its own defaults a decimal number has no
 * digits after the point, and a time no fractions of seconds.
 */
export function facetsOf(type: ValueType, { maxLength, precision, scale, unicode, srid }: Facets): CsdlFacets {
  const name = type.kind === 'primitive' ? type.name : ''
  const digits = precision ?? (isTemporal(name) ? mostFractionalDigits : undefined)
  const fraction = scale ?? (name === 'Decimal' ? 'variable' : undefined)
  return {
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(digits === undefined ? {} : { precision: digits }),
    ...(fraction === undefined ? {} : { scale: fraction }),
    ...(unicode === undefined ? {} : { unicode }),
    ...(srid === undefined ? {} : { srid }),
  }
}

const mostFractionalDigits = 12

function isTemporal(name: string): boolean {
  return name === 'DateTimeOffset' || name === 'Duration' || name === 'TimeOfDay'
}

function structuredType(type: StructuredType): CsdlStructuredType {
  const isEntity = type.kind === 'entityType'
  const ownTag = isEntity && type.entityTag !== 'none' && type.base?.entityTag !== type.entityTag
  return {
    kind: isEntity ? 'EntityType' : 'ComplexType',
    ...nameParts(type.qualifiedName),
    ...(type.base === undefined ? {} : { baseType: type.base.qualifiedName }),
    abstract: type.abstract,
    open: type.open,
    key: isEntity && (type.base?.key.length ?? 0) === 0 ? type.key.map(property => property.name) : [],
    properties: type.ownProperties.map(csdlProperty),
    navigation: type.ownNavigation.map(csdlNavigationProperty),
    annotations: [...namedOf(type), ...annotationsOf([['Specwright.EntityTag', ownTag ? type.entityTag : undefined]])],
  }
}

function enumType(type: EnumType): CsdlEnumType {
  return {
    kind: 'EnumType',
    ...nameParts(type.qualifiedName),
    underlyingType: `Edm.${type.underlying}`,
    flags: type.flags,
    members: type.members.map(member => ({ name: member.name, value: member.value, annotations: saidOf(member) })),
    annotations: namedOf(type),
  }
}

function typeDefinition(type: TypeDefinition): CsdlTypeDefinition {
  return {
    kind: 'TypeDefinition',
    ...nameParts(type.qualifiedName),
    underlyingType: `Edm.${type.underlying}`,
    ...facetsOf({ kind: 'primitive', name: type.underlying }, type),
    annotations: [...namedOf(type), ...annotationsOf([['Validation.Pattern', type.pattern]])],
  }
}
