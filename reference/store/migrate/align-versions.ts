import { type RawBuilder, sql } from 'kysely'
import type { Session } from '../engine/engine.js'
import type { Table } from '../schema/store-schema.js'
import type { Store } from '../store.js'
import { isDrawn, versionSequence } from '../write/reserve-versions.js'
import { lockMaking } from './making-lock.js'

/**
 * Makes the sequences that number changes, and lets each table go on behind the largest number that it ever had: a store
 * may have been made by a version that counted in another way, been copied from another engine, or its spec may tell
 * changes since, or no longer.
 */
export async function alignVersions(store: Store): Promise<void> {
  if (store.engine.dialect.name !== 'postgres') return
  await store.engine.maintain(async session => {
    await lockMaking(store.engine, session)
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
  // What is behind already may be counted on by other processes at this moment: it is left alone.
  const counted = sql`SELECT last FROM ${sql.id('$change')} WHERE "table" = ${table.name}::text`
  const drawn = sql`SELECT last_value FROM ${sequence}`
  if (isDrawn(store, table)) {
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
