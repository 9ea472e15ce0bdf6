import { sql } from 'kysely'
import type { QueryOptions } from '../../runtime/query/index.js'
import {
  mergeValues,
  Placeholder,
  type PlaceholderValues,
  type Session,
  type SqlRow,
  type Statement,
} from '../dialects/dialect.js'
import type { Frame } from '../filter/frame.js'
import { defineMember, isObject } from '../json-object.js'
import type { QueryTarget } from '../query-target.js'
import { wireDecoderFor } from '../values/codec.js'
import { cellOf } from './computed.js'
import { orderSql, type PageRequest, requestedKeys } from './keyset-pagination.js'
import type { Scope } from './scope.js'
import type { StoredItem } from './stored-item.js'
import { columnKeys, type RowColumn, type RowStage, rowsFrame } from './transformations/stage.js'

/** The most rows of a page. Further pages follow. */
const maxRows = 5000

const limitPlaceholder = 'rows limit'
const skipPlaceholder = 'rows skip'

/** A plan of a collection whose items are rows. */
interface RowsPlan {
  readonly json: undefined
  readonly page: (
    session: Session,
    values: PlaceholderValues,
    request: PageRequest,
  ) => Promise<{ readonly items: readonly StoredItem[]; readonly last: readonly unknown[] | undefined }>
  readonly count: (session: Session, values: PlaceholderValues) => Promise<number>
}

/** A compiled query over the rows that transformations made. Pages continue by the number of rows before them. */
export function rowsPlan(
  stage: RowStage,
  options: QueryOptions,
  outer: Frame,
  scope: Scope,
  store: QueryTarget,
): RowsPlan {
  const { dialect, compile } = store.engine
  const alias = 'r'
  const frame = rowsFrame(stage, alias, outer)
  const from = sql`FROM ${stage.source} AS ${sql.id(alias)}`
  const decoderOf = store.decoder ?? wireDecoderFor
  const cells = stage.columns.map(column => {
    const value = sql`${sql.id(alias, column.column)}`
    return column.type.kind === 'json' ? value : cellOf(column.operand(value), frame).value
  })
  const decoders = new Map(
    stage.columns.map((column, index) => [column.column, { index, decode: decoderOf(column.type) }]),
  )
  const requested = (options.orderby ?? []).flatMap(item => requestedKeys(item, frame))
  const keys = [...requested, ...stage.order(alias, frame), ...columnKeys(stage.columns, alias)]
  const order = keys.length === 0 ? sql`` : sql`ORDER BY ${orderSql(keys, dialect)}`
  const limit = sql`LIMIT ${dialect.bind(new Placeholder(limitPlaceholder), 'integer')}`
  const offset = sql`OFFSET ${dialect.bind(new Placeholder(skipPlaceholder), 'integer')}`
  let page: Statement | undefined
  let count: Statement | undefined
  const entityOf = (row: SqlRow): Record<string, unknown> => {
    const entity: Record<string, unknown> = {}
    const part = stage.parts[Number(row[cells.length])] ?? stage.columns
    for (const column of part) {
      const cell = decoders.get(column.column)
      if (cell !== undefined) setAtPath(entity, column, cell.decode(row[cell.index]))
    }
    return entity
  }
  return {
    json: undefined,
    page: async (session, values, { after, skip, limit: most = maxRows }) => {
      page ??= compile(
        sql`SELECT ${sql.join([...cells, sql`${sql.id(alias, 'part')}`])} ${from} ${order} ${limit} ${offset}`,
      )
      const start = after === undefined ? skip : Number(after[0])
      const size = Math.min(most, maxRows)
      const bound = mergeValues(values, { [limitPlaceholder]: size + 1, [skipPlaceholder]: start })
      const found = await session.all(page, bound)
      const shown = found.slice(0, size)
      const items = shown.map(row => ({ id: 0, type: scope.type, entity: entityOf(row) }))
      return { items, last: found.length > size ? [start + size] : undefined }
    },
    count: async (session: Session, values: PlaceholderValues) => {
      count ??= compile(sql`SELECT count(*) ${from}`)
      const [row] = await session.all(count, values)
      return Number(row?.[0] ?? 0)
    },
  }
}

function setAtPath(entity: Record<string, unknown>, { path }: RowColumn, value: unknown): void {
  let target = entity
  for (const name of path.slice(0, -1)) {
    const known = target[name]
    const inner: Record<string, unknown> = isObject(known) ? { ...known } : {}
    defineMember(target, name, inner)
    target = inner
  }
  defineMember(target, path.at(-1) ?? '', value)
}
