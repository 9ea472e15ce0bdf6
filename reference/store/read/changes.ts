import { sql } from 'kysely'
import type { QueryOptions } from '../../../runtime/query/index.js'
import { derivesFrom } from '../../../spec/language/index.js'
import { mergeValues, Placeholder, type PlaceholderValues, type Session, type Sql } from '../engines/engine.js'
import { versionColumn } from '../schema/schema.js'
import { allOf } from '../sql-conditions.js'
import type { Store } from '../store.js'
import { decoderFor } from '../values/codec.js'
import { columnReader, type Scope } from './scope.js'
import { rowMapper } from './stored-item.js'

/** Reads the changes of the items of a scope. */
interface ChangePlan {
  /** The number of the last visible change. */
  readonly latest: (session: Session) => Promise<number>
  /** The changes in a range, in order. */
  readonly changes: (session: Session, values: PlaceholderValues, range: ChangeRange) => Promise<readonly Change[]>
}

interface ChangeRange {
  readonly after: number
  readonly until: number
  readonly limit: number
  /** Whether to include removed items. A caller who starts from scratch knows of none. */
  readonly removals: boolean
}

interface Change {
  readonly version: number
  readonly entity: Readonly<Record<string, unknown>>
}

const alias = 't'

/** Compiles the changes of a scope: the current state of changed items, and the keys of removed ones. */
export function changePlan(scope: Scope, options: QueryOptions, store: Store): ChangePlan {
  const { engine } = store
  const { bind } = engine.dialect
  const { table } = scope
  const shape = rowMapper(table, scope.type, options.select)
  const after = bind(new Placeholder('after'), 'integer')
  const until = bind(new Placeholder('until'), 'integer')
  const limit = bind(new Placeholder('limit'), 'integer')
  const version = sql`${sql.id(alias, versionColumn)}`
  const within = (column: Sql): Sql => sql`${column} > ${after} AND ${column} <= ${until}`
  const changed = engine.compile(
    sql`SELECT ${version}, ${sql.join(shape.columns(alias, engine.dialect))} FROM ${sql.id(table.name)} AS ${sql.id(alias)}
      WHERE ${allOf([within(version), scope.where(alias)])} ORDER BY ${version} LIMIT ${limit}`,
  )
  const removed = engine.compile(
    sql`SELECT version, keys FROM ${sql.id('$removed')}
      WHERE ${allOf([sql`"table" = ${bind(table.name, 'text')}`, within(sql`version`), ...placeOf(scope, store)])}
      ORDER BY version LIMIT ${limit}`,
  )
  const latest = engine.compile(sql`SELECT last FROM ${sql.id('$change')} WHERE "table" = ${bind(table.name, 'text')}`)
  return {
    latest: async session => Number((await session.all(latest))[0]?.[0] ?? 0),
    changes: async (session, values, { removals, ...range }) => {
      const bound = mergeValues(values, range)
      const rows = await session.all(changed, bound)
      const gone = removals ? await session.all(removed, bound) : []
      const found: readonly Change[] = [
        ...rows.map(row => ({ version: Number(row[0]), entity: shape.decode(row, 1).entity })),
        ...gone.map(row => ({ version: Number(row[0]), entity: removedEntity(scope, row[1]) })),
      ]
      return [...found].sort((left, right) => left.version - right.version).slice(0, range.limit)
    },
  }
}

/** The removed items of the scope: those with one of its types, in the same owner. */
function placeOf(scope: Scope, { engine }: Store): readonly Sql[] {
  const { bind } = engine.dialect
  const types = scope.table.types.filter(type => derivesFrom(type, scope.type)).map(type => bind(type.name, 'text'))
  const ofType = sql`type IN (${sql.join(types)})`
  const { parent } = scope
  if (parent?.relation.kind !== 'contained') return [ofType]
  const owner = columnReader(parent.scope, 'p')('$id')
  return [ofType, sql`home = ${bind(parent.relation.column, 'text')}`, sql`owner = ${owner}`]
}

function removedEntity({ type, table }: Scope, keys: unknown): Change['entity'] {
  const values: unknown = typeof keys === 'string' ? JSON.parse(keys) : []
  const list: readonly unknown[] = Array.isArray(values) ? values : []
  const members = type.key.map((property, index) => {
    return [property.name, decoderFor(table.columnOf(property).type)(list[index])] as const
  })
  return { '@removed': { reason: 'deleted' }, ...Object.fromEntries(members) }
}

/** How long a delta link is valid, in milliseconds. Older removals are purged. */
export const deltaRetention = 7 * 24 * 60 * 60 * 1000

/** Purges removals that no valid delta link can report. */
export async function purgeRemovals({ engine, now }: Store): Promise<void> {
  const before = new Date(now().getTime() - deltaRetention).toISOString()
  const old = sql`DELETE FROM ${sql.id('$removed')} WHERE at < ${engine.dialect.bind(before, 'text')}`
  await engine.maintain(async session => session.run(engine.compile(old)))
}
