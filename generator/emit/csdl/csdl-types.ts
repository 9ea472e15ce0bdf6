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
import { saidOf } from './said.js'

/** All types of a service, in the order of the spec. */
export function csdlTypes(service: Service): readonly CsdlType[] {
  const { namespace } = service
  return [
    ...[...service.entityTypes, ...service.complexTypes].map(type => structuredType(type, namespace)),
    ...service.enumTypes.map(enumType),
    ...service.typeDefinitions.map(typeDefinition),
  ]
}

/** `Edm.String`, or the qualified name of a type of the service. */
export function typeName(type: ValueType, namespace: string): string {
  return type.kind === 'primitive' ? `Edm.${type.name}` : `${namespace}.${type.name}`
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

function structuredType(type: StructuredType, namespace: string): CsdlStructuredType {
  const isEntity = type.kind === 'entityType'
  const ownTag = isEntity && type.entityTag !== 'none' && type.base?.entityTag !== type.entityTag
  return {
    kind: isEntity ? 'EntityType' : 'ComplexType',
    name: type.name,
    ...(type.base === undefined ? {} : { baseType: `${namespace}.${type.base.name}` }),
    abstract: type.abstract,
    open: type.open,
    key: isEntity && (type.base?.key.length ?? 0) === 0 ? type.key.map(property => property.name) : [],
    properties: type.ownProperties.map(property => csdlProperty(property, namespace)),
    navigation: type.ownNavigation.map(relation => csdlNavigationProperty(relation, namespace)),
    annotations: [...saidOf(type), ...annotationsOf([['Specwright.EntityTag', ownTag ? type.entityTag : undefined]])],
  }
}

function enumType(type: EnumType): CsdlEnumType {
  return {
    kind: 'EnumType',
    name: type.name,
    underlyingType: `Edm.${type.underlying}`,
    flags: type.flags,
    members: type.members.map(member => ({ name: member.name, value: member.value, annotations: saidOf(member) })),
    annotations: saidOf(type),
  }
}

function typeDefinition(type: TypeDefinition): CsdlTypeDefinition {
  return {
    kind: 'TypeDefinition',
    name: type.name,
    underlyingType: `Edm.${type.underlying}`,
    ...facetsOf({ kind: 'primitive', name: type.underlying }, type),
    annotations: [...saidOf(type), ...annotationsOf([['Validation.Pattern', type.pattern]])],
  }
}
