import type { Service } from '../../../spec/language/index.js'
import { type Json, type JsonObject, jsonObject, jsonText } from '../emit-context.js'
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

type Members = readonly (readonly [name: string, value: Json | undefined])[]

/** A service as CSDL JSON. @see OData CSDL JSON Representation 4.01 */
export function emitCsdlJson(service: Service): string {
  return jsonText(documentJson(buildCsdl(service)))
}

function documentJson({ comment, schemas }: CsdlDocument): JsonObject {
  const [main] = schemas
  return jsonObject([
    ['$Version', '4.01'],
    ['$EntityContainer', `${main.namespace}.${main.container.name}`],
    ...schemas.map(schema => [schema.namespace, schemaJson(schema, schema === main ? comment : undefined)] as const),
    ['$Reference', jsonObject(vocabularies.map(reference))],
  ])
}

function schemaJson({ types, operations, container }: CsdlSchema, comment: string | undefined): JsonObject {
  return jsonObject([
    ['@Core.LongDescription', comment],
    ...types.map(type => [type.name, typeJson(type)] as const),
    ...operationOverloads(operations),
    ...(container === undefined ? [] : [[container.name, containerJson(container)] as const]),
  ])
}

function containerJson({ children, annotations: own }: CsdlContainer): JsonObject {
  return jsonObject([
    ['$Kind', 'EntityContainer'],
    ...children.map(child => [child.name, childJson(child)] as const),
    ...annotations(own),
  ])
}

function reference({ alias, namespace, address }: (typeof vocabularies)[number]): readonly [string, Json] {
  return [`${address}.json`, { $Include: [{ $Namespace: namespace, $Alias: alias }] }]
}

function typeJson(type: CsdlType): JsonObject {
  switch (type.kind) {
    case 'EnumType':
      return enumJson(type)
    case 'TypeDefinition':
      return definitionJson(type)
    default:
      return structuredJson(type)
  }
}

function structuredJson(type: CsdlStructuredType): JsonObject {
  return jsonObject([
    ['$Kind', type.kind],
    ['$BaseType', type.baseType],
    ['$Abstract', given(type.abstract)],
    ['$OpenType', given(type.open)],
    ['$HasStream', given(type.hasStream)],
    ['$Key', type.key.length === 0 ? undefined : type.key],
    ...type.properties.map(property => [property.name, propertyJson(property)] as const),
    ...type.navigation.map(relation => [relation.name, navigationJson(relation)] as const),
    ...annotations(type.annotations),
  ])
}

function propertyJson(property: CsdlProperty): JsonObject {
  return jsonObject([
    ...typed(property),
    ['$DefaultValue', property.defaultValue],
    ...annotations(property.annotations),
  ])
}

/** In CSDL JSON, `Edm.String` and "not nullable" are the defaults. */
function typed(value: CsdlTyped): Members {
  return [
    ['$Type', value.type === 'Edm.String' ? undefined : value.type],
    ['$Collection', given(value.collection)],
    ['$Nullable', given(value.nullable)],
    ...facets(value),
  ]
}

function facets({ maxLength, precision, scale, unicode, srid }: CsdlFacets): Members {
  return [
    ['$MaxLength', maxLength],
    ['$Precision', precision],
    ['$Scale', scale],
    ['$Unicode', unicode],
    ['$SRID', srid],
  ]
}

function navigationJson(relation: CsdlNavigationProperty): JsonObject {
  return jsonObject([
    ['$Kind', 'NavigationProperty'],
    ['$Type', relation.type],
    ['$Collection', given(relation.collection)],
    ['$Nullable', given(relation.nullable && !relation.collection)],
    ['$Partner', relation.partner],
    ['$ContainsTarget', given(relation.containsTarget)],
    [
      '$ReferentialConstraint',
      relation.constraints.length === 0
        ? undefined
        : jsonObject(relation.constraints.map(each => [each.property, each.referencedProperty])),
    ],
    ['$OnDelete', relation.onDelete],
    ...annotations(relation.annotations),
  ])
}

function enumJson(type: CsdlEnumType): JsonObject {
  return jsonObject([
    ['$Kind', 'EnumType'],
    ['$UnderlyingType', type.underlyingType === 'Edm.Int32' ? undefined : type.underlyingType],
    ['$IsFlags', given(type.flags)],
    ...type.members.flatMap(member => [
      [member.name, member.value] as const,
      ...annotations(member.annotations, member.name),
    ]),
    ...annotations(type.annotations),
  ])
}

function definitionJson(type: CsdlTypeDefinition): JsonObject {
  return jsonObject([
    ['$Kind', 'TypeDefinition'],
    ['$UnderlyingType', type.underlyingType],
    ...facets(type),
    ...annotations(type.annotations),
  ])
}

/** Each operation is a list of overloads. */
function operationOverloads(operations: readonly CsdlOperation[]): Members {
  const overloads = new Map<string, Json[]>()
  for (const operation of operations) {
    overloads.set(operation.name, [...(overloads.get(operation.name) ?? []), operationJson(operation)])
  }
  return [...overloads]
}

function operationJson(operation: CsdlOperation): JsonObject {
  const { returnType } = operation
  return jsonObject([
    ['$Kind', operation.kind],
    ['$IsBound', given(operation.bound)],
    ['$IsComposable', given(operation.composable)],
    ['$Parameter', operation.parameters.length === 0 ? undefined : operation.parameters.map(parameterJson)],
    [
      '$ReturnType',
      returnType === undefined ? undefined : jsonObject([...typed(returnType), ...annotations(returnType.annotations)]),
    ],
    ...annotations(operation.annotations),
  ])
}

function parameterJson(parameter: CsdlParameter): JsonObject {
  return jsonObject([['$Name', parameter.name], ...typed(parameter), ...annotations(parameter.annotations)])
}

function childJson(child: CsdlContainerChild): JsonObject {
  switch (child.kind) {
    case 'ActionImport':
      return jsonObject([['$Action', child.operation], ...annotations(child.annotations)])
    case 'FunctionImport':
      return jsonObject([['$Function', child.operation], ...annotations(child.annotations)])
    default:
      return jsonObject([
        ['$Collection', given(child.kind === 'EntitySet')],
        ['$Type', child.type],
        [
          '$NavigationPropertyBinding',
          child.bindings.length === 0
            ? undefined
            : jsonObject(child.bindings.map(({ path, target }) => [path, target])),
        ],
        ...annotations(child.annotations),
      ])
  }
}

function annotations(list: readonly Annotation[], of = ''): Members {
  return list.map(({ term, value }) => [`${of}@${term}`, valueJson(value)])
}

function valueJson(value: AnnotationValue): Json {
  if (value === null || typeof value !== 'object') return value
  switch (value.kind) {
    case 'Collection':
      return value.items.map(valueJson)
    case 'Record':
      return jsonObject(value.members.map(([name, member]) => [name, valueJson(member)]))
    case 'EnumMember':
      return value.members
    default:
      return value.path
  }
}

/** CSDL JSON omits false values. */
function given(holds: boolean): true | undefined {
  return holds ? true : undefined
}
