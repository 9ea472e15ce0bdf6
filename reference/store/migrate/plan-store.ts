import type { Service } from '../../../spec/language/index.js'
import { isOpen } from '../schema/open-members.js'
import { storageOf } from '../schema/storage.js'
import {
  type Column,
  idColumn,
  type LinkTable,
  openColumn,
  type StoreSchema,
  singletonColumn,
  type Table,
  typeColumn,
  versionColumn,
  type WordTable,
} from '../schema/store-schema.js'
import { planIndexes } from './plan-indexes.js'
import type { ColumnPlan, StorePlan, TablePlan } from './table-plan.js'

/** The tables that a schema needs. */
export function planStore(schema: StoreSchema, service: Service): StorePlan {
  return {
    tables: [
      ...schema.tables.map(table => planTable(table, schema, service)),
      ...schema.tables.flatMap(table => (table.words === undefined ? [] : [planWords(table, table.words)])),
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
    ...(isOpen(table) ? [{ name: openColumn, storage: 'text' as const }] : []),
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
