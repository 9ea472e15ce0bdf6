import {
  definitionText,
  type Endpoint,
  type EntityType,
  type EnumType,
  type Facets,
  isStream,
  type Meaning,
  meaningText,
  type NavigationProperty,
  type Operation,
  type Parameter,
  type Property,
  type Service,
  type StructuredType,
  type TypeDefinition,
  type ValueType,
} from '../../../spec/language/index.js'
import {
  type Annotation,
  type AnnotationValue,
  annotationsOf,
  type CsdlEnumType,
  type CsdlFacets,
  type CsdlNavigationProperty,
  type CsdlOperation,
  type CsdlParameter,
  type CsdlProperty,
  type CsdlStructuredType,
  type CsdlType,
  type CsdlTypeDefinition,
  collectionOf,
  descriptionAnnotations,
  descriptionMembers,
  namedAnnotations,
  nonEmptyCollection,
  recordOf,
  tagValue,
} from './csdl-document.js'
import { permissionsOf } from './restrictions.js'

/** All types of a service, in the order of the spec. */
export function csdlTypes(service: Service): readonly CsdlType[] {
  return [
    ...[...service.entityTypes, ...service.complexTypes].map(structuredType),
    ...service.enumTypes.map(enumType),
    ...service.typeDefinitions.map(typeDefinition),
  ]
}

/** `Edm.String`, or the qualified name of a type of the service. */
function typeName(type: ValueType): string {
  return type.kind === 'primitive' ? `Edm.${type.name}` : type.qualifiedName
}

/** A qualified name in its two parts. */
export function nameParts(qualifiedName: string): { readonly namespace: string; readonly name: string } {
  const dot = qualifiedName.lastIndexOf('.')
  return { namespace: qualifiedName.slice(0, dot), name: qualifiedName.slice(dot + 1) }
}

/**
 * The facets of CSDL. If a spec sets no limit, the document must state that: by the defaults of CSDL, a decimal number has no
 * digits after the point, and a time no fractions of seconds.
 */
function facetsOf(type: ValueType, { maxLength, precision, scale, unicode, srid }: Facets): CsdlFacets {
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
    hasStream: isEntity && type.hasStream && type.base?.hasStream !== true,
    key: isEntity && (type.base?.key.length ?? 0) === 0 ? type.key.map(property => property.name) : [],
    properties: type.ownProperties.map(csdlProperty),
    navigation: type.ownNavigation.map(csdlNavigationProperty),
    annotations: [
      ...namedAnnotations(type),
      ...annotationsOf([
        ['Core.AlternateKeys', isEntity ? alternateKeys(type) : undefined],
        ['Specwright.Keyless', tagValue(isEntity && type.keyless && type.base?.keyless !== true)],
        ['Specwright.EntityTag', ownTag ? type.entityTag : undefined],
        ['Core.AcceptableMediaTypes', ownMediaTypes(type)],
      ]),
    ],
  }
}

/** The alternate keys that the type itself declares. @see Core vocabulary, AlternateKeys */
function alternateKeys({ alternateKeys: all, base }: EntityType): AnnotationValue | undefined {
  return nonEmptyCollection(
    all.slice(base?.alternateKeys.length ?? 0).map(key =>
      recordOf([
        [
          'Key',
          collectionOf(
            key.map(({ name }) =>
              recordOf([
                ['Name', { kind: 'PropertyPath', path: name }],
                ['Alias', name],
              ]),
            ),
          ),
        ],
      ]),
    ),
  )
}

/** Of the media stream, unless they are those of the base. */
function ownMediaTypes(type: StructuredType): AnnotationValue | undefined {
  if (type.kind !== 'entityType' || type.mediaTypes === type.base?.mediaTypes) return undefined
  return nonEmptyCollection(type.mediaTypes)
}

function enumType(type: EnumType): CsdlEnumType {
  return {
    kind: 'EnumType',
    ...nameParts(type.qualifiedName),
    underlyingType: `Edm.${type.underlying}`,
    flags: type.flags,
    members: type.members.map(member => ({
      name: member.name,
      value: member.value,
      annotations: descriptionAnnotations(member),
    })),
    annotations: namedAnnotations(type),
  }
}

function typeDefinition(type: TypeDefinition): CsdlTypeDefinition {
  return {
    kind: 'TypeDefinition',
    ...nameParts(type.qualifiedName),
    underlyingType: `Edm.${type.underlying}`,
    ...facetsOf({ kind: 'primitive', name: type.underlying }, type),
    annotations: [...namedAnnotations(type), ...annotationsOf([['Validation.Pattern', type.pattern]])],
  }
}

function csdlProperty(property: Property): CsdlProperty {
  const { default: byDefault } = property
  return {
    name: property.name,
    type: typeName(property.type),
    collection: property.collection,
    nullable: property.nullable,
    ...facetsOf(property.type, property),
    ...(byDefault === undefined || byDefault === null ? {} : { defaultValue: byDefault }),
    annotations: [...descriptionAnnotations(property), ...facetAnnotations(property), ...behaviour(property)],
  }
}

/** Facets for which CSDL has no attribute. */
function facetAnnotations(facets: Facets): readonly Annotation[] {
  return annotationsOf([
    ['Validation.Pattern', facets.pattern],
    ['Validation.Minimum', facets.minimum],
    ['Validation.Maximum', facets.maximum],
    ['Validation.MinItems', facets.minItems],
    ['Validation.MaxItems', facets.maxItems],
    ['Specwright.MinLength', facets.minLength],
  ])
}

const read: AnnotationValue = { kind: 'EnumMember', type: 'Core.Permission', members: 'Read' }

function behaviour(property: Property): readonly Annotation[] {
  const { computed, createOnly, returned, search } = property
  return annotationsOf([
    ['Core.Computed', tagValue(computed)],
    ['Core.Permissions', computed ? read : undefined],
    ['Core.Immutable', tagValue(createOnly)],
    ['Core.AcceptableMediaTypes', nonEmptyCollection(property.mediaTypes ?? [])],
    ['Specwright.Required', property.required === isRequiredByRule(property) ? undefined : property.required],
    ['Specwright.Unique', tagValue(property.unique)],
    ['Specwright.Returned', returned === 'byDefault' ? undefined : returned],
    ['Specwright.Stamp', property.stamp],
    ['Specwright.Utc', tagValue(property.utc === true)],
    ['Specwright.Search', search === 'none' ? undefined : search],
    ['Specwright.Index', tagValue(property.index)],
    ['Specwright.NullDefault', tagValue(property.default === null)],
  ])
}

/** Whether a create must include a property by default. */
function isRequiredByRule({ type, nullable, computed, collection, default: byDefault }: Property): boolean {
  return !nullable && !computed && !collection && byDefault === undefined && !isStream(type)
}

const onDelete = { cascade: 'Cascade', none: 'None', setNull: 'SetNull', restrict: 'Restrict' } as const

function csdlNavigationProperty(relation: NavigationProperty): CsdlNavigationProperty {
  return {
    name: relation.name,
    type: typeName(relation.type),
    collection: relation.collection,
    nullable: relation.nullable,
    ...(relation.partner === undefined ? {} : { partner: relation.partner.name }),
    containsTarget: relation.contained,
    constraints: relation.constraint.map(({ dependent, principal }) => ({
      property: dependent,
      referencedProperty: principal,
    })),
    ...(relation.onDelete === undefined ? {} : { onDelete: onDelete[relation.onDelete] }),
    annotations: descriptionAnnotations(relation),
  }
}

/** The operations of a service; for a bound operation, the binding parameter comes first. */
export function csdlOperations(service: Service): readonly CsdlOperation[] {
  const callers = new Map<Operation, Endpoint[]>()
  for (const endpoint of service.endpoints) {
    if (endpoint.kind === 'call')
      callers.set(endpoint.operation, [...(callers.get(endpoint.operation) ?? []), endpoint])
  }
  return service.operations.map(operation => csdlOperation(operation, callers.get(operation) ?? []))
}

function csdlOperation(operation: Operation, callers: readonly Endpoint[]): CsdlOperation {
  const { binding, returns } = operation
  return {
    kind: operation.kind === 'action' ? 'Action' : 'Function',
    ...nameParts(operation.qualifiedName),
    bound: binding !== undefined,
    composable: operation.composable,
    parameters: [
      ...(binding === undefined ? [] : [bindingParameter(operation)]),
      ...operation.parameters.map(csdlParameter),
    ],
    ...(returns === undefined
      ? {}
      : {
          returnType: {
            type: typeName(returns.type),
            collection: returns.collection,
            nullable: returns.nullable,
            annotations: descriptionAnnotations(returns),
          },
        }),
    annotations: [
      ...namedAnnotations(operation),
      ...restrictions(callers),
      ...annotationsOf([
        ['Specwright.Meaning', meaningOf(operation.meaning)],
        ['Specwright.Definition', definitionText(operation)],
      ]),
    ],
  }
}

/** A name that no parameter of the spec can have. */
function bindingParameter({ binding, parameters }: Operation): CsdlParameter {
  let name = 'bindingParameter'
  while (parameters.some(parameter => parameter.name === name)) name += '_'
  return {
    name,
    type: binding === undefined ? 'Edm.Untyped' : typeName(binding.type),
    collection: binding?.collection ?? false,
    nullable: false,
    annotations: [],
  }
}

function csdlParameter(parameter: Parameter): CsdlParameter {
  return {
    name: parameter.name,
    type: typeName(parameter.type),
    collection: parameter.collection,
    nullable: parameter.nullable,
    ...facetsOf(parameter.type, parameter),
    annotations: [
      ...descriptionAnnotations(parameter),
      ...annotationsOf([['Core.OptionalParameter', parameter.optional ? recordOf([]) : undefined]]),
      ...facetAnnotations(parameter),
      ...annotationsOf([['Specwright.Format', parameter.format]]),
    ],
  }
}

function restrictions(callers: readonly Endpoint[]): readonly Annotation[] {
  const permissions = permissionsOf(callers)
  if (permissions === undefined) return []
  return [{ term: 'Capabilities.OperationRestrictions', value: recordOf([['Permissions', permissions]]) }]
}

function meaningOf(meaning: Meaning | undefined): AnnotationValue | undefined {
  if (meaning === undefined) return undefined
  const { filter, orderby } = meaningText(meaning)
  return recordOf([
    ['Of', meaning.of.name],
    ['Transitive', tagValue(meaning.transitive)],
    ['Filter', filter],
    ['Orderby', orderby],
    ['Value', meaning.value?.name],
    ...descriptionMembers(meaning),
  ])
}
