import { sql } from 'kysely'
import type { Expression, OrderbyItem, QueryOptions } from '../../../runtime/query/index.js'
import type { Sql } from '../dialect/dialect.js'
import type { Engine, Session } from '../engine/engine.js'
import { moreValues, Slot, type SlotValues, type SqlRow } from '../engine/sql-value.js'
import type { Statement } from '../engine/statement.js'
import { allOf } from '../filter/combine.js'
import { isTrue } from '../filter/compile-condition.js'
import { idColumn } from '../schema/store-schema.js'
import { searchCondition } from '../search/compile-search.js'
import type { Store } from '../store.js'
import { type Expansion, expansionOf } from './expansion.js'
import { type QueryContext, queryFrame } from './query-frame.js'
import { type RowShape, rowShape, type StoredItem } from './row-shape.js'
import type { Scope } from './scope.js'
import { type AfterValue, orderSql, partsBehind, type SortKey, sortKeys } from './sort-order.js'

/** A query over the items of a scope, compiled: what changes from run to run are the values of its slots. */
export interface CollectionPlan {
  /** Some items, in order. */
  readonly page: (session: Session, values: SlotValues, wanted: PageWanted) => Promise<Page>
  readonly count: (session: Session, values: SlotValues) => Promise<number>
}

export interface PageWanted {
  /** The sort keys of the item behind which the page begins; undefined: it begins at the first one, or after `skip`. */
  readonly after: readonly unknown[] | undefined
  readonly skip: number
  /** At most so many; undefined: all. */
  readonly limit: number | undefined
}

export interface Page {
  readonly items: readonly StoredItem[]
  /** Sort keys of the last item, when others stand behind it. */
  readonly last: readonly unknown[] | undefined
}

/** What a plan is made for beside the query. */
export interface CollectionNeeds {
  readonly options: QueryOptions
  readonly context: QueryContext
  /** Names of the properties that `$search` may look into; empty: all that are searchable. */
  readonly searched: readonly string[]
  /** What holds whatever the query says: the meaning of an operation. */
  readonly filter?: Expression | undefined
  /** The order where the query gives none. */
  readonly orderby?: readonly OrderbyItem[] | undefined
}

const alias = 't'
const limitSlot = 'limit'
const skipSlot = 'skip'

/** Compiles a query over the items of a scope. @throws {RequestFault} for what the store cannot answer */
export function collectionPlan(scope: Scope, needs: CollectionNeeds, store: Store): CollectionPlan {
  const { options, context } = needs
  const { engine } = store
  const frame = queryFrame(scope.type, alias, store, context, true)
  const shape = rowShape(scope.table, scope.type, options.select)
  const conditions = [scope.where(alias)]
  if (needs.filter !== undefined) conditions.push(isTrue(needs.filter, frame))
  if (options.filter !== undefined) conditions.push(isTrue(options.filter, frame))
  if (options.search !== undefined) {
    const id = sql`${sql.id(alias, idColumn)}`
    conditions.push(
      searchCondition(options.search, { table: scope.table, dialect: engine.dialect, id, properties: needs.searched }),
    )
  }
  const keys = sortKeys(options.orderby ?? needs.orderby ?? [], scope.table, alias, frame)
  const from = sql`FROM ${sql.id(scope.table.name)} AS ${sql.id(alias)} WHERE ${allOf(conditions)}`
  const pages = pageStatements(from, shape, keys, store)
  const expansion = expansionOf(options, scope.type, store, context)
  let count: Statement | undefined
  return {
    page: (session, values, wanted) => readPage(session, values, wanted, { pages, shape, expansion }),
    count: async (session, values) => {
      count ??= engine.compile(sql`SELECT count(*) ${from}`)
      const [row] = await session.all(count, values)
      return Number(row?.[0] ?? 0)
    },
  }
}

interface PageStatements {
  /** Where the columns of a row have the sort keys. */
  readonly places: readonly number[]
  readonly first: (skips: boolean, limited: boolean) => Statement
  /** Several where the first key may be null: one after the other, they give the order. */
  readonly behind: (nulls: readonly boolean[], limited: boolean) => readonly Statement[]
}

interface Reading {
  readonly pages: PageStatements
  readonly shape: RowShape
  readonly expansion: Expansion | undefined
}

async function readPage(
  session: Session,
  values: SlotValues,
  { after, skip, limit }: PageWanted,
  { pages, shape, expansion }: Reading,
): Promise<Page> {
  let rows: readonly SqlRow[] = []
  // One more than is wanted tells whether there are others.
  const most = limit === undefined ? undefined : limit + 1
  if (after === undefined) {
    const cut: Readonly<Record<typeof skipSlot | typeof limitSlot, unknown>> = { skip, limit: most ?? null }
    const bound = skip === 0 && most === undefined ? values : moreValues(values, cut)
    const found = session.all(pages.first(skip > 0, limit !== undefined), bound)
    // An embedded engine has answered by now.
    rows = found instanceof Promise ? await found : found
  } else {
    const bound = moreValues(values, Object.fromEntries(after.map((value, index) => [afterSlot(index), value])))
    for (const statement of pages.behind(
      after.map(value => value === null),
      limit !== undefined,
    )) {
      const left = most === undefined ? undefined : most - rows.length
      if (left === 0) break
      rows = rows.concat(await session.all(statement, moreValues(bound, { [limitSlot]: left ?? null })))
    }
  }
  const hasMore = limit !== undefined && rows.length > limit
  const shown = hasMore ? rows.slice(0, -1) : rows
  const items = shown.map(row => shape.decode(row, 0))
  if (expansion !== undefined && items.length > 0) await expansion(items, session, values)
  const last = hasMore ? shown.at(-1) : undefined
  return { items, last: last === undefined ? undefined : pages.places.map(place => last[place]) }
}

function afterSlot(index: number): string {
  return `after ${index}`
}

function pageStatements(from: Sql, shape: RowShape, keys: readonly SortKey[], { engine }: Store): PageStatements {
  const { dialect } = engine
  const known = new Map<string, readonly Statement[]>()
  const firsts: (Statement | undefined)[] = []
  const remembered = (name: string, make: () => readonly Statement[]): readonly Statement[] => {
    const statements = known.get(name) ?? make()
    known.set(name, statements)
    return statements
  }
  const { columns, places } = withSortKeys(shape.columns(alias), keys, engine)
  const select = sql`SELECT ${sql.join(columns)} ${from}`
  const order = sql`ORDER BY ${orderSql(keys, dialect)}`
  const limit = sql`LIMIT ${dialect.bind(new Slot(limitSlot), 'integer')}`
  const offset = sql`OFFSET ${dialect.bind(new Slot(skipSlot), 'integer')}`
  const endless = dialect.name === 'sqlite' ? sql`LIMIT -1` : sql``
  const first = (skips: boolean, limited: boolean): Statement => {
    const cut = limited ? limit : skips ? endless : sql``
    return engine.compile(sql`${select} ${order} ${cut} ${skips ? offset : sql``}`)
  }
  return {
    places,
    first: (skips, limited) => {
      const place = (skips ? 1 : 0) + (limited ? 2 : 0)
      const statement = firsts[place] ?? first(skips, limited)
      firsts[place] = statement
      return statement
    },
    behind: (nulls, limited) =>
      remembered(`behind ${nulls.join()} ${limited}`, () => {
        const after = keys.map(({ storage }, index): AfterValue => {
          return { isNull: nulls[index] === true, bound: dialect.bind(new Slot(afterSlot(index)), storage) }
        })
        return partsBehind(keys, after).map(part =>
          engine.compile(sql`${select} AND ${part} ${order} ${limited ? limit : sql``}`),
        )
      }),
  }
}

/** The columns with those of the sort keys that are not among them: each costs as much as it is long, on every row. */
function withSortKeys(
  columns: readonly Sql[],
  keys: readonly SortKey[],
  { dialect, compile }: Engine,
): { readonly columns: readonly Sql[]; readonly places: readonly number[] } {
  const all = [...columns]
  const texts = columns.map(column => compile(column).sql)
  const places = keys.map(key => {
    const exact = dialect.exact(key.value, key.storage)
    const { sql: text, parameters } = compile(exact)
    const known = parameters.length === 0 ? texts.indexOf(text) : -1
    if (known >= 0) return known
    texts.push(text)
    return all.push(exact) - 1
  })
  return { columns: all, places }
}
