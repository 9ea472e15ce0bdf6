import { sql } from 'kysely'
import type { QueryOptions } from '../../../runtime/query/index.js'
import type { Sql } from '../dialect/dialect.js'
import type { Session } from '../engine/engine.js'
import { moreValues, Slot, type SlotValues } from '../engine/sql-value.js'
import { allOf } from '../filter/combine.js'
import { isDerived } from '../schema/is-derived.js'
import { versionColumn } from '../schema/store-schema.js'
import type { Store } from '../store.js'
import { decoderOf } from '../value/column-codec.js'
import { rowShape } from './row-shape.js'
import { columnReader, type Scope } from './scope.js'

/** Reads what changed among the items of a scope. */
export interface ChangePlan {
  /** Number of the last change that is visible now. */
  readonly latest: (session: Session) => Promise<number>
  /** Changes behind one number up to another, in their order. */
  readonly changes: (session: Session, values: SlotValues, range: ChangeRange) => Promise<readonly Change[]>
}

export interface ChangeRange {
  readonly after: number
  readonly until: number
  readonly limit: number
  /** Whether items that are gone are told, too: whoever begins knows of none. */
  readonly removals: boolean
}

export interface Change {
  readonly version: number
  readonly entity: Readonly<Record<string, unknown>>
}

const alias = 't'

/** Compiles the changes of a scope: the items that changed as they are now, and the keys of those that are gone. */
export function changePlan(scope: Scope, options: QueryOptions, store: Store): ChangePlan {
  const { engine } = store
  const { bind } = engine.dialect
  const { table } = scope
  const shape = rowShape(table, scope.type, options.select)
  const after = bind(new Slot('after'), 'integer')
  const until = bind(new Slot('until'), 'integer')
  const limit = bind(new Slot('limit'), 'integer')
  const version = sql`${sql.id(alias, versionColumn)}`
  const within = (column: Sql): Sql => sql`${column} > ${after} AND ${column} <= ${until}`
  const changed = engine.compile(
    sql`SELECT ${version}, ${sql.join(shape.columns(alias))} FROM ${sql.id(table.name)} AS ${sql.id(alias)}
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
      const bound = moreValues(values, range)
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

/** What is gone was of a type of the scope, and stood in the same item. */
function placeOf(scope: Scope, { engine }: Store): readonly Sql[] {
  const { bind } = engine.dialect
  const types = scope.table.types.filter(type => isDerived(type, scope.type)).map(type => bind(type.name, 'text'))
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
    return [property.name, decoderOf(table.columnOf(property).type)(list[index])] as const
  })
  return { '@removed': { reason: 'deleted' }, ...Object.fromEntries(members) }
}
