import {
  type EntityType,
  isNumericType,
  isStream,
  isUpsert,
  type PrimitiveTypeName,
  type Property,
  type Service,
  type StructuredType,
  type ValueType,
} from '../../../spec/language/index.js'
import { type NameTable, typeName } from '../../names/name-table.js'

/** The use of a type: the service returns `read`, and accepts the others. */
export type TypeUse = 'read' | WriteUse
export type WriteUse = 'create' | 'patch' | 'replace'

/** Returns the name of a named type, and imports it if necessary. */
type TypeReference = (name: string) => string

/** An element with a value: its type, and whether it is a collection or nullable. */
interface Typed {
  readonly type: ValueType
  readonly collection: boolean
  readonly nullable: boolean
}

/** The TypeScript type of a value. */
export function valueTypeText(names: NameTable, typed: Typed, use: TypeUse, refer: TypeReference): string {
  const item = itemTypeText(names, typed, use, refer)
  const list = typed.collection ? `readonly ${/^[\w$<>]+$/.test(item) ? item : `(${item})`}[]` : item
  return typed.nullable && !typed.collection ? `${list} | null` : list
}

function itemTypeText(names: NameTable, { type, collection }: Typed, use: TypeUse, refer: TypeReference): string {
  switch (type.kind) {
    case 'primitive':
      return primitiveTypeText(type.name, names)
    case 'enumType': {
      // A request can contain only known members. A response can contain a new one.
      const name = refer(typeName(names, type))
      return use === 'read' || type.flags ? `${refer('OpenEnum')}<${name}>` : name
    }
    case 'typeDefinition':
      return refer(typeName(names, type))
    case 'complexType':
      // An item of a collection is always complete.
      return refer(anyShapeName(names, type, collection && use !== 'read' ? 'create' : use))
    case 'entityType':
      return refer(use === 'read' ? anyShapeName(names, type, use) : shapeName(names, type, use))
  }
}

/** The suffix of the name of a structured type, by its use. */
export const writeSuffixes = { create: 'Create', patch: 'Patch', replace: 'Replace' } as const

/** The name of a structured type for one use; a complex value within a replacement is written as in a create. */
export function shapeName(names: NameTable, type: StructuredType, use: TypeUse): string {
  return typeName(names, type) + suffixOf(type, use)
}

function suffixOf({ kind }: StructuredType, use: TypeUse): string {
  if (use === 'read') return ''
  return kind === 'complexType' && use === 'replace' ? writeSuffixes.create : writeSuffixes[use]
}

/** The name of a structured type for one use, including the types that derive from it. */
export function anyShapeName(names: NameTable, type: StructuredType, use: TypeUse): string {
  const union = names.unions.get(type)
  return union === undefined ? shapeName(names, type, use) : union + suffixOf(type, use)
}

const geo = (type: string, depth: number): string =>
  `{ readonly type: '${type}'; readonly coordinates: readonly ${nested(depth)} }`

/** `number[]`, `(readonly number[])[]` and so on: positions, lines of positions, rings of lines. */
const nested = (depth: number): string => (depth === 1 ? 'number[]' : `(readonly ${nested(depth - 1)})[]`)

const geoCollection =
  "{ readonly type: 'GeometryCollection'; readonly geometries: readonly { readonly type: string }[] }"
const anyGeo = '{ readonly type: string }'

/** The TypeScript types of geo types and streams in JSON. */
const otherTypes: Readonly<Partial<Record<PrimitiveTypeName, string>>> = {
  Stream: 'never',
  Geography: anyGeo,
  GeographyPoint: geo('Point', 1),
  GeographyLineString: geo('LineString', 2),
  GeographyPolygon: geo('Polygon', 3),
  GeographyMultiPoint: geo('MultiPoint', 2),
  GeographyMultiLineString: geo('MultiLineString', 3),
  GeographyMultiPolygon: geo('MultiPolygon', 4),
  GeographyCollection: geoCollection,
  Geometry: anyGeo,
  GeometryPoint: geo('Point', 1),
  GeometryLineString: geo('LineString', 2),
  GeometryPolygon: geo('Polygon', 3),
  GeometryMultiPoint: geo('MultiPoint', 2),
  GeometryMultiLineString: geo('MultiLineString', 3),
  GeometryMultiPolygon: geo('MultiPolygon', 4),
  GeometryCollection: geoCollection,
}

/** The TypeScript type of a primitive value in JSON. @see OData JSON Format 4.01, 7.1 */
function primitiveTypeText(name: PrimitiveTypeName, { exactNumbers }: NameTable): string {
  if (name === 'Int64') return exactNumbers
  if (name === 'Decimal') return exactNumbers === 'number' ? 'number' : 'string'
  if (isNumericType(name)) return 'number'
  return otherTypes[name] ?? (name === 'Boolean' ? 'boolean' : 'string')
}

/**
 * The properties, `order/total`, the parameters, `pay/sum`, and the results of operations, `pay`, whose values can have
 * more digits than a number of JavaScript keeps: 15.
 */
export function longNumbers({ entityTypes, complexTypes, operations }: Service): readonly string[] {
  const owners = [
    ...[...entityTypes, ...complexTypes].map(({ name, ownProperties }) => ({ name, values: ownProperties })),
    ...operations.map(({ name, parameters }) => ({ name, values: parameters })),
  ]
  return [
    ...owners.flatMap(({ name, values }) => values.filter(isLong).map(each => `${name}/${each.name}`)),
    ...operations.flatMap(({ name, returns }) => (returns !== undefined && isLong(returns) ? [name] : [])),
  ]
}

function isLong({ type, ...own }: Pick<Property, 'type' | 'precision' | 'minimum' | 'maximum'>): boolean {
  const facets = type.kind === 'typeDefinition' ? { ...type, ...own } : own
  const name = type.kind === 'primitive' ? type.name : type.kind === 'typeDefinition' ? type.underlying : ''
  const { precision = Infinity, minimum = -Infinity, maximum = Infinity } = facets
  return (
    (name === 'Decimal' && precision > 15) ||
    (name === 'Int64' && (minimum < Number.MIN_SAFE_INTEGER || maximum > Number.MAX_SAFE_INTEGER))
  )
}

/** The structured types in request bodies, at any depth, and what they are used for. */
export type WriteUses = ReadonlyMap<StructuredType, ReadonlySet<WriteUse>>

export function writeUses(service: Service): WriteUses {
  const derived = derivedEntityTypes(service)
  const derivedComplex = derivedStructuredTypes(service)
  const { deepInsert, deepUpdate } = service.features
  const uses = new Map<StructuredType, Set<WriteUse>>()
  const use = (type: ValueType, how: WriteUse): void => {
    if (type.kind !== 'complexType' && type.kind !== 'entityType') return
    // A complex value can have a derived type.
    if (type.kind === 'complexType') for (const below of derivedComplex.get(type) ?? []) use(below, how)
    const known = uses.get(type) ?? new Set()
    if (known.has(how)) return
    uses.set(type, known.add(how))
    for (const property of writable(type.properties, how)) {
      use(property.type, how === 'patch' && !property.collection ? 'patch' : 'create')
    }
    // Bodies can contain the items of a contained relation, also if no path creates them. Models of thousands of types say
    // only that this is possible, and would have bodies for most of them.
    if (type.kind !== 'entityType' || (how === 'create' ? deepInsert : deepUpdate) !== 'required') return
    for (const { contained, type: target } of type.navigation) {
      if (contained) for (const each of concreteTypes(target, derived)) use(each, 'create')
    }
  }
  for (const endpoint of service.endpoints) {
    if (endpoint.kind === 'create' || endpoint.kind === 'update' || endpoint.kind === 'replace') {
      const creates = endpoint.kind !== 'create' && isUpsert(endpoint, service)
      for (const type of concreteTypes(endpoint.type, derived)) {
        use(type, bodyUses[endpoint.kind])
        if (creates) use(type, 'create')
      }
    } else if (endpoint.kind === 'call') {
      for (const parameter of endpoint.operation.parameters) use(parameter.type, 'create')
    }
  }
  return uses
}

/**
 * The entity types whose bodies name their type in `@odata.type`, because nothing else identifies it: those with a base
 * type that items can have, and those of which an endpoint accepts several.
 */
export function namedBodyTypes(service: Service): ReadonlySet<StructuredType> {
  const derived = derivedEntityTypes(service)
  const named = new Set<StructuredType>(service.entityTypes.filter(({ base }) => base !== undefined && !base.abstract))
  for (const endpoint of service.endpoints) {
    if (endpoint.kind !== 'create' && endpoint.kind !== 'update' && endpoint.kind !== 'replace') continue
    const types = concreteTypes(endpoint.type, derived)
    if (types.length > 1) for (const type of types) if (type !== endpoint.type) named.add(type)
  }
  return named
}

/** Whether a body must have a property. A replaced item keeps its key. */
export function isRequiredIn(use: WriteUse, property: Property, type: StructuredType): boolean {
  if (use === 'patch' || !property.required) return false
  return use === 'create' || type.kind !== 'entityType' || !type.key.includes(property)
}

/** The use of an endpoint's body. */
export const bodyUses = { create: 'create', update: 'patch', replace: 'replace' } as const

/** The properties that a body can have. */
export function writable(properties: readonly Property[], use: WriteUse): readonly Property[] {
  return properties.filter(
    ({ computed, createOnly, type }) => !computed && !isStream(type) && (use === 'create' || !createOnly),
  )
}

/** Base type -> all types that derive from it, at any depth, in the order of the spec. */
export type DerivedTypes<Type> = ReadonlyMap<Type, readonly Type[]>

const knownEntityTypes = new WeakMap<Service, DerivedTypes<EntityType>>()

/** Computed once for each service, because every endpoint needs it. */
export function derivedEntityTypes(service: Service): DerivedTypes<EntityType> {
  const derived = knownEntityTypes.get(service) ?? derivedTypes(service.entityTypes)
  knownEntityTypes.set(service, derived)
  return derived
}

const knownStructuredTypes = new WeakMap<Service, DerivedTypes<StructuredType>>()

export function derivedStructuredTypes(service: Service): DerivedTypes<StructuredType> {
  const derived =
    knownStructuredTypes.get(service) ?? derivedTypes<StructuredType>([...service.entityTypes, ...service.complexTypes])
  knownStructuredTypes.set(service, derived)
  return derived
}

/** The types that an item of a type can have: the type itself and all types that derive from it, without abstract ones. */
export const concreteTypes = (type: EntityType, derived: DerivedTypes<EntityType>): readonly EntityType[] =>
  [type, ...(derived.get(type) ?? [])].filter(({ abstract }) => !abstract)

function derivedTypes<Type extends { readonly base?: Type }>(types: readonly Type[]): DerivedTypes<Type> {
  const derived = new Map<Type, Type[]>()
  for (const type of types) {
    for (let base = type.base; base !== undefined; base = base.base) {
      const known = derived.get(base)
      if (known === undefined) derived.set(base, [type])
      else known.push(type)
    }
  }
  return derived
}

/** The type of a request body: the endpoint's type, or a type that derives from it and that `@odata.type` names. */
export function bodyTypeText(
  service: Service,
  names: NameTable,
  type: EntityType,
  kind: keyof typeof bodyUses,
  refer: TypeReference,
): string {
  const types = concreteTypes(type, derivedEntityTypes(service))
  return types.map(one => refer(shapeName(names, one, bodyUses[kind]))).join(' | ') || 'never'
}
