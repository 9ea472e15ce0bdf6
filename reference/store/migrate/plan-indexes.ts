import type { EntityType, Service } from '../../../spec/language/index.js'
import { isDerived, rootOf } from '../schema/is-derived.js'
import {
  type Column,
  type StoreSchema,
  singletonColumn,
  type Table,
  typeColumn,
  versionColumn,
} from '../schema/store-schema.js'
import type { IndexPlan } from './table-plan.js'

/**
 * The indexes of a table. Every collection is read in some order within its own items: those of one owner, of one set of a
 * type that shares its table, or all. Each index therefore begins with what tells these items apart.
 */
export function planIndexes(table: Table, schema: StoreSchema, service: Service): readonly IndexPlan[] {
  const key = table.root.key.map(property => table.columnOf(property).name)
  const ownerNames = table.owners.map(owner => owner.name)
  const indexes: IndexPlan[] = []
  const add = (label: string, columns: readonly string[], more: Omit<IndexPlan, 'name' | 'columns'> = {}): void => {
    const distinct = [...new Set(columns)]
    // Items without a key are met one at a time, and never looked up by one.
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
  for (const owner of ownerNames) add(`${owner}.key`, [owner, ...key], { unique: true })
  const prefixes = [...ownerNames.map(name => [name]), ...(table.topLevel ? setPrefixes(table, service) : [])]
  for (const prefix of prefixes) if (prefix[0] === typeColumn) add('set', [...prefix, ...key])
  for (const column of table.columns) {
    const { property } = column
    if (property.unique && !table.root.key.includes(property)) addUnique(column, ownerNames, table, add)
    if (!property.index || property.collection) continue
    for (const prefix of prefixes) add([...prefix, column.name].join('.'), [...prefix, column.name, ...key])
  }
  for (const reference of table.references) add(reference.name, [reference.name, ...key])
  for (const columns of constraintColumns(table, schema)) add(columns.join('.'), [...columns, ...key])
  if (table.tracked) add('version', [versionColumn])
  if (hasSingleton(table, service)) add('singleton', [singletonColumn], { unique: true })
  return indexes
}

type Add = (label: string, columns: readonly string[], more?: Omit<IndexPlan, 'name' | 'columns'>) => void

/** What is unique is so among the items of one collection. */
function addUnique({ name }: Column, ownerNames: readonly string[], table: Table, add: Add): void {
  if (table.topLevel) add(`${name}.unique`, [name], { unique: true })
  else for (const owner of ownerNames) add(`${owner}.${name}.unique`, [owner, name], { unique: true })
}

/** Sets whose items are of one type among several are told by it; a set of all types needs nothing. */
function setPrefixes(table: Table, service: Service): readonly (readonly string[])[] {
  const prefixes = new Map<string, readonly string[]>()
  for (const type of readTypes(service)) {
    if (rootOf(type) !== table.root) continue
    const count = table.types.filter(candidate => isDerived(candidate, type)).length
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
