import { sql } from 'kysely'
import type { QueryOptions } from '../../../runtime/query/index.js'
import { derivesFrom } from '../../../spec/language/index.js'
import {
  allOf,
  type ByteLimit,
  byteValues,
  columnReader,
  decoderFor,
  firstByteLimit,
  limitedRows,
  maxRowBytes,
  mergeValues,
  type NamedColumn,
  namedColumn,
  Placeholder,
  type PlaceholderValues,
  rowMapper,
  type Scope,
  type Session,
  type Sql,
  type Statement,
  totalBytes,
  versionColumn,
  withGuard,
} from '../../../sql/index.js'
import { lockSchema, readSettings, writeSettings } from '../migrations/migrate.js'
import type { Store } from '../store.js'

/** Reads the changes of the items of a scope. */
interface ChangePlan {
  readonly limits: (session: Session) => Promise<ChangeLimits>
  /** The changes in a range, in order, as far as the limit of bytes allows. */
  readonly changes: (session: Session, values: PlaceholderValues, range: ChangeRange) => Promise<Changes>
}

/** The changes that can be read. */
interface ChangeLimits {
  /** The number of the last visible change. */
  readonly latest: number
  /** The number of the last removal that is purged; 0 if none is. */
  readonly purged: number
}

interface ChangeRange {
  readonly after: number
  readonly until: number
  readonly limit: number
  /** The bytes of the items. There is at least one. */
  readonly bytes: number
  /** Whether to include removed items. A caller who starts from scratch knows of none. */
  readonly removals: boolean
}

interface Changes {
  readonly found: readonly Change[]
  /** Whether more changes follow that have no room. */
  readonly isCut: boolean
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
  const columns = shape.columns(alias, engine.dialect)
  const rest = sql`FROM ${sql.id(table.name)} AS ${sql.id(alias)}
      WHERE ${allOf([within(version), scope.where(alias)])} ORDER BY ${version} LIMIT ${limit}`
  const select = (named: readonly NamedColumn[]): Sql => sql`SELECT ${sql.join(named.map(namedColumn))} ${rest}`
  const source = { table: table.name, alias, sized: shape.sized, select }
  const changed: Partial<Record<ByteLimit, Statement>> = {}
  const statementOf = (way: ByteLimit): Statement => {
    const statement =
      changed[way] ??
      engine.compile(
        way === 'none'
          ? sql`SELECT ${version}, ${sql.join(columns)} ${rest}`
          : limitedRows([{ name: 'version', value: version }], columns, source, way, engine.dialect),
      )
    changed[way] = statement
    return statement
  }
  const longest = maxRowBytes(shape.sized)
  const removed = engine.compile(
    sql`SELECT version, keys FROM ${sql.id('$removed')}
      WHERE ${allOf([sql`"table" = ${bind(table.name, 'text')}`, within(sql`version`), ...placeOf(scope, store)])}
      ORDER BY version LIMIT ${limit}`,
  )
  const purged = bind(purgedSetting(table.name), 'text')
  const limits = engine.compile(
    sql`SELECT last, (SELECT value FROM ${sql.id('_specwright')} WHERE name = ${purged})
      FROM ${sql.id('$change')} WHERE "table" = ${bind(table.name, 'text')}`,
  )
  return {
    limits: async session => {
      const [row] = await session.all(limits)
      return { latest: Number(row?.[0] ?? 0), purged: Number(row?.[1] ?? 0) }
    },
    changes: async (session, values, { removals, bytes, ...range }) => {
      const isLimited = range.limit * longest > bytes
      const bound = mergeValues(values, { ...range, ...(isLimited ? byteValues(bytes, 0, range.limit) : {}) })
      const rows = await withGuard(firstByteLimit(isLimited, engine.dialect), way =>
        session.all(statementOf(way), bound),
      )
      const isCut = isLimited && (totalBytes(rows, columns.length + 1) ?? 0) >= bytes
      const last = isCut ? Number(rows.at(-1)?.[0]) : Number.POSITIVE_INFINITY
      const gone = removals ? await session.all(removed, bound) : []
      const found: readonly Change[] = [
        ...rows.map(row => ({ version: Number(row[0]), entity: shape.decode(row, 1).entity })),
        ...gone.map(row => ({ version: Number(row[0]), entity: removedEntity(scope, row[1]) })),
      ]
      const inOrder = found
        .filter(change => change.version <= last)
        .toSorted((left, right) => left.version - right.version)
      return { found: inOrder.slice(0, range.limit), isCut }
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

/** The setting with the number of the last purged removal of a table. */
function purgedSetting(table: string): string {
  return `purged ${table}`
}

/**
 * Purges removals that no valid delta link can report. It notes the last one, because the clock may have been wrong, now or when an
 * item was removed: then an older delta link expires, too.
 */
export async function purgeRemovals({ engine, now }: Store): Promise<void> {
  const before = new Date(now().getTime() - deltaRetention).toISOString()
  const old = sql`FROM ${sql.id('$removed')} WHERE at < ${engine.dialect.bind(before, 'text')}`
  await engine.maintain(async session => {
    await lockSchema(engine, session)
    const rows = await session.all(engine.compile(sql`SELECT "table", max(version) ${old} GROUP BY "table"`))
    if (rows.length === 0) return
    const settings = await readSettings(engine, session)
    const purged = rows.map(([table, version]) => {
      const name = purgedSetting(String(table))
      return [name, String(Math.max(Number(version), Number(settings.get(name) ?? 0)))] as const
    })
    await writeSettings(engine, session, Object.fromEntries(purged))
    await session.run(engine.compile(sql`DELETE ${old}`))
  })
}
