import { sql } from 'kysely'
import type { Expression } from '../../runtime/query/index.js'
import { type AnyCall, boundedMap } from '../../runtime/server/index.js'
import { idColumn, itemsUpTo, queryContext, rowBytes, rowMapper, type Scope, type Table } from '../../sql/index.js'
import { placeholderValues } from '../handlers/handler-context.js'
import { runRead } from '../handlers/request-faults.js'
import type { Store } from '../store/store.js'

/** What a table has, roughly. */
export interface TableSize {
  /** Not fewer than the rows: the last `$id` that was given. */
  readonly rows: number
  /** The average bytes of a row, from a sample. */
  readonly rowBytes: number
}

/** The sizes of the tables of a store. They are kept, and read again from time to time. */
interface TableStatistics {
  /** The last known size; undefined if the table was never measured. An old size is measured again in the background. */
  readonly known: (table: Table) => TableSize | undefined
  readonly measure: (table: Table) => Promise<TableSize>
}

/** Milliseconds for which a size is current. */
const lifetime = 10_000
/** The newest rows are the sample. */
const sampleSize = 100
/** The bytes of a row besides its texts. */
const shortBytes = 100

export function tableStatistics(store: Store): TableStatistics {
  const { engine } = store
  const sizes = new Map<Table, { readonly size: TableSize; readonly at: number }>()
  const running = new Map<Table, Promise<TableSize>>()
  const read = async (table: Table): Promise<TableSize> => {
    const from = sql`FROM ${sql.id(table.name)} AS ${sql.id('t')}`
    const id = sql.id('t', idColumn)
    const bytes = rowBytes(rowMapper(table, table.root, 'all').sized, 't')
    const sample = sql`SELECT ${bytes} AS ${sql.id('size')} ${from} ORDER BY ${id} DESC LIMIT ${sql.lit(sampleSize)}`
    return runRead(store, async session => {
      const [last] = await session.all(engine.compile(sql`SELECT max(${id}) ${from}`))
      const [average] = await session.all(
        engine.compile(sql`SELECT avg(${sql.id('size')}) FROM (${sample}) AS ${sql.id('sample')}`),
      )
      return { rows: Number(last?.[0] ?? 0), rowBytes: Number(average?.[0] ?? 0) + shortBytes }
    })
  }
  const measure = (table: Table): Promise<TableSize> => {
    const started = running.get(table)
    if (started !== undefined) return started
    const measuring = read(table)
      .then(size => {
        sizes.set(table, { size, at: performance.now() })
        return size
      })
      .finally(() => running.delete(table))
    running.set(table, measuring)
    return measuring
  }
  return {
    known: table => {
      const found = sizes.get(table)
      // If it cannot be read now, the request itself fails, or the old size stays.
      if (found !== undefined && performance.now() - found.at > lifetime) measure(table).catch(() => undefined)
      return found?.size
    },
    measure,
  }
}

/**
 * Counts the rows that an index finds for a read.
 *
 * @returns undefined: no index finds them, or they are more than a cheap read may visit
 */
export type MatchCount = (
  call: Pick<AnyCall, 'keys' | 'parameters' | 'principal' | 'template'>,
  conditions: readonly Expression[],
) => Promise<number | undefined>

/** A read that visits more rows is not cheap. */
const maxMatches = 2_000
/** The conditions of a query that are counted: each count takes as long as a cheap read. */
const maxConditions = 3
/** The counts that are kept for a route. */
const maxCounts = 1_000

/**
 * Prepares to count the rows of a scope that meet the most selective of some conditions, each of which has an index. An index
 * also finds the items of an owner. The counts are kept as long as the sizes of tables.
 */
export function matchStatistics(scope: Scope, store: Store): MatchCount {
  const counts = boundedMap<{ readonly count: number; readonly at: number }>(maxCounts)
  const isOwned = scope.parent?.relation.kind === 'contained'
  return async (call, conditions) => {
    const values = placeholderValues(call, store)
    let least: number | undefined
    for (const condition of [...(isOwned ? [undefined] : []), ...conditions].slice(0, maxConditions)) {
      const key = JSON.stringify([call.principal.id, call.keys, call.parameters, condition], textOfBigInt)
      let known = counts.get(key)
      if (known === undefined || performance.now() - known.at > lifetime) {
        const read = itemsUpTo(maxMatches + 1, scope, condition, queryContext(undefined), store)
        known = { count: await runRead(store, session => read(session, values)), at: performance.now() }
        counts.set(key, known)
      }
      if (known.count <= maxMatches) least = Math.min(known.count, least ?? known.count)
    }
    return least
  }
}

function textOfBigInt(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
