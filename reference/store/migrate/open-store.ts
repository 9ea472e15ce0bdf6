import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Engine, Session } from '../engine/engine.js'
import { StoreError } from '../engine/store-error.js'
import { addColumnSql, createIndexSql, createTableSql, dropIndexSql } from './definition-sql.js'
import { lockMaking } from './making-lock.js'
import { MigrationError } from './migration-error.js'
import { planChanges } from './plan-changes.js'
import { readPlan } from './read-plan.js'
import type { IndexPlan, StorePlan } from './table-plan.js'

/** What a store knows of itself. */
export interface StoreIdentity {
  /** Names this store among all: tokens of another one are told apart by it. */
  readonly id: string
  /** Signs the tokens that the store gives out. */
  readonly secret: string
  /** The plan before this start; undefined: the store was made now. */
  readonly before: StorePlan | undefined
}

/** Version of the tables that all stores have. */
const layout = '1'

/**
 * Makes the tables of an empty store, or brings those that are there up to the plan, in one transaction: a store is never
 * found half-way.
 *
 * @param fill gives the items that are there what they lack, once the tables and columns are made
 * @throws {MigrationError} when that takes more than adding
 */
export function openStore(
  engine: Engine,
  wanted: StorePlan,
  fill: (session: Session, identity: StoreIdentity) => Promise<void>,
): Promise<StoreIdentity> {
  return engine.maintain(async session => {
    const execute = async (text: string): Promise<void> => {
      await session.run(engine.compile(sql.raw(text)))
    }
    await lockMaking(engine, session)
    await execute('CREATE TABLE IF NOT EXISTS "_specwright" (name text PRIMARY KEY, value text NOT NULL)')
    const settings = await readSettings(engine, session)
    const found = settings.get('layout')
    if (found !== undefined && found !== layout) {
      throw new MigrationError([`The store has layout ${found}; this version of Specwright knows ${layout}.`])
    }
    const before = readPlan(settings.get('plan'))
    const changes = planChanges(before ?? { tables: [] }, wanted)
    if (changes.refusals.length > 0) throw new MigrationError(changes.refusals)
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
  return error instanceof StoreError && error.problem === 'unique'
}

function notUnique(table: string, { columns }: IndexPlan): string {
  const names = columns.filter(name => !name.startsWith('$')).map(name => `${table}/${name}`)
  return `${names.join(' and ')} must be unique now, but items have the same value.`
}

/**
 * `$change`: the last change of each table that counts its changes, so that numbers are handed out in the order in which
 * they become visible. `$removed`: items that are gone, for those who follow changes.
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

async function readSettings(engine: Engine, session: Session): Promise<ReadonlyMap<string, string>> {
  const rows = await session.all(engine.compile(sql`SELECT name, value FROM ${sql.id('_specwright')}`))
  return new Map(rows.map(([name, value]) => [String(name), String(value)]))
}

async function writeSettings(
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
