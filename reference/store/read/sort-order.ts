import { sql } from 'kysely'
import type { OrderbyItem } from '../../../runtime/query/index.js'
import type { Dialect, Sql } from '../dialect/dialect.js'
import { never } from '../filter/combine.js'
import { isFloating } from '../filter/compile-arithmetic.js'
import { compileOperand } from '../filter/compile-operand.js'
import { copied, type Frame } from '../filter/frame.js'
import { unsupported } from '../filter/unsupported.js'
import { type Storage, storageOf } from '../schema/storage.js'
import { idColumn, type Table } from '../schema/store-schema.js'

/** One key of an order. */
export interface SortKey {
  readonly value: Sql
  readonly direction: 'asc' | 'desc'
  readonly storage: Storage
  readonly nullable: boolean
  /**
   * Whether ORDER BY says where null stands: PostgreSQL takes an index only where both say the same, even of what is never
   * null. Indexes of properties say it, those of keys alone do not.
   */
  readonly placesNull: boolean
}

/**
 * The keys of an order that tells all items of a collection apart: what is asked for, then the items' own key, in the
 * direction of the last that is asked for, so that one index read one way gives the whole order.
 */
export function sortKeys(
  orderby: readonly OrderbyItem[],
  table: Table,
  alias: string,
  frame: Frame,
): readonly SortKey[] {
  const asked = orderby.flatMap(item => keysOf(item, frame))
  const direction = asked.at(-1)?.direction ?? 'asc'
  const placesNull = asked.length > 0
  const own = table.root.key.map((property): SortKey => {
    const { name, type } = table.columnOf(property)
    const value = sql`${sql.id(alias, name)}`
    return { value, direction, storage: storageOf(type.kind), nullable: false, placesNull }
  })
  // Items without a key are met one at a time; any order of their own will do.
  const only: SortKey = {
    value: sql`${sql.id(alias, idColumn)}`,
    direction,
    storage: 'integer',
    nullable: false,
    placesNull,
  }
  return [...asked, ...(own.length === 0 ? [only] : own)]
}

/** A key is selected, ordered by, and compared with that of the item before the page. */
const copiesOfKey = 8

/** What is no number sorts before all numbers, and behind null; engines have it the other way round. */
function keysOf({ expression, direction }: OrderbyItem, frame: Frame): readonly SortKey[] {
  const operand = compileOperand(expression, { ...copied(frame, copiesOfKey), option: '$orderby' })
  if (operand.kind === 'null') return []
  if (operand.kind !== 'scalar' || operand.type.kind === 'json') {
    throw unsupported('$orderby', 'Items can be ordered by single values only.')
  }
  const { nullable } = operand
  const common = { direction, nullable, placesNull: true }
  const key: SortKey = { value: operand.sql, storage: storageOf(operand.type.kind), ...common }
  if (!isFloating(operand)) return [key]
  const isNumber = sql`CASE WHEN ${operand.sql} IS NULL THEN NULL WHEN ${frame.dialect.isNotANumber(operand.sql)} THEN 0 ELSE 1 END`
  return [{ value: isNumber, storage: 'integer', ...common }, key]
}

/** The text behind ORDER BY. */
export function orderSql(keys: readonly SortKey[], dialect: Dialect): Sql {
  return sql.join(
    keys.map(({ value, direction, placesNull }) => {
      const sign = direction === 'desc' ? sql` DESC` : sql``
      return placesNull ? sql`${value}${sign} ${dialect.nulls(direction)}` : sql`${value}${sign}`
    }),
  )
}

/**
 * That a row stands behind the one whose keys have the values of `after`, whose nulls are known by now. Each level says
 * first what an index can jump to, then what has to be looked at.
 */
export function behind(keys: readonly SortKey[], after: readonly AfterValue[], index = 0): Sql {
  const key = keys[index]
  const value = after[index]
  if (key === undefined || value === undefined) return never
  if (isOneRange(keys, after, index)) return rangeBehind(keys.slice(index), after.slice(index), key.direction)
  const rest = index + 1 < keys.length ? behind(keys, after, index + 1) : never
  if (value.isNull) {
    const isNull = sql`(${key.value} IS NULL AND ${rest})`
    return key.direction === 'asc' ? sql`(${key.value} IS NOT NULL OR ${isNull})` : isNull
  }
  if (key.direction === 'asc') {
    const beyond = sql`${key.value} > ${value.bound}`
    return rest === never ? beyond : sql`(${key.value} >= ${value.bound} AND (${beyond} OR ${rest}))`
  }
  const beyond = sql`${key.value} < ${value.bound}`
  const here = rest === never ? beyond : sql`(${key.value} <= ${value.bound} AND (${beyond} OR ${rest}))`
  return key.nullable ? sql`(${here} OR ${key.value} IS NULL)` : here
}

/**
 * Whether what stands behind the values of all keys from one on is one range of an index: all go one way, and null, which
 * equals nothing, stands before them.
 */
function isOneRange(keys: readonly SortKey[], after: readonly AfterValue[], from: number): boolean {
  const direction = keys[from]?.direction
  const fits = (key: SortKey): boolean => key.direction === direction && (direction === 'asc' || !key.nullable)
  return keys.length > from + 1 && keys.slice(from).every(fits) && !after.slice(from).some(value => value.isNull)
}

/** Compares the keys as one row, which both engines look up in an index of them. */
function rangeBehind(keys: readonly SortKey[], after: readonly AfterValue[], direction: SortKey['direction']): Sql {
  const sign = direction === 'asc' ? sql`>` : sql`<`
  return sql`(${sql.join(keys.map(key => key.value))}) ${sign} (${sql.join(after.map(value => value.bound))})`
}

/** The value of one key in the row after which a page begins. */
export interface AfterValue {
  readonly isNull: boolean
  readonly bound: Sql
}

/**
 * The parts of what stands behind a row, in order, where the first key may be null: each is one range of an index, while
 * their union would be none.
 */
export function partsBehind(keys: readonly SortKey[], after: readonly AfterValue[]): readonly Sql[] {
  const [key] = keys
  const [value] = after
  if (key === undefined || value === undefined || !key.nullable) return [behind(keys, after)]
  const rest = keys.length > 1 ? behind(keys, after, 1) : never
  if (value.isNull) {
    const amongNulls = sql`${key.value} IS NULL AND ${rest}`
    return key.direction === 'asc' ? [amongNulls, sql`${key.value} IS NOT NULL`] : [amongNulls]
  }
  if (key.direction === 'asc') return [behind(keys, after)]
  const notNull = behind([{ ...key, nullable: false }, ...keys.slice(1)], after)
  return [notNull, sql`${key.value} IS NULL`]
}
