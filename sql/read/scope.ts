import { sql } from 'kysely'
import type { ResourceSegment, Route, ServiceTable } from '../../runtime/server/index.js'
import type { EntityType, NavigationProperty, Property } from '../../spec/language/index.js'
import { allOf, type ColumnReader, related } from '../conditions.js'
import { type Dialect, Placeholder, type Sql } from '../dialects/dialect.js'
import { typeCondition } from '../filter/paths.js'
import type { QueryTarget } from '../query-target.js'
import {
  idColumn,
  type Relation,
  rowsOf,
  type StoreSchema,
  singletonColumn,
  type Table,
  typeColumn,
} from '../schema/schema.js'
import { storageOf, storedTypeOfProperty } from '../schema/stored-type.js'
import { encodeValue, nativeValue } from '../values/codec.js'

/** The items that a path addresses. */
export interface Scope {
  readonly table: Table
  readonly type: EntityType
  /** Whether the row named `alias` is one of them. */
  readonly where: (alias: string) => Sql
  /** The item before the last relation of the path, and that relation. */
  readonly parent: { readonly scope: Scope; readonly relation: Relation } | undefined
}

/** The placeholder for the id of the signed-in caller. */
export const principalPlaceholder = 'principal'

/** The placeholder for a key of the path. */
export function keyPlaceholder(variable: string): string {
  return `key ${variable}`
}

/**
 * Resolves the resource path of a route to a condition on its items; undefined if a segment does not lead to items. For a
 * bound operation, the scope is that of its binding parameter.
 */
export function scopeOf(route: Pick<Route, 'resource'>, store: ScopeSource): Scope | undefined {
  let scope: Scope | undefined
  for (const segment of route.resource) {
    if (segment.kind === 'operation') break
    scope = follow(segment, scope, store)
    if (scope === undefined) return undefined
  }
  return scope
}

interface ScopeSource {
  readonly schema: StoreSchema
  readonly engine: { readonly dialect: Dialect }
  readonly table: Pick<ServiceTable, 'container'>
}

function follow(segment: ResourceSegment, scope: Scope | undefined, source: ScopeSource): Scope | undefined {
  const { schema, table } = source
  const { dialect } = source.engine
  switch (segment.kind) {
    case 'entitySet':
      return ofSet(schema.typeOf(segment.type), schema)
    case 'singleton':
      return ofSingleton(
        segment.name,
        table.container[segment.name]?.principal === true,
        schema.typeOf(segment.type),
        schema,
        dialect,
      )
    case 'key':
      return scope === undefined ? undefined : ofKey(scope, scope.type.key, segment.variables, dialect)
    case 'alternateKey': {
      const { properties: names, variables } = segment
      if (scope === undefined) return undefined
      const { properties } = scope.type
      const key = names.flatMap(name => properties.find(property => property.name === name) ?? [])
      return ofKey(scope, key, variables, dialect)
    }
    case 'navigation':
      return scope === undefined ? undefined : ofRelation(scope, segment.name, schema)
    case 'cast':
      return scope === undefined ? undefined : ofType(scope, schema.typeOf(segment.type))
    default:
      return undefined
  }
}

/** The items of an entity set: those of its type without an owner. */
function ofSet(type: EntityType, schema: StoreSchema): Scope {
  const table = schema.tableOf(type)
  const all: Scope = { table, type: table.root, where: alias => allOf(alone(table, alias)), parent: undefined }
  return ofType(all, type)
}

function alone(table: Table, alias: string): readonly Sql[] {
  return table.owners.map(({ name }) => sql`${sql.id(alias, name)} IS NULL`)
}

/** The items of a type. The root type needs no condition. */
function ofType(scope: Scope, type: EntityType): Scope {
  const { table } = scope
  if (type === table.root) return { ...scope, type }
  return {
    ...scope,
    type,
    where: alias => allOf([typeCondition(sql`${sql.id(alias, typeColumn)}`, type, table.types), scope.where(alias)]),
  }
}

/** The singleton of the signed-in caller, or any other singleton. */
function ofSingleton(name: string, principal: boolean, type: EntityType, schema: StoreSchema, dialect: Dialect): Scope {
  const set = ofSet(type, schema)
  if (!principal) {
    const isIt = (alias: string): Sql => sql`${sql.id(alias, singletonColumn)} = ${dialect.bind(name, 'text')}`
    return { ...set, where: alias => allOf([isIt(alias), set.where(alias)]) }
  }
  const [key] = type.key
  if (key === undefined) return set
  return {
    ...set,
    where: alias => allOf([keyEquals(key, principalPlaceholder, set.table, alias, dialect), set.where(alias)]),
  }
}

function ofKey(scope: Scope, key: readonly Property[], variables: readonly string[], dialect: Dialect): Scope {
  const { table } = scope
  const isKey = (alias: string): readonly Sql[] =>
    key.map((property, index) =>
      keyEquals(property, keyPlaceholder(variables[index] ?? property.name), table, alias, dialect),
    )
  return { ...scope, where: alias => allOf([...isKey(alias), scope.where(alias)]) }
}

function keyEquals(property: Property, slotName: string, table: Table, alias: string, dialect: Dialect): Sql {
  const type = storedTypeOfProperty(property)
  const { name, native } = table.columnOf(property)
  if (native !== undefined) {
    const given = new Placeholder(
      slotName,
      value => nativeValue(encodeValue(value, type, dialect), native.storage, type) ?? null,
    )
    return sql`${sql.id(alias, native.name)} = ${dialect.bind(given, native.storage)}`
  }
  const placeholder = new Placeholder(slotName, value => encodeValue(value, type, dialect) ?? null)
  return sql`${sql.id(alias, name)} = ${dialect.bind(placeholder, storageOf(type.kind))}`
}

function ofRelation(scope: Scope, name: string, schema: StoreSchema): Scope | undefined {
  const navigation = scope.type.navigation.find(candidate => candidate.name === name)
  if (navigation === undefined) return undefined
  const relation = schema.relationOf(navigation)
  return {
    table: relation.target,
    type: navigation.type,
    where: alias => related(relation, columnReader(scope, `${alias}p`), alias),
    parent: { scope, relation },
  }
}

/** Reads a column of the single item of a scope. */
export function columnReader(scope: Scope, alias: string): ColumnReader {
  return column =>
    sql`(SELECT ${sql.id(alias, column)} FROM ${rowsOf(scope.table)} AS ${sql.id(alias)} WHERE ${scope.where(alias)})`
}

/** The targets of a relation of the scope's single item. */
export function relatedScope(binding: Scope, navigation: NavigationProperty, { schema }: QueryTarget): Scope {
  const relation = schema.relationOf(navigation)
  return {
    table: relation.target,
    type: navigation.type,
    where: alias => related(relation, columnReader(binding, `${alias}p`), alias),
    parent: { scope: binding, relation },
  }
}

/** The targets of a relation, their targets, and so on. Cycles end because a row is followed only once. */
export function transitiveScope(binding: Scope, navigation: NavigationProperty, store: QueryTarget): Scope {
  const direct = relatedScope(binding, navigation, store)
  const { relation } = direct.parent ?? { relation: store.schema.relationOf(navigation) }
  const source = rowsOf(relation.source)
  const target = rowsOf(relation.target)
  const id = sql.id(idColumn)
  return {
    ...direct,
    where: alias => {
      const [first, from, next] = [`${alias}f`, `${alias}s`, `${alias}n`]
      const begin = sql`SELECT ${sql.id(first, idColumn)} FROM ${target} AS ${sql.id(first)} WHERE ${direct.where(first)}`
      const step = related(relation, column => sql`${sql.id(from, column)}`, next)
      const follow = sql`SELECT ${sql.id(next, idColumn)} FROM found JOIN ${source} AS ${sql.id(from)} ON ${sql.id(from, idColumn)} = found.${id} JOIN ${target} AS ${sql.id(next)} ON ${step}`
      const found = sql`WITH RECURSIVE found(${id}) AS (${begin} UNION ${follow}) SELECT ${id} FROM found`
      return sql`${sql.id(alias, idColumn)} IN (${found})`
    },
  }
}
