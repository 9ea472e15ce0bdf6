import { sql } from 'kysely'
import type { EntityType, Property } from '../../spec/language/index.js'
import { allOf } from '../conditions.js'
import { asSqlValue, type Dialect, Placeholder, type Sql } from '../dialects/dialect.js'
import { type Column, idColumn, type Table, typeColumn, versionColumn } from '../schema/schema.js'
import { type Storage, storageOf, storedProperties, storedTypeOfProperty } from '../schema/stored-type.js'
import { mappedColumn } from './column-values.js'
import type { CallOf, ColumnMapping, Conditions, ConditionValue, EntityTable, TableMapping } from './mapping.js'

/** The values of conditions that depend on the call, by placeholder. */
export type CallConditions<Context> = Map<string, (call: CallOf<Context>) => ConditionValue>

interface TableContext<Context> {
  /** The root type of the table, and the types that its rows can have. */
  readonly root: EntityType
  readonly hierarchy: readonly EntityType[]
  /** The columns of this table that relations need. */
  readonly keys: ReadonlySet<string>
  readonly naming: TableMapping['naming']
  readonly dialect: Dialect
  readonly conditions: CallConditions<Context>
}

/** The alias of the user's table in its subquery. */
const own = 'own'

/** The name of a key column in the subquery. */
export function keyColumn(column: string): string {
  return `$.${column}`
}

/**
 * A user's table as a subquery with the columns of the schema.
 *
 * @throws {TypeError} if the mapping does not fit the type
 */
export function mappedTable<Context>(table: EntityTable<Context>, context: TableContext<Context>): Table {
  const { root, hierarchy, dialect } = context
  requireKnownNames(table, context)
  const columns = new Map<Property, Column>()
  const selected: Sql[] = []
  const select = (name: string, value: Sql): void => void selected.push(sql`${value} AS ${sql.id(name)}`)
  for (const property of new Set(hierarchy.flatMap(storedProperties))) {
    const { name } = property
    const type = storedTypeOfProperty(property)
    const given = columnOf(property, table, context)
    if (given === null) {
      if (!property.nullable) throw new TypeError(`'${root.name}/${name}' cannot be null, so it needs a column.`)
      select(name, dialect.bind(null, storageOf(type.kind)))
      columns.set(property, { name, property, type })
      continue
    }
    const { value, native } = mappedColumn(property, sql`${sql.id(given.join ?? own, given.column)}`, given, dialect)
    select(name, value)
    if (native === undefined) columns.set(property, { name, property, type })
    else {
      select(`$=${name}`, native.value)
      columns.set(property, { name, property, type, native: { name: `$=${name}`, storage: native.storage } })
    }
  }
  const id = identityOf(table, columns, context)
  select(idColumn, sql`${sql.id(own, id.column)}`)
  select(versionColumn, versionOf(table, context))
  const types = hierarchy.filter(type => !type.abstract)
  if (types.length > 1) select(typeColumn, typeNameOf(table, context))
  for (const key of context.keys) select(keyColumn(key), sql`${sql.id(own, key)}`)
  const search = new Map<Property, 'words' | 'prefix'>()
  for (const property of columns.keys()) {
    const kind = table.search?.[property.name]
    if (kind !== undefined) search.set(property, kind)
  }
  return {
    name: root.name,
    source: sql`(SELECT ${sql.join(selected)} ${rowsOf(table, context)})`,
    idStorage: id.storage,
    idName: id.column,
    placesNulls: false,
    root,
    types,
    columns: [...columns.values()],
    columnOf: property => {
      const column = columns.get(property)
      if (column === undefined) throw new TypeError(`'${root.name}' has no column for '${property.name}'.`)
      return column
    },
    ...{ owners: [], references: [], topLevel: true, tracksChanges: false, words: undefined, search },
  }
}

function requireKnownNames<Context>(table: EntityTable<Context>, { root, hierarchy }: TableContext<Context>): void {
  const names = new Set(hierarchy.flatMap(type => type.properties.map(({ name }) => name)))
  for (const name of [...Object.keys(table.columns ?? {}), ...Object.keys(table.search ?? {})]) {
    if (names.has(name)) continue
    throw new TypeError(`The mapping of '${root.name}' names '${name}'. The type has ${[...names].join(', ')}.`)
  }
  if (hierarchy.some(type => type.open))
    throw new TypeError(`'${root.name}' is open. Undeclared properties cannot be mapped to columns.`)
}

/** The column of a property; null if it has none. */
function columnOf<Context>(
  property: Property,
  { columns, joins = {} }: EntityTable<Context>,
  { root, naming }: Pick<TableContext<Context>, 'root' | 'naming'>,
): (ColumnMapping & { readonly column: string }) | null {
  const given = columns?.[property.name]
  if (given === null) return null
  const named = naming === 'snake_case' ? snakeCase(property.name) : property.name
  if (given === undefined || typeof given === 'string') return { column: given ?? named }
  if (given.join !== undefined && !Object.hasOwn(joins, given.join))
    throw new TypeError(`'${root.name}/${property.name}' names the join '${given.join}', which 'joins' does not have.`)
  return { column: named, ...given }
}

function snakeCase(name: string): string {
  return name.replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '_').toLowerCase()
}

/** The column that identifies rows: the one given, or that of the key. */
function identityOf<Context>(
  table: EntityTable<Context>,
  columns: ReadonlyMap<Property, Column>,
  context: TableContext<Context>,
): { readonly column: string; readonly storage: Storage } {
  const { id } = table
  if (typeof id === 'object') return { column: id.column, storage: id.type }
  const { key, name } = context.root
  const [only] = key.length === 1 ? key : []
  const given = only === undefined ? undefined : columnOf(only, table, context)
  const column = id ?? (given?.join === undefined && given?.path === undefined ? given?.column : undefined)
  if (column === undefined)
    throw new TypeError(`The mapping of '${name}' needs 'id', the column of a unique value: its key is not one column.`)
  for (const { property, type, native } of columns.values()) {
    const mapped = columnOf(property, table, context)
    if (mapped?.column !== column || mapped.join !== undefined || mapped.path !== undefined) continue
    return { column, storage: native?.storage === 'uuid' ? 'uuid' : storageOf(type.kind) }
  }
  throw new TypeError(`The mapping of '${name}' needs the type of the column '${column}': id: { column, type }.`)
}

function versionOf<Context>(
  { version }: EntityTable<Context>,
  { root, hierarchy, dialect }: TableContext<Context>,
): Sql {
  if (hierarchy.every(({ entityTag }) => entityTag === 'none')) return dialect.bind(null, 'text')
  if (version === undefined && dialect.name !== 'postgres')
    throw new TypeError(`'${root.name}' has entity tags. Name a column in 'version' that changes with the row.`)
  const text = sql`CAST(${sql.id(own, version ?? 'xmin')} AS ${sql.raw(dialect.name === 'mysql' ? 'char' : 'text')})`
  // A time has spaces, which entity tags cannot have.
  return sql`replace(${text}, ' ', '_')`
}

function typeNameOf<Context>({ discriminator }: EntityTable<Context>, { root, hierarchy }: TableContext<Context>): Sql {
  if (discriminator === undefined)
    throw new TypeError(`The mapping of '${root.name}' needs 'discriminator', because rows can have several types.`)
  const cases = Object.entries(discriminator.types).map(([value, name]) => {
    if (!hierarchy.some(type => type.name === name))
      throw new TypeError(`The discriminator of '${root.name}' names '${name}', which is not one of its types.`)
    return sql`WHEN ${sql.lit(value)} THEN ${sql.lit(name)}`
  })
  return sql`CASE ${sql.id(own, discriminator.column)} ${sql.join(cases, sql` `)} END`
}

function rowsOf<Context>(
  { table, joins = {}, where, discriminator }: EntityTable<Context>,
  { root, conditions }: TableContext<Context>,
): Sql {
  const joined = Object.entries(joins).map(([alias, join]) => {
    const on = Object.entries(join.on).map(([theirs, ours]) => sql`${sql.id(alias, theirs)} = ${sql.id(own, ours)}`)
    return sql` LEFT JOIN ${tableName(join.table)} AS ${sql.id(alias)} ON ${allOf(on)}`
  })
  const all = [...conditionsOn(where, own, root.name, conditions)]
  if (discriminator !== undefined) {
    const values = Object.keys(discriminator.types).map(value => sql.lit(value))
    all.push(sql`${sql.id(own, discriminator.column)} IN (${sql.join(values)})`)
  }
  const filter = all.length === 0 ? sql`` : sql` WHERE ${allOf(all)}`
  return sql`FROM ${tableName(table)} AS ${sql.id(own)}${sql.join(joined, sql``)}${filter}`
}

/** `users` or `crm.users`. */
export function tableName(name: string): Sql {
  return sql`${sql.id(...name.split('.'))}`
}

/** The conditions of a mapping. Those that depend on the call become placeholders. */
export function conditionsOn<Context>(
  where: Conditions<Context> | undefined,
  alias: string,
  owner: string,
  conditions: CallConditions<Context>,
): readonly Sql[] {
  return Object.entries(where ?? {}).map(([column, value]) => {
    const at = sql`${sql.id(alias, column)}`
    if (value === null) return sql`${at} IS NULL`
    if (typeof value !== 'function') return sql`${at} = ${typeof value === 'boolean' ? sql.lit(value) : sql`${value}`}`
    const name = `condition ${owner}.${column}`
    conditions.set(name, value)
    return sql`${at} = ${new Placeholder(name, asSqlValue)}`
  })
}
