import { derivesFrom, type EntityType, type Service } from '../../../spec/language/index.js'
import {
  type Column,
  hasOpenType,
  idColumn,
  type LinkTable,
  openColumn,
  rootOf,
  type Storage,
  type StoreSchema,
  type StreamTable,
  singletonColumn,
  storageOf,
  type Table,
  typeColumn,
  versionColumn,
  type WordTable,
} from '../../../sql/index.js'

/** The tables of a store as plain data. The store keeps its plan, so that the next start can detect changes. */
export interface StorePlan {
  readonly tables: readonly TablePlan[]
}

export interface TablePlan {
  readonly name: string
  readonly columns: readonly ColumnPlan[]
  /** The columns of the primary key; absent: `$id`, assigned by the engine. */
  readonly primaryKey?: readonly string[]
  readonly indexes: readonly IndexPlan[]
  /** For a word index: the search mode of each column. */
  readonly words?: Readonly<Record<string, string>>
}

export interface ColumnPlan {
  readonly name: string
  readonly storage: Storage
  readonly required?: true
  /** For a property that can be null. */
  readonly nullable?: true
  /** A reference to the `$id` of another table. */
  readonly references?: { readonly table: string; readonly onDelete: 'cascade' | 'set null' }
  /** The numbers of an enumeration's members. They must not change while values are stored. */
  readonly members?: Readonly<Record<string, number>>
}

export interface IndexPlan {
  readonly name: string
  /** In index order; null sorts lowest. */
  readonly columns: readonly string[]
  readonly unique?: true
  /** A partial index: only rows in which all of these columns are null. */
  readonly whereNull?: readonly string[]
}

/** The tables that a schema requires. */
export function planStore(schema: StoreSchema, service: Service): StorePlan {
  return {
    tables: [
      ...schema.tables.map(table => planTable(table, schema, service)),
      ...schema.tables.flatMap(table => (table.words === undefined ? [] : [planWords(table, table.words)])),
      ...schema.tables.flatMap(table => (table.streams === undefined ? [] : [planStreams(table, table.streams)])),
      ...schema.links.map(planLink),
    ],
  }
}

function planTable(table: Table, schema: StoreSchema, service: Service): TablePlan {
  const columns: ColumnPlan[] = [
    { name: idColumn, storage: 'integer', required: true },
    { name: typeColumn, storage: 'text', required: true },
    { name: versionColumn, storage: 'integer', required: true },
    { name: singletonColumn, storage: 'text' },
    ...(hasOpenType(table) ? [{ name: openColumn, storage: 'text' as const }] : []),
    ...table.owners.map(({ name, owner }): ColumnPlan => {
      return { name, storage: 'integer', references: { table: owner.name, onDelete: 'cascade' } }
    }),
    ...table.references.map(({ name, target }): ColumnPlan => {
      return { name, storage: 'integer', references: { table: target.name, onDelete: 'set null' } }
    }),
    ...table.columns.map(planColumn),
  ]
  return { name: table.name, columns, indexes: planIndexes(table, schema, service) }
}

function planColumn({ name, type, property }: Column): ColumnPlan {
  const column = { name, storage: storageOf(type.kind), ...(property.nullable ? { nullable: true as const } : {}) }
  if (type.enumType === undefined) return column
  return { ...column, members: Object.fromEntries(type.enumType.members.map(each => [each.name, each.value])) }
}

function planWords(table: Table, { name, properties }: WordTable): TablePlan {
  return {
    name,
    words: Object.fromEntries(properties.map(property => [table.columnOf(property).name, property.search])),
    columns: [
      { name: 'property', storage: 'text', required: true },
      { name: 'word', storage: 'text', required: true },
      { name: 'row', storage: 'integer', required: true, references: { table: table.name, onDelete: 'cascade' } },
      { name: 'position', storage: 'integer', required: true },
    ],
    primaryKey: ['property', 'word', 'row', 'position'],
    indexes: [{ name: `${name}.row`, columns: ['row'] }],
  }
}

function planStreams(table: Table, { name }: StreamTable): TablePlan {
  return {
    name,
    columns: [
      { name: 'row', storage: 'integer', required: true, references: { table: table.name, onDelete: 'cascade' } },
      { name: 'name', storage: 'text', required: true },
      { name: 'tag', storage: 'text', required: true },
      { name: 'type', storage: 'text', required: true },
      // The last one, so that the others are read without it.
      { name: 'content', storage: 'bytes', required: true },
    ],
    primaryKey: ['row', 'name'],
    indexes: [],
  }
}

function planLink({ name, from, to }: LinkTable): TablePlan {
  return {
    name,
    columns: [
      { name: 'from', storage: 'integer', required: true, references: { table: from.name, onDelete: 'cascade' } },
      { name: 'to', storage: 'integer', required: true, references: { table: to.name, onDelete: 'cascade' } },
    ],
    primaryKey: ['from', 'to'],
    indexes: [{ name: `${name}.to`, columns: ['to', 'from'] }],
  }
}

/**
 * The indexes of a table. A collection is read in order among the items of one owner, of one type that shares its table, or
 * of the whole table. Each index therefore starts with the column that selects these items.
 */
export function planIndexes(table: Table, schema: StoreSchema, service: Service): readonly IndexPlan[] {
  const key = table.root.key.map(property => table.columnOf(property).name)
  const ownerNames = table.owners.map(owner => owner.name)
  const indexes: IndexPlan[] = []
  const add = (label: string, columns: readonly string[], more: Omit<IndexPlan, 'name' | 'columns'> = {}): void => {
    const distinct = [...new Set(columns)]
    // Types without a key have singletons and lists only, and are never looked up by key.
    if (distinct.length === 0) return
    const name = `${table.name}.${label}`
    if (!indexes.some(index => index.columns.join() === distinct.join() && index.unique === more.unique)) {
      indexes.push({
        name: indexes.some(index => index.name === name) ? `${name}$${indexes.length}` : name,
        columns: distinct,
        ...more,
      })
    }
  }
  const alone = ownerNames.length === 0 ? {} : { whereNull: ownerNames }
  if (table.topLevel) add('key', key, { unique: true, ...alone })
  for (const owner of ownerNames) add(`${owner}.key`, [owner, ...key], table.root.keyless ? {} : { unique: true })
  const prefixes = [...ownerNames.map(name => [name]), ...(table.topLevel ? setPrefixes(table, service) : [])]
  for (const prefix of prefixes) if (prefix[0] === typeColumn) add('set', [...prefix, ...key])
  for (const column of table.columns) {
    const { property } = column
    if (property.unique && !table.root.key.includes(property)) addUnique([column.name], ownerNames, table, add)
    if (!property.index || property.collection) continue
    for (const prefix of prefixes) add([...prefix, column.name].join('.'), [...prefix, column.name, ...key])
  }
  for (const alternate of table.types.flatMap(({ alternateKeys }) => alternateKeys)) {
    if (alternate.length > 1)
      addUnique(
        alternate.map(property => table.columnOf(property).name),
        ownerNames,
        table,
        add,
      )
  }
  for (const reference of table.references) add(reference.name, [reference.name, ...key])
  for (const columns of constraintColumns(table, schema)) add(columns.join('.'), [...columns, ...key])
  if (table.tracksChanges) add('version', [versionColumn])
  if (hasSingleton(table, service)) add('singleton', [singletonColumn], { unique: true })
  return indexes
}

type Add = (label: string, columns: readonly string[], more?: Omit<IndexPlan, 'name' | 'columns'>) => void

/** The values of a unique property, or of an alternate key, are unique among the items of one collection. */
function addUnique(columns: readonly string[], ownerNames: readonly string[], table: Table, add: Add): void {
  const name = columns.join('.')
  if (table.topLevel) add(`${name}.unique`, columns, { unique: true })
  else for (const owner of ownerNames) add(`${owner}.${name}.unique`, [owner, ...columns], { unique: true })
}

/** An entity set of one type among several needs the type column as prefix; a set of all types does not. */
function setPrefixes(table: Table, service: Service): readonly (readonly string[])[] {
  const prefixes = new Map<string, readonly string[]>()
  for (const type of readTypes(service)) {
    if (rootOf(type) !== table.root) continue
    const count = table.types.filter(candidate => derivesFrom(candidate, type)).length
    const prefix = count === 1 && table.types.length > 1 ? [typeColumn] : []
    prefixes.set(prefix.join(), prefix)
  }
  return [...prefixes.values()]
}

function readTypes(service: Service): readonly EntityType[] {
  return service.endpoints.flatMap(endpoint => (endpoint.kind === 'collection' ? [endpoint.type] : []))
}

function constraintColumns(table: Table, schema: StoreSchema): readonly (readonly string[])[] {
  const navigation = new Set(table.types.flatMap(type => type.navigation))
  return [...navigation].flatMap(property => {
    const relation = schema.relationOf(property)
    const isKept = relation.kind === 'constraint' && relation.dependent === 'source'
    return isKept ? [relation.pairs.map(pair => pair.source.name)] : []
  })
}

function hasSingleton(table: Table, service: Service): boolean {
  return service.container.some(
    element => element.kind === 'singleton' && !element.principal && rootOf(element.type) === table.root,
  )
}
