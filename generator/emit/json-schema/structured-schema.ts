import {
  type ComplexType,
  type EntityType,
  type EnumType,
  type Facets,
  isStream,
  type NavigationProperty,
  type Property,
  type Service,
  type StructuredType,
  type TypeDefinition,
  type ValueType,
} from '../../../spec/language/index.js'
import { ownershipNote } from '../../generated-file.js'
import { decimalNotes, description, memberDescription, schemaNotes } from '../doc-comments.js'
import { type Json, type JsonObject, jsonObject, jsonText } from '../emit-context.js'
import {
  concreteTypes,
  type DerivedTypes,
  derivedEntityTypes,
  derivedStructuredTypes,
  isRequiredIn,
  namedBodyTypes,
  type TypeUse,
  type WriteUse,
  type WriteUses,
  writable,
  writeUses,
} from '../types/value-types.js'
import { geoSchema, primitiveSchema, refer, type SchemaScope } from './primitive-schema.js'

/**
 * What the service returns of a type. Nothing is required, because `$select` can omit anything. Relations are present if
 * expanded. Further members are possible, such as annotations or those of a derived type.
 *
 * @param isDerivable the type has a base, or is one
 */
function readSchema(type: StructuredType, isDerivable: boolean, scope: SchemaScope): JsonObject {
  return jsonObject([
    ['description', description(type)],
    ['type', 'object'],
    [
      'properties',
      jsonObject([
        ...controlInformation(type, isDerivable),
        ...type.properties
          .filter(property => !isStream(property.type))
          .map(property => [property.name, propertySchema(property, 'read', scope)] as const),
        ...type.navigation.flatMap(relation => relationMembers(relation, scope)),
      ]),
    ],
  ])
}

/**
 * A request body. In a patch, an absent member stays unchanged and null clears it.
 *
 * @param isNamed the body names its type
 * @param given properties that get their values from the item around this one
 */
function writeSchema(
  type: StructuredType,
  use: WriteUse,
  isNamed: boolean,
  relations: RelationBodies,
  scope: SchemaScope,
  given: readonly string[] = [],
): JsonObject {
  const properties = writable(type.properties, use)
  const required = [
    ...(isNamed ? ['@odata.type'] : []),
    ...properties.filter(each => isRequiredIn(use, each, type) && !given.includes(each.name)).map(({ name }) => name),
  ]
  return jsonObject([
    ['description', `${bodyDescriptions[use]}${type.name}.`],
    ['type', 'object'],
    [
      'properties',
      jsonObject([
        ['@odata.type', isNamed ? { const: `#${type.qualifiedName}` } : undefined],
        ...properties.map(property => [property.name, propertySchema(property, use, scope)] as const),
        ...relatedMembers(type, use, relations, scope),
      ]),
    ],
    ['required', required.length === 0 ? undefined : required],
    // Services ignore annotations. Any other undeclared member is an error.
    ['patternProperties', type.open ? undefined : { '@': {} }],
    ['additionalProperties', type.open],
  ])
}

const bodyDescriptions = {
  create: 'What a create accepts for the type ',
  patch: 'What a patch accepts for the type ',
  replace: 'What a replacement accepts for the type ',
}

/** What bodies can contain of related items, and the schemas that this needs. */
interface RelationBodies {
  readonly features: Service['features']
  readonly uses: WriteUses
  readonly named: ReadonlySet<StructuredType>
  readonly derived: DerivedTypes<EntityType>
  /** By name, in the order in which bodies first refer to them. */
  readonly schemas: Map<string, Json>
}

/** The schema of that name, written once. Schemas can refer to each other in a circle. */
function shared(name: string, schema: () => Json, { schemas }: RelationBodies, scope: SchemaScope): JsonObject {
  if (!schemas.has(name)) {
    schemas.set(name, {})
    schemas.set(name, schema())
  }
  return refer(scope, name)
}

/**
 * The members of a body that link items, and those that create and change related items with it.
 *
 * @see OData JSON Format 4.01, 8.4 (deep insert), 8.5 (bind operation) and OData Protocol 4.01, 11.4.3.1 (deep update)
 */
function relatedMembers(
  type: StructuredType,
  use: WriteUse,
  relations: RelationBodies,
  scope: SchemaScope,
): readonly (readonly [string, Json])[] {
  if (type.kind !== 'entityType') return []
  const { features } = relations
  return type.navigation.flatMap((relation): readonly (readonly [string, Json])[] => {
    const { name, collection, nullable, contained } = relation
    const members: [string, Json][] = []
    if (features.bind !== 'none' && !contained) {
      const url = shared('odata.url', () => itemUrl, relations, scope)
      const urls = (): Json => ({ type: 'array', items: url })
      const single = nullable && use !== 'create' ? orNull(url) : url
      members.push([`${name}@odata.bind`, collection ? shared('odata.urls', urls, relations, scope) : single])
    }
    const isNested = (use === 'create' ? features.deepInsert : features.deepUpdate) !== 'none'
    const item = isNested ? nestedItem(relation, use === 'create' ? 'create' : 'change', relations, scope) : undefined
    if (item === undefined) return members
    members.push([
      name,
      collection ? { type: 'array', items: item } : nullable && use !== 'create' ? orNull(item) : item,
    ])
    if (collection && use !== 'create') members.push([`${name}@odata.delta`, deltaOf(relation, item, relations, scope)])
    return members
  })
}

const itemUrl: Json = { type: 'string', description: 'The URL of an item, absolute or relative to the service.' }

/** An item in a relation of a body. Only items that the relation does not contain can be linked. Undefined: a body can have none. */
function nestedItem(
  { contained, type, partner }: NavigationProperty,
  does: 'create' | 'change',
  relations: RelationBodies,
  scope: SchemaScope,
): JsonObject | undefined {
  const { uses, derived } = relations
  const link = (): Json => ({
    description: 'Links an item.',
    type: 'object',
    required: ['@odata.id'],
    properties: { '@odata.id': shared('odata.url', () => itemUrl, relations, scope) },
  })
  const links = contained ? [] : [shared('odata.link', link, relations, scope)]
  const types = concreteTypes(type, derived).filter(each => uses.get(each)?.has('create') === true)
  const dependents = does === 'create' ? (partner?.constraint ?? []).map(({ dependent }) => dependent) : []
  const given = dependents.filter(name => types.some(each => each.properties.some(p => p.name === name && p.required)))
  const without = given.length === 0 ? '' : `-without-${given.map(schemaName).join('-')}`
  const created = (each: EntityType): JsonObject => {
    const name = shapeSchemaName(each, 'create')
    if (without === '') return refer(scope, name)
    const isNamed = relations.named.has(each)
    return shared(name + without, () => writeSchema(each, 'create', isNamed, relations, scope, given), relations, scope)
  }
  const alternatives = [
    ...links,
    ...types.map(each =>
      does === 'create'
        ? created(each)
        : shared(`${schemaName(each.name)}-change`, () => changeSchema(each, relations, scope), relations, scope),
    ),
  ]
  const [only, ...others] = alternatives
  if (others.length === 0) return only
  const name = `${schemaName(type.name)}-${contained ? 'contained' : 'related'}-${does}${without}`
  return shared(name, () => ({ anyOf: alternatives }), relations, scope)
}

/** An item in a deep update: the key of one that exists, or what a create needs. */
function changeSchema(type: EntityType, relations: RelationBodies, scope: SchemaScope): JsonObject {
  const keys = type.key.filter(({ computed }) => computed)
  return jsonObject([
    ['description', `What an update accepts for a related item of the type ${type.name}: changes, or a new item.`],
    ['type', 'object'],
    [
      'properties',
      jsonObject([
        ['@odata.type', type.base === undefined ? undefined : { const: `#${type.qualifiedName}` }],
        ...[...keys, ...writable(type.properties, 'create')].map(property => {
          const { default: _byDefault, ...schema } = propertySchema(property, 'create', scope)
          return [property.name, schema] as const
        }),
        ...relatedMembers(type, 'patch', relations, scope),
      ]),
    ],
    ['patternProperties', type.open ? undefined : { '@': {} }],
    ['additionalProperties', type.open],
  ])
}

/** The changes to a relation in an update. @see OData JSON Format 4.01, 15 (delta payload) */
function deltaOf(
  { contained, type }: NavigationProperty,
  item: JsonObject,
  relations: RelationBodies,
  scope: SchemaScope,
): JsonObject {
  const removed: Json = {
    description: 'Removes the item with this key or `@odata.id`.',
    type: 'object',
    required: ['@removed'],
    properties: { '@removed': { type: 'object' } },
  }
  const name = `${schemaName(type.name)}-${contained ? 'contained' : 'related'}-delta`
  const items = (): Json => ({ anyOf: [item, shared('odata.removed', () => removed, relations, scope)] })
  return shared(name, () => ({ type: 'array', items: items() }), relations, scope)
}

function propertySchema(property: Property, use: TypeUse, scope: SchemaScope): JsonObject {
  const { default: byDefault } = property
  const said: readonly (readonly [string, Json | undefined])[] = [
    ['description', memberDescription(property, schemaNotes(property, use))],
    ['default', use === 'create' || use === 'replace' ? byDefault : undefined],
  ]
  return jsonObject([...Object.entries(valueSchema(property, use, scope)), ...said])
}

function controlInformation(type: StructuredType, isDerivable: boolean): readonly (readonly [string, Json])[] {
  const tag = type.kind === 'entityType' && type.entityTag !== 'none'
  const members: readonly (readonly [string, Json | undefined])[] = [
    ['@odata.type', isDerivable ? { type: 'string', description: 'The type, if it is a derived type.' } : undefined],
    ['@odata.etag', tag ? { type: 'string', description: 'The entity tag.' } : undefined],
  ]
  return members.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
}

function relationMembers(relation: NavigationProperty, scope: SchemaScope): readonly (readonly [string, Json])[] {
  const { name } = relation
  const target = refer(scope, shapeSchemaName(relation.type, 'read'))
  const about = memberDescription(relation, ['Returned only when expanded.']) ?? ''
  if (!relation.collection) return [[name, { anyOf: [target, { type: 'null' }], description: about }]]
  return [
    [name, { type: 'array', items: target, description: about }],
    [`${name}@odata.count`, { type: 'integer', minimum: 0 }],
    [`${name}@odata.nextLink`, { type: 'string' }],
  ]
}

/** An element with a value: a property, a parameter, a result. */
export interface TypedValue extends Facets {
  readonly type: ValueType
  readonly collection: boolean
  readonly nullable: boolean
}

/** The schema of a value; includes `null` if the value may be null. An item of a collection is always complete. */
export function valueSchema(value: TypedValue, use: TypeUse, scope: SchemaScope): JsonObject {
  const itemUse = value.collection && use === 'patch' ? 'create' : use
  const item = typeSchema(value.type, value, itemUse, scope)
  if (!value.collection) return value.nullable ? orNull(item) : item
  return jsonObject([
    ['type', 'array'],
    ['items', item],
    ['minItems', value.minItems],
    ['maxItems', value.maxItems],
  ])
}

function typeSchema(type: ValueType, facets: Facets, use: TypeUse, scope: SchemaScope): JsonObject {
  switch (type.kind) {
    case 'primitive':
      return primitiveSchema(type.name, facets, scope)
    case 'enumType':
    case 'typeDefinition':
      return refer(scope, schemaName(type.name))
    default:
      return type.kind === 'complexType' && use !== 'read'
        ? complexBody(type, use, scope)
        : refer(scope, shapeSchemaName(type, use))
  }
}

/** A complex value in a body: of the declared type, or of one that derives from it and that it names. */
function complexBody(type: ComplexType, use: TypeUse, scope: SchemaScope): JsonObject {
  const own = type.abstract ? [] : [refer(scope, shapeSchemaName(type, use))]
  const below = (scope.derived?.get(type) ?? []).filter(({ abstract }) => !abstract)
  const derived = below.map(each => ({
    allOf: [
      refer(scope, shapeSchemaName(each, use)),
      {
        type: 'object',
        required: ['@odata.type'],
        properties: { '@odata.type': { const: `#${each.qualifiedName}` } },
      },
    ],
  }))
  const [only = {}, ...others] = [...own, ...derived]
  return others.length === 0 ? only : { anyOf: [only, ...others] }
}

/** `["string","null"]` if the type is one word, else an alternative. */
function orNull(schema: JsonObject): JsonObject {
  const { type } = schema
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] }
  const types: Json = [type, 'null']
  return { ...schema, type: types }
}

/**
 * A name as the name of a schema, in JSON Schema and OpenAPI alike: letters, digits and `_` stay, every other character
 * becomes `.` and its code point. Names in a spec contain neither `.` nor `-`, so they cannot clash with the names made here.
 *
 * @see OpenAPI 3.1, 4.8.7 (Components Object)
 */
function schemaName(name: string): string {
  return name.replace(/[^A-Za-z0-9_]/gu, character => `.${character.codePointAt(0)?.toString(16)}`)
}

/** The schema of a type for one use: `user`, `user-create`, `user-patch`, `user-replace`. */
export function shapeSchemaName(type: StructuredType, use: TypeUse): string {
  // A complex value within a replacement is written as in a create.
  const written = type.kind === 'complexType' && use === 'replace' ? 'create' : use
  return schemaName(type.name) + (written === 'read' ? '' : `-${written}`)
}

/**
 * The types of a service as one JSON Schema document: under `$defs`, `user` is what the service sends, `user-create`,
 * `user-patch` and `user-replace` what it accepts.
 *
 * @see JSON Schema 2020-12
 */
export function emitJsonSchema(service: Service): string {
  return jsonText(
    jsonObject([
      ['$schema', 'https://json-schema.org/draft/2020-12/schema'],
      ['$comment', ownershipNote(service.name)],
      ['title', service.title],
      ['description', description(service)],
      ['$defs', schemaDefinitions(service, '#/$defs/')],
    ]),
  )
}

/** All schemas of a service, by name: what it sends and what it accepts of each type, in the order of the spec. */
export function schemaDefinitions(service: Service, prefix: string): JsonObject {
  const scope: SchemaScope = { prefix, geoTypes: new Set(), derived: derivedStructuredTypes(service) }
  const uses = writeUses(service)
  const named = namedBodyTypes(service)
  const { features } = service
  const relations: RelationBodies = { features, uses, named, derived: derivedEntityTypes(service), schemas: new Map() }
  const definitions: (readonly [string, Json])[] = []
  const structured = [...service.entityTypes, ...service.complexTypes]
  const bases = new Set(structured.map(type => type.base))
  for (const type of structured) {
    const isDerivable = type.base !== undefined || bases.has(type)
    definitions.push([shapeSchemaName(type, 'read'), readSchema(type, isDerivable, scope)])
    for (const use of ['create', 'patch', 'replace'] as const) {
      const isOwn = uses.get(type)?.has(use) === true && !(use === 'replace' && type.kind === 'complexType')
      if (isOwn)
        definitions.push([shapeSchemaName(type, use), writeSchema(type, use, named.has(type), relations, scope)])
    }
  }
  definitions.push(...relations.schemas)
  for (const type of service.enumTypes) definitions.push([schemaName(type.name), enumSchema(type)])
  for (const type of service.typeDefinitions) definitions.push([schemaName(type.name), definitionSchema(type, scope)])
  for (const { parameters, returns } of service.operations) {
    // Their schemas are elsewhere, but what these refer to is here.
    for (const value of returns === undefined ? parameters : [...parameters, returns]) valueSchema(value, 'read', scope)
  }
  for (const name of [...scope.geoTypes].sort()) definitions.push([`Edm.${name}`, geoSchema(name)])
  return jsonObject(definitions)
}

/** @see OData JSON Format 4.01, 7.1: an enumeration value is the name of its member; flags are joined by commas. */
function enumSchema(type: EnumType): JsonObject {
  const names = type.members.map(({ name }) => name)
  const one = names.map(escapePattern).join('|')
  const about = type.members.flatMap(member =>
    member.description === undefined ? [] : [`${member.name}: ${member.description}`],
  )
  return jsonObject([
    ['description', description(type, about)],
    ['type', 'string'],
    ...(type.flags ? ([['pattern', `^(${one})(,(${one}))*$`]] as const) : ([['enum', names]] as const)),
  ])
}

function definitionSchema(type: TypeDefinition, scope: SchemaScope): JsonObject {
  return jsonObject([
    ['description', description(type, type.underlying === 'Decimal' ? decimalNotes(type) : [])],
    ...Object.entries(primitiveSchema(type.underlying, type, scope)),
  ])
}

function escapePattern(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
