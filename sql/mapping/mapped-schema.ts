import { sql } from 'kysely'
import type { ServiceTable } from '../../runtime/server/index.js'
import { derivesFrom, type EntityType, type NavigationProperty } from '../../spec/language/index.js'
import { allOf } from '../conditions.js'
import type { Dialect } from '../dialects/dialect.js'
import { unsupportedQuery } from '../query-faults.js'
import { type Relation, rootOf, type StoreSchema, type Table } from '../schema/schema.js'
import { serviceTypes } from './entity-types.js'
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
