import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { type Dialect, idColumn, type Session, StoreError } from '../../../sql/index.js'
import type { Engine } from '../engines/engine.js'
import type { ColumnPlan, IndexPlan, StorePlan, TablePlan } from './plan.js'

export interface StoreIdentity {
  /** A unique id. It distinguishes the tokens of this store from those of others. */
  readonly id: string
  /** Signs the tokens of the store. */
  readonly secret: string
  /** The plan before this start; undefined if the store is new. */
  readonly before: StorePlan | undefined
}

/** The version of the tables that every store has. */
const layout = '1'

/**
 * Creates the tables of an empty store, or migrates existing ones to the plan, in one transaction.
 *
 * @param fill backfills existing items, after tables and columns are created
 * @throws {MigrationError} if adding tables and columns is not enough
 */
export function migrate(
  engine: Engine,
  plan: StorePlan,
  fill: (session: Session, identity: StoreIdentity) => Promise<void>,
): Promise<StoreIdentity> {
  return engine.maintain(async session => {
    const execute = async (text: string): Promise<void> => {
      await session.run(engine.compile(sql.raw(text)))
    }
    await lockSchema(engine, session)
    await execute('CREATE TABLE IF NOT EXISTS "_specwright" (name text PRIMARY KEY, value text NOT NULL)')
    const settings = await readSettings(engine, session)
    const found = settings.get('layout')
    if (found !== undefined && found !== layout) {
      throw new MigrationError([
        `The store has layout ${found}, but this version of Specwright supports layout ${layout} only.`,
      ])
    }
    const before = readPlan(settings.get('plan'))
    const changes = planChanges(before ?? { tables: [] }, plan)
    if (changes.conflicts.length > 0) throw new MigrationError(changes.conflicts)
    if (before === undefined) await createSharedTables(engine, execute)
    for (const table of changes.newTables.filter(({ primaryKey }) => primaryKey === undefined)) {
      await execute(createTableSql(table, engine.dialect))
    }
    for (const table of changes.newTables.filter(({ primaryKey }) => primaryKey !== undefined)) {
      await execute(createTableSql(table, engine.dialect))
    }
    for (const { name, columns, primaryKey } of changes.newTables) {
      if (primaryKey !== undefined) continue
      for (const column of columns.filter(({ references }) => references !== undefined)) {
        await execute(addColumnSql(name, column, engine.dialect))
      }
    }
    // PostgreSQL has always stored them as exact numbers.
    for (const { table, column } of engine.dialect.name === 'sqlite' ? changes.newlyExact : []) {
      await execute(`UPDATE ${quoted(table)} SET ${quoted(column)} = sortable_decimal(${quoted(column)})`)
    }
    for (const { table, column } of changes.newColumns) await execute(addColumnSql(table, column, engine.dialect))
    const id = settings.get('id') ?? randomUUID()
    const secret = settings.get('secret') ?? randomBytes(32).toString('base64url')
    const identity = { id, secret, before }
    await fill(session, identity)
    for (const index of changes.oldIndexes) await execute(dropIndexSql(index))
    for (const { name, indexes } of changes.newTables) {
      for (const index of indexes) await execute(createIndexSql(name, index, engine.dialect))
    }
    for (const { table, index } of changes.newIndexes) {
      await execute(createIndexSql(table, index, engine.dialect)).catch(error => {
        throw isNotUnique(error) ? new MigrationError([notUnique(table, index)]) : error
      })
    }
    await writeSettings(engine, session, { layout, id, secret, plan: JSON.stringify(changes.result) })
    return identity
  })
}

function isNotUnique(error: unknown): boolean {
  return error instanceof StoreError && error.kind === 'unique'
}

function notUnique(table: string, { columns }: IndexPlan): string {
  const names = columns.filter(name => !name.startsWith('$')).map(name => `${table}/${name}`)
  return `${names.join(' and ')} must now be unique, but some items have the same value.`
}

/**
 * `$change`: the last change number of each table with a counter, so that numbers are assigned in the order in which they
 * become visible. `$removed`: removed items, for callers who track changes.
 */
async function createSharedTables({ dialect }: Engine, execute: (text: string) => Promise<void>): Promise<void> {
  const text = dialect.columnType('text')
  const integer = dialect.columnType('integer')
  await execute(`CREATE TABLE "$change" ("table" ${text} PRIMARY KEY, last ${integer} NOT NULL)`)
  await execute(
    `CREATE TABLE "$removed" ("table" ${text} NOT NULL, version ${integer} NOT NULL, type ${text} NOT NULL,
     home ${text}, owner ${integer}, keys ${text} NOT NULL, at ${text} NOT NULL, PRIMARY KEY ("table", version))`,
  )
}

/** The settings of the store, by name. */
export async function readSettings(engine: Engine, session: Session): Promise<ReadonlyMap<string, string>> {
  const rows = await session.all(engine.compile(sql`SELECT name, value FROM ${sql.id('_specwright')}`))
  return new Map(rows.map(([name, value]) => [String(name), String(value)]))
}

export async function writeSettings(
  engine: Engine,
  session: Session,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const { bind } = engine.dialect
  for (const [name, value] of Object.entries(settings)) {
    const insert = sql`INSERT INTO ${sql.id('_specwright')} (name, value) VALUES (${bind(name, 'text')}, ${bind(value, 'text')})
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`
    await session.run(engine.compile(insert))
  }
}

/** An arbitrary number for the advisory lock. */
const schemaLock = 7_361_909_285_113

/** Of several processes that start together, one migrates. An embedded engine has only one writer. */
export async function lockSchema({ dialect, compile }: Engine, session: Session): Promise<void> {
  if (dialect.name !== 'postgres') return
  await session.run(compile(sql`SELECT pg_advisory_xact_lock(${sql.lit(schemaLock)})`))
}

/** The plan stored in the database. The store wrote it, so that only its outer shape is checked. */
function readPlan(text: string | undefined): StorePlan | undefined {
  if (text === undefined) return undefined
  const plan: unknown = JSON.parse(text)
  if (isPlan(plan)) return plan
  throw new TypeError('The row "plan" of the table "_specwright" is damaged.')
}

function isPlan(value: unknown): value is StorePlan {
  return typeof value === 'object' && value !== null && 'tables' in value && Array.isArray(value.tables)
}

/** The store has data that the current spec does not allow. Nothing was changed. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
  /** One sentence for each reason. */
  readonly reasons: readonly string[]

  constructor(reasons: readonly string[]) {
    super(
      `The store was created for a different version of the spec, and cannot be migrated to this one by adding tables and columns. ${reasons.join(' ')} ` +
        'Load the data into an empty store, or change the data by hand.',
    )
    this.reasons = reasons
  }
}

/** Creates a table without references to other tables. These are added when all tables exist. */
function createTableSql({ name, columns, primaryKey }: TablePlan, dialect: Dialect): string {
  const defined = columns
    .filter(column => column.references === undefined || primaryKey !== undefined)
    .map(column => (column.name === idColumn ? `${quoted(idColumn)} ${dialect.idType}` : columnSql(column, dialect)))
  const key = primaryKey === undefined ? [] : [`PRIMARY KEY (${primaryKey.map(quoted).join(', ')})`]
  const compact = primaryKey !== undefined && dialect.name === 'sqlite' ? ' WITHOUT ROWID' : ''
  return `CREATE TABLE ${quoted(name)} (${[...defined, ...key].join(', ')})${compact}`
}

function addColumnSql(table: string, column: ColumnPlan, dialect: Dialect): string {
  return `ALTER TABLE ${quoted(table)} ADD COLUMN ${columnSql(column, dialect)}`
}

function createIndexSql(table: string, index: IndexPlan, dialect: Dialect): string {
  const nulls = dialect.name === 'postgres' && index.unique !== true ? ' ASC NULLS FIRST' : ''
  const columns = index.columns.map(column => `${quoted(column)}${nulls}`).join(', ')
  const where =
    index.whereNull === undefined
      ? ''
      : ` WHERE ${index.whereNull.map(column => `${quoted(column)} IS NULL`).join(' AND ')}`
  const unique = index.unique === true ? 'UNIQUE ' : ''
  return `CREATE ${unique}INDEX ${quoted(indexName(index))} ON ${quoted(table)} (${columns})${where}`
}

function dropIndexSql(index: IndexPlan): string {
  return `DROP INDEX IF EXISTS ${quoted(indexName(index))}`
}

/** Quotes an SQL identifier. */
function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** PostgreSQL truncates names to 63 bytes, which could make two names equal. */
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

/** The changes from one plan to another. */
interface PlanChanges {
  readonly newTables: readonly TablePlan[]
  readonly newColumns: readonly { readonly table: string; readonly column: ColumnPlan }[]
  readonly newIndexes: readonly { readonly table: string; readonly index: IndexPlan }[]
  readonly oldIndexes: readonly IndexPlan[]
  /** Columns of decimal numbers that were stored as floating-point numbers. */
  readonly newlyExact: readonly { readonly table: string; readonly column: string }[]
  /** Changes that need a decision about the data, one sentence each. */
  readonly conflicts: readonly string[]
  /** The plan after the migration. It keeps what the spec no longer has. */
  readonly result: StorePlan
}

/**
 * Compares the current plan with the required one. Tables, columns and indexes are added, and obsolete indexes are dropped.
 * Columns and tables are never dropped, because they may contain data.
 */
export function planChanges(current: StorePlan, required: StorePlan): PlanChanges {
  const known = new Map(current.tables.map(table => [table.name, table]))
  const kept = required.tables.flatMap(table => {
    const before = known.get(table.name)
    return before === undefined ? [] : [{ before, table }]
  })
  return {
    newTables: required.tables.filter(table => !known.has(table.name)),
    newColumns: kept.flatMap(({ before, table }) =>
      table.columns
        .filter(column => columnNamed(before, column.name) === undefined)
        .map(column => ({ table: table.name, column })),
    ),
    newIndexes: kept.flatMap(({ before, table }) =>
      table.indexes.filter(index => !hasIndex(before, index)).map(index => ({ table: table.name, index })),
    ),
    oldIndexes: kept.flatMap(({ before, table }) => before.indexes.filter(index => !hasIndex(table, index))),
    newlyExact: kept.flatMap(({ before, table }) =>
      table.columns
        .filter(column => isNewlyExact(columnNamed(before, column.name), column))
        .map(column => ({ table: table.name, column: column.name })),
    ),
    conflicts: kept.flatMap(({ before, table }) => conflictsOf(before, table)),
    result: {
      tables: [
        ...required.tables.map(table => withOldColumns(table, known.get(table.name))),
        ...current.tables.filter(table => !required.tables.some(({ name }) => name === table.name)),
      ],
    },
  }
}

function columnNamed(table: TablePlan, name: string): ColumnPlan | undefined {
  return table.columns.find(column => column.name === name)
}

function isNewlyExact(old: ColumnPlan | undefined, column: ColumnPlan): boolean {
  return old?.storage === 'decimal' && column.storage === 'exact'
}

function hasIndex(table: TablePlan, index: IndexPlan): boolean {
  return table.indexes.some(other => JSON.stringify(other) === JSON.stringify(index))
}

function withOldColumns(table: TablePlan, before: TablePlan | undefined): TablePlan {
  const old = before?.columns.filter(column => columnNamed(table, column.name) === undefined) ?? []
  return old.length === 0 ? table : { ...table, columns: [...table.columns, ...old] }
}

function conflictsOf(before: TablePlan, after: TablePlan): readonly string[] {
  return after.columns.flatMap(column => {
    const old = columnNamed(before, column.name)
    return old === undefined ? [] : columnConflicts(after.name, old, column)
  })
}

function columnConflicts(table: string, old: ColumnPlan, column: ColumnPlan): readonly string[] {
  const name = `${table}/${column.name}`
  const refusals: string[] = []
  if (old.storage !== column.storage && !isNewlyExact(old, column)) {
    refusals.push(`${name} is stored as ${old.storage}, but the spec now requires ${column.storage}.`)
  }
  if (old.references?.table !== column.references?.table) {
    refusals.push(
      `${name} refers to ${old.references?.table ?? 'nothing'}, but now to ${column.references?.table ?? 'nothing'}.`,
    )
  }
  for (const [member, number] of Object.entries(old.members ?? {})) {
    const now =
      column.members === undefined || !Object.hasOwn(column.members, member) ? undefined : column.members[member]
    if (now !== number) refusals.push(`${name}: the member ${member} was ${number}, now it is ${now ?? 'gone'}.`)
  }
  return refusals
}
