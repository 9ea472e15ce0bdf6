import { sql } from 'kysely'
import type { Session } from '../engine/engine.js'
import { oncePerStore } from '../once-per-store.js'
import { storedTypeOfProperty } from '../schema/storage.js'
import type { Table } from '../schema/store-schema.js'
import type { Store } from '../store.js'

/**
 * Numbers for the next changes of a table: what entity tags are made from, and what those who follow changes ask for. Where
 * somebody may, numbers are handed out until the transaction ends, so that no smaller one can become visible later; where
 * nobody does, writers need not wait for each other.
 *
 * @returns `count` numbers, rising
 */
export async function reserveVersions(
  store: Store,
  session: Session,
  table: Table,
  count: number,
): Promise<readonly number[]> {
  const { counted, drawn } = statements(store)
  if (isDrawn(store, table)) {
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
 * Whether a sequence numbers a table's changes. Those of tables whose keys are numbers are counted, too: keys are counted
 * under the same lock. An embedded engine has one writer at a time anyway.
 */
export function isDrawn({ engine }: Pick<Store, 'engine'>, { tracked, root }: Table): boolean {
  const hasTextKey = root.key.every(property => ['string', 'guid'].includes(storedTypeOfProperty(property).kind))
  return engine.dialect.name === 'postgres' && !tracked && hasTextKey
}

/** Name of the sequence that numbers the changes of a table which nobody follows. */
export function versionSequence({ name }: Table): string {
  return `${name}$version`
}

const statements = oncePerStore(({ engine, slot }) => {
  const changes = sql.id('$change')
  const count = slot('count', 'integer')
  return {
    counted: engine.compile(
      sql`INSERT INTO ${changes} AS c ("table", last) VALUES (${slot('table', 'text')}, ${count})
        ON CONFLICT ("table") DO UPDATE SET last = c.last + excluded.last RETURNING last`,
    ),
    drawn: engine.compile(
      sql`SELECT nextval(quote_ident(${slot('sequence', 'text')})) FROM generate_series(1, ${count})`,
    ),
  }
})
