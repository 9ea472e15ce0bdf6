import type { Dialect } from '../dialect/dialect.js'
import { idColumn } from '../schema/store-schema.js'
import type { ColumnPlan, IndexPlan, TablePlan } from './table-plan.js'

/** SQL that makes a table without the columns that refer to other tables: those come when all tables are there. */
export function createTableSql({ name, columns, primaryKey }: TablePlan, dialect: Dialect): string {
  const defined = columns
    .filter(column => column.references === undefined || primaryKey !== undefined)
    .map(column => (column.name === idColumn ? `${quoted(idColumn)} ${dialect.idType}` : columnSql(column, dialect)))
  const key = primaryKey === undefined ? [] : [`PRIMARY KEY (${primaryKey.map(quoted).join(', ')})`]
  const compact = primaryKey !== undefined && dialect.name === 'sqlite' ? ' WITHOUT ROWID' : ''
  return `CREATE TABLE ${quoted(name)} (${[...defined, ...key].join(', ')})${compact}`
}

/** SQL that adds a column to a table that is there. */
export function addColumnSql(table: string, column: ColumnPlan, dialect: Dialect): string {
  return `ALTER TABLE ${quoted(table)} ADD COLUMN ${columnSql(column, dialect)}`
}

/** SQL that makes an index. */
export function createIndexSql(table: string, index: IndexPlan, dialect: Dialect): string {
  const nulls = dialect.name === 'postgres' && index.unique !== true ? ' ASC NULLS FIRST' : ''
  const columns = index.columns.map(column => `${quoted(column)}${nulls}`).join(', ')
  const where =
    index.whereNull === undefined
      ? ''
      : ` WHERE ${index.whereNull.map(column => `${quoted(column)} IS NULL`).join(' AND ')}`
  const unique = index.unique === true ? 'UNIQUE ' : ''
  return `CREATE ${unique}INDEX ${quoted(indexName(index))} ON ${quoted(table)} (${columns})${where}`
}

export function dropIndexSql(index: IndexPlan): string {
  return `DROP INDEX IF EXISTS ${quoted(indexName(index))}`
}

/** A name in SQL: everything but its own sign is plain inside quotes. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** PostgreSQL cuts names after 63 bytes, which could make two of them one. */
function indexName({ name }: IndexPlan): string {
  if (new TextEncoder().encode(name).byteLength <= 60) return name
  let hash = 0
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 0xff_ff_ff_fb
  return `${name.slice(0, 24)}~${hash.toString(36)}`
}

function columnSql({ name, storage, required, references }: ColumnPlan, dialect: Dialect): string {
  const target =
    references === undefined
      ? ''
      : ` REFERENCES ${quoted(references.table)} (${quoted(idColumn)}) ON DELETE ${references.onDelete.toUpperCase()}`
  return `${quoted(name)} ${dialect.columnType(storage)}${required === true ? ' NOT NULL' : ''}${target}`
}
