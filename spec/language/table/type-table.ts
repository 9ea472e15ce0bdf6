import type {
  EnumTypeInfo,
  NavigationInfo,
  PropertyInfo,
  StructuredTypeInfo,
  TypeDefinitionInfo,
  TypeInfo,
  TypeTable,
} from '../../../runtime/query/index.js'
import type { Service } from '../model/service.js'
import type {
  EnumType,
  Facets,
  NavigationProperty,
  Property,
  StructuredType,
  TypeDefinition,
  ValueType,
} from '../model/types.js'
import { recordOf } from '../record.js'

/** The types of a service as the query language and the server core take them: plain data, defaults left out. */
export function buildTypeTable(service: Service): TypeTable {
  const table: Record<string, TypeInfo> = Object.create(null)
  const { namespace, features } = service
  const linksItems = [features.bind, features.references, features.deepInsert, features.deepUpdate].some(
    support => support !== 'none',
  )
  for (const type of service.entityTypes)
    table[type.name] = { ...structuredInfo(type, linksItems), ...named(type, namespace) }
  for (const type of service.complexTypes)
    table[type.name] = { ...structuredInfo(type, linksItems), ...named(type, namespace) }
  for (const type of service.enumTypes) table[type.name] = { ...enumInfo(type), ...named(type, namespace) }
  for (const type of service.typeDefinitions) table[type.name] = { ...definitionInfo(type), ...named(type, namespace) }
  return table
}

/** What a type is called in CSDL, when that does not follow from its key. */
function named(
  { name, qualifiedName }: { readonly name: string; readonly qualifiedName: string },
  namespace: string,
): { readonly qualifiedName?: string } {
  return qualifiedName === `${namespace}.${name}` ? {} : { qualifiedName }
}

/** A type's name in the tables: `Edm.String`, or the unqualified name of a type of the service. */
export function typeName(type: ValueType): string {
  return type.kind === 'primitive' ? `Edm.${type.name}` : type.name
}

/** The facets that limit values, those that are given. */
export function facetsOf(facets: Facets): FacetInfo {
  const { minLength, maxLength, minItems, maxItems, precision, scale, minimum, maximum, pattern } = facets
  return {
    ...(minLength === undefined ? {} : { minLength }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(minItems === undefined ? {} : { minItems }),
    ...(maxItems === undefined ? {} : { maxItems }),
    ...(precision === undefined ? {} : { precision }),
    ...(scale === undefined ? {} : { scale }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(pattern === undefined ? {} : { pattern }),
  }
}

type FacetInfo = Pick<
  PropertyInfo,
  'minLength' | 'maxLength' | 'minItems' | 'maxItems' | 'precision' | 'scale' | 'minimum' | 'maximum' | 'pattern'
>

function structuredInfo(type: StructuredType, linksItems: boolean): StructuredTypeInfo {
  return {
    kind: type.kind,
    key: type.kind === 'entityType' ? type.key.map(property => property.name) : [],
    properties: recordOf(type.properties, property => [property.name, propertyInfo(property)]),
    navigation: recordOf(type.navigation, property => [property.name, navigationInfo(property, linksItems)]),
    ...(type.open ? { open: true } : {}),
    ...(type.base === undefined ? {} : { base: type.base.name }),
    ...(type.abstract ? { abstract: true } : {}),
    ...(type.kind === 'entityType' && type.entityTag !== 'none' ? { entityTag: type.entityTag } : {}),
    ...(type.kind === 'entityType' && type.hasStream ? { hasStream: true } : {}),
  }
}

function propertyInfo(property: Property): PropertyInfo {
  return {
    type: typeName(property.type),
    ...(property.collection ? { collection: true } : {}),
    ...(property.nullable ? { nullable: true } : {}),
    ...(property.computed ? { computed: true } : {}),
    ...(property.createOnly ? { createOnly: true } : {}),
    ...(property.required ? { required: true } : {}),
    ...(property.returned === 'onSelect' ? { onSelect: true } : {}),
    ...(property.returned === 'always' ? { always: true } : {}),
    ...facetsOf(property),
    ...(property.default === undefined ? {} : { default: property.default }),
  }
}

function navigationInfo(property: NavigationProperty, linksItems: boolean): NavigationInfo {
  const { partner, constraint } = property
  return {
    type: property.type.name,
    ...(property.collection ? { collection: true } : {}),
    ...(property.nullable ? { nullable: true } : {}),
    ...(property.contained ? { contained: true } : {}),
    ...(linksItems && partner !== undefined ? { partner: partner.name } : {}),
    ...(linksItems && constraint.length > 0
      ? { constraint: recordOf(constraint, pair => [pair.dependent, pair.principal]) }
      : {}),
  }
}

function enumInfo(type: EnumType): EnumTypeInfo {
  const members = recordOf(type.members, member => [member.name, member.value])
  return { kind: 'enumType', members, ...(type.flags ? { flags: true } : {}) }
}

function definitionInfo(type: TypeDefinition): TypeDefinitionInfo {
  const { maxLength, precision, scale, pattern } = facetsOf(type)
  return {
    kind: 'typeDefinition',
    type: `Edm.${type.underlying}`,
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(precision === undefined ? {} : { precision }),
    ...(scale === undefined ? {} : { scale }),
    ...(pattern === undefined ? {} : { pattern }),
  }
}
