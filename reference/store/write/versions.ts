import { type RawBuilder, sql } from 'kysely'
import type { Table } from '../../../sql/index.js'
import { Placeholder, type Session, type Sql, type Storage, storedTypeOfProperty } from '../../../sql/index.js'
import type { Engine } from '../engines/engine.js'
import { lockSchema } from '../migrations/migrate.js'
import type { Store } from '../store.js'

interface StatementMaker {
  readonly engine: Engine
  /** A placeholder with a storage class. */
  readonly placeholder: (name: string, storage: Storage) => Sql
}

/** Creates a value once per store, on first use. */
function oncePerStore<Value>(make: (maker: StatementMaker) => Value): (store: { readonly engine: Engine }) => Value {
  const made = new WeakMap<Engine, { readonly value: Value }>()
  return ({ engine }) => {
    const known = made.get(engine)
    if (known !== undefined) return known.value
    const value = make({ engine, placeholder: (name, storage) => engine.dialect.bind(new Placeholder(name), storage) })
    made.set(engine, { value })
    return value
  }
}

/**
 * Reserves numbers for the next changes of a table. Entity tags and delta links use them. If callers track the changes of the
 * table, the numbers are locked until the transaction ends, so that no smaller number becomes visible later. Otherwise
 * writers don't wait for each other.
 *
 * @returns `count` ascending numbers
 */
export async function reserveVersions(
  store: Store,
  session: Session,
  table: Table,
  count: number,
): Promise<readonly number[]> {
  const { counted, drawn } = statements(store)
  if (usesSequence(store, table)) {
    const rows = await session.all(drawn, { sequence: versionSequence(table), count })
    return rows.map(([version]) => Number(version))
  }
  const [row] = await session.all(counted, { table: table.name, count })
  const last = Number(row?.[0])
  return Array.from({ length: count }, (_, index) => last - count + 1 + index)
}

/** The number of the next change of a table. */
export async function nextVersion(store: Store, session: Session, table: Table): Promise<number> {
  const [version = 0] = await reserveVersions(store, session, table, 1)
  return version
}

/**
 * Whether a sequence numbers the changes of a table. Tables with numeric keys use the counter instead, because their keys are
 * assigned under the same lock. An embedded engine has only one writer.
 */
function usesSequence({ engine }: Pick<Store, 'engine'>, { tracksChanges: tracked, root }: Table): boolean {
  const hasTextKey = root.key.every(property => ['string', 'guid'].includes(storedTypeOfProperty(property).kind))
  return engine.dialect.name === 'postgres' && !tracked && hasTextKey
}

/** The name of the sequence for a table whose changes are not tracked. */
function versionSequence({ name }: Table): string {
  return `${name}$version`
}

const statements = oncePerStore(({ engine, placeholder }) => {
  const changes = sql.id('$change')
  const count = placeholder('count', 'integer')
  return {
    counted: engine.compile(
      sql`INSERT INTO ${changes} AS c ("table", last) VALUES (${placeholder('table', 'text')}, ${count})
        ON CONFLICT ("table") DO UPDATE SET last = c.last + excluded.last RETURNING last`,
    ),
    drawn: engine.compile(
      sql`SELECT nextval(quote_ident(${placeholder('sequence', 'text')})) FROM generate_series(1, ${count})`,
    ),
  }
})

/**
 * Creates the version sequences and moves each counter past the largest number that its table ever had. The store may come
 * from a version with different counters or from another engine, and the spec may have started or stopped tracking changes.
 */
export async function alignVersionSequences(store: Store): Promise<void> {
  if (store.engine.dialect.name !== 'postgres') return
  await store.engine.maintain(async session => {
    await lockSchema(store.engine, session)
    for (const table of store.schema.tables) await align(table, store, session)
  })
}

async function align(table: Table, store: Store, session: Session): Promise<void> {
  const run = (text: RawBuilder<unknown>) => session.all(store.engine.compile(text))
  const name = versionSequence(table)
  const sequence = sql.id(name)
  const [found] = await run(sql`SELECT 1 FROM pg_class WHERE oid = to_regclass(quote_ident(${name}::text))`)
  if (found === undefined) {
    await run(sql`CREATE SEQUENCE ${sequence} MINVALUE 0 START 0 OWNED BY ${sql.id(table.name, '$version')}`)
    await run(sql`SELECT nextval(quote_ident(${name}::text))`)
  }
  // Don't move counters back: other processes may be using them.
  const counted = sql`SELECT last FROM ${sql.id('$change')} WHERE "table" = ${table.name}::text`
  const drawn = sql`SELECT last_value FROM ${sequence}`
  if (usesSequence(store, table)) {
    await run(
      sql`SELECT setval(quote_ident(${name}::text), c.last) FROM (${counted}) AS c, ${sequence} AS s WHERE c.last > s.last_value`,
    )
  } else {
    await run(
      sql`INSERT INTO ${sql.id('$change')} AS c ("table", last)
        SELECT ${table.name}::text, last_value FROM (${drawn}) AS s WHERE last_value > coalesce((${counted}), 0)
        ON CONFLICT ("table") DO UPDATE SET last = greatest(c.last, excluded.last)`,
    )
  }
}
