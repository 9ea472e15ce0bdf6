import { sql } from 'kysely'
import type { PropertyInfo, StructuredTypeInfo, TypeTable } from '../../runtime/query/index.js'
import type { ServiceTable } from '../../runtime/server/index.js'
import {
  type ComplexType,
  derivesFrom,
  type EntityType,
  type EnumType,
  isPrimitiveTypeName,
  type NavigationProperty,
  type Property,
  type StructuredType,
  type TypeDefinition,
  type ValueType,
} from '../../spec/language/index.js'
import { allOf } from '../conditions.js'
import type { Dialect } from '../dialects/dialect.js'
import { unsupportedQuery } from '../query-faults.js'
import { type Relation, rootOf, type StoreSchema, type Table } from '../schema/schema.js'
import { type CallConditions, conditionsOn, keyColumn, mappedTable, tableName } from './mapped-table.js'
import type { EntityTable, RelationMapping, TableMapping } from './mapping.js'

/** The tables of a user as a schema that queries are compiled for. */
export interface MappedSchema<Context> extends StoreSchema {
  readonly conditions: CallConditions<Context>
  /** The user's name of the table of a type. */
  readonly tableName: (type: EntityType) => string
  /** The user's name of the column that identifies its rows. */
  readonly idColumn: (type: EntityType) => string
}

interface MappedRelation<Context> {
  readonly navigation: NavigationProperty
  readonly source: EntityType
  readonly target: EntityType
  readonly place: RelationMapping<Context>
}

/**
 * Reads a mapping.
 *
 * @throws {TypeError} if it does not fit the service
 */
export function mappedSchema<Context>(
  service: Pick<ServiceTable, 'types' | 'namespace'>,
  { tables: given, naming }: TableMapping<Context>,
  dialect: Dialect,
): MappedSchema<Context> {
  const types = serviceTypes(service.types, service.namespace)
  const conditions: CallConditions<Context> = new Map()
  const mappings = new Map<EntityType, EntityTable<Context>>()
  for (const [name, table] of Object.entries(given)) {
    const type = types.entityTypes.get(name)
    if (type === undefined) throw new TypeError(`The mapping has a table for '${name}', which is not an entity type.`)
    if (type.base !== undefined)
      throw new TypeError(`'${name}' shares the table of '${rootOf(type).name}'. Map that type.`)
    mappings.set(type, table)
  }
  const hierarchyOf = (root: EntityType) => [...types.entityTypes.values()].filter(type => derivesFrom(type, root))
  const mapped = [...mappings].flatMap(([source, { relations = {} }]) =>
    Object.entries(relations).map(([name, place]): MappedRelation<Context> => {
      const navigation = hierarchyOf(source)
        .flatMap(type => type.ownNavigation)
        .find(candidate => candidate.name === name)
      if (navigation === undefined)
        throw new TypeError(`The mapping of '${source.name}' has the relation '${name}', which the type does not have.`)
      const target = rootOf(navigation.type)
      if (!mappings.has(target)) throw new TypeError(`'${source.name}/${name}' needs a table for '${target.name}'.`)
      return { navigation, source, target, place }
    }),
  )
  const tables = new Map<EntityType, Table>()
  for (const [root, table] of mappings) {
    const keys = mapped.flatMap(({ source, target, place }) => {
      if ('column' in place) return source === root ? [place.column] : []
      return 'foreignKey' in place && target === root ? [place.foreignKey] : []
    })
    const context = { root, hierarchy: hierarchyOf(root), keys: new Set(keys), naming, dialect, conditions }
    tables.set(root, mappedTable(table, context))
  }
  const tableOf = (type: EntityType): Table => found(tables.get(rootOf(type)), `table for '${rootOf(type).name}'`)
  const relations = new Map(
    mapped.map(relation => [relation.navigation, relationOf(relation, tableOf, conditions)] as const),
  )
  return {
    tables: [...tables.values()],
    links: [],
    tableOf,
    relationOf: navigation => found(relations.get(navigation), `relation '${navigation.name}'`),
    typeOf: name => found(types.entityTypes.get(name), name),
    enumOf: name => found(types.enumTypes.get(name), name),
    complexTypes: types.complexTypes,
    typeNamed: name => types.named.get(name),
    conditions,
    tableName: type => found(mappings.get(rootOf(type)), `table for '${type.name}'`).table,
    idColumn: type => tableOf(type).idName ?? '',
  }
}

/** What the mapping leaves out is not supported: the service answers 501. */
function found<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw unsupportedQuery('query', `The mapping of the database has no ${what}.`)
  return value
}

function relationOf<Context>(
  { navigation, source, target, place }: MappedRelation<Context>,
  tableOf: (type: EntityType) => Table,
  conditions: CallConditions<Context>,
): Relation {
  const ends = { navigation, source: tableOf(source), target: tableOf(target) }
  if ('column' in place) return { ...ends, kind: 'reference', column: keyColumn(place.column) }
  if ('foreignKey' in place) return { ...ends, kind: 'referenced', column: keyColumn(place.foreignKey) }
  const where = conditionsOn(place.where, 'own', `${source.name}.${navigation.name}`, conditions)
  const filter = where.length === 0 ? sql`` : sql` WHERE ${allOf(where)}`
  const columns = sql`${sql.id('own', place.from)} AS ${sql.id('from')}, ${sql.id('own', place.to)} AS ${sql.id('to')}`
  return {
    ...ends,
    kind: 'link',
    table: place.through,
    links: sql`(SELECT ${columns} FROM ${tableName(place.through)} AS ${sql.id('own')}${filter})`,
    from: 'from',
    to: 'to',
  }
}

/** The types of a service as queries need them. */
export interface ServiceTypes {
  readonly entityTypes: ReadonlyMap<string, EntityType>
  readonly complexTypes: readonly ComplexType[]
  readonly enumTypes: ReadonlyMap<string, EnumType>
  readonly named: ReadonlyMap<string, ValueType>
}

/** Types under construction: they can refer to each other. */
type Draft<Type> = { -readonly [Name in keyof Type]: Type[Name] }

const location = { pointer: '' }

/** Reads the types of generated code. */
export function serviceTypes(table: TypeTable, namespace: string): ServiceTypes {
  const entityTypes = new Map<string, Draft<EntityType>>()
  const complexTypes = new Map<string, Draft<ComplexType>>()
  const enumTypes = new Map<string, EnumType>()
  const definitions = new Map<string, TypeDefinition>()
  for (const [name, info] of Object.entries(table)) {
    const common = { name, qualifiedName: info.qualifiedName ?? `${namespace}.${name}`, location }
    if (info.kind === 'enumType') {
      const members = Object.entries(info.members).map(([member, value]) => ({ name: member, value, location }))
      enumTypes.set(name, { ...common, kind: 'enumType', flags: info.flags === true, underlying: 'Int32', members })
    } else if (info.kind === 'typeDefinition') {
      definitions.set(name, { ...common, kind: 'typeDefinition', underlying: primitiveName(info.type) })
    } else {
      const structured = {
        ...common,
        abstract: info.abstract === true,
        open: info.open === true,
        ...{ ownProperties: [], ownNavigation: [], properties: [], navigation: [] },
      }
      if (info.kind === 'complexType') complexTypes.set(name, { ...structured, kind: 'complexType' })
      else
        entityTypes.set(name, {
          ...structured,
          kind: 'entityType',
          key: [],
          alternateKeys: [],
          keyless: info.key.length === 0,
          entityTag: info.entityTag ?? 'none',
          // Streams are no columns of a table of others.
          hasStream: false,
          mediaTypes: [],
        })
    }
  }
  const named = new Map<string, ValueType>([...entityTypes, ...complexTypes, ...enumTypes, ...definitions])
  const add = (type: Draft<EntityType> | Draft<ComplexType>, info: StructuredTypeInfo): void => {
    const base: StructuredType | undefined =
      type.kind === 'entityType' ? entityTypes.get(info.base ?? '') : complexTypes.get(info.base ?? '')
    // A derived type shares the properties of its base, by identity.
    if (base !== undefined && base.properties.length + base.navigation.length === 0) fill(base.name)
    type.ownProperties = Object.entries(info.properties)
      .filter(([name]) => !base?.properties.some(inherited => inherited.name === name))
      .map(([name, property]) => propertyOf(name, property, named))
    type.ownNavigation = Object.entries(info.navigation)
      .filter(([name]) => !base?.navigation.some(inherited => inherited.name === name))
      .map(([name, navigation]): NavigationProperty => {
        const target = entityTypes.get(navigation.type)
        if (target === undefined) throw new TypeError(`The service has no entity type ${navigation.type}.`)
        return {
          ...{ kind: 'navigationProperty', name, location, type: target, constraint: [] },
          collection: navigation.collection === true,
          nullable: navigation.nullable === true,
          contained: navigation.contained === true,
        }
      })
    type.properties = [...(base?.properties ?? []), ...type.ownProperties]
    type.navigation = [...(base?.navigation ?? []), ...type.ownNavigation]
    if (type.kind === 'entityType') {
      if (base?.kind === 'entityType') type.base = base
      const { properties } = type
      type.key = info.key.flatMap(name => properties.find(property => property.name === name) ?? [])
    } else if (base?.kind === 'complexType') type.base = base
  }
  const filled = new Set<string>()
  const fill = (name: string): void => {
    const info = table[name]
    const type = entityTypes.get(name) ?? complexTypes.get(name)
    if (filled.has(name) || type === undefined || info === undefined) return
    filled.add(name)
    if (info.kind === 'entityType' || info.kind === 'complexType') add(type, info)
  }
  for (const name of named.keys()) fill(name)
  return { entityTypes, complexTypes: [...complexTypes.values()], enumTypes, named }
}

function propertyOf(name: string, info: PropertyInfo, named: ReadonlyMap<string, ValueType>): Property {
  return {
    ...{ kind: 'property', name, location, type: valueType(info.type, named) },
    collection: info.collection === true,
    nullable: info.nullable === true,
    computed: info.computed === true,
    createOnly: info.createOnly === true,
    required: info.required === true,
    returned: info.onSelect === true ? 'onSelect' : info.always === true ? 'always' : 'byDefault',
    ...{ unique: false, search: 'none', index: false },
    ...(info.maxLength === undefined ? {} : { maxLength: info.maxLength }),
    ...(info.maxItems === undefined ? {} : { maxItems: info.maxItems }),
  }
}

function valueType(name: string, named: ReadonlyMap<string, ValueType>): ValueType {
  return named.get(name) ?? { kind: 'primitive', name: primitiveName(name) }
}

function primitiveName(name: string) {
  const plain = name.replace(/^Edm\./, '')
  if (!isPrimitiveTypeName(plain)) throw new TypeError(`The service has no type ${name}.`)
  return plain
}
