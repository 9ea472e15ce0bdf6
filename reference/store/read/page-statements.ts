import { sql } from 'kysely'
import type { Sql } from '../dialect/dialect.js'
import type { Answer, Session } from '../engine/engine.js'
import { moreValues, Slot, type SlotValues, type SqlRow } from '../engine/sql-value.js'
import type { Statement } from '../engine/statement.js'
import type { Store } from '../store.js'
import { type AfterValue, orderSql, partsBehind, type SortKey } from './sort-order.js'

/** Which part of the items of a query a page is. */
export interface PageWanted {
  /** The sort keys of the item behind which the page begins; undefined: it begins at the first one, or after `skip`. */
  readonly after: readonly unknown[] | undefined
  readonly skip: number
  /** At most so many; undefined: all. */
  readonly limit: number | undefined
}

/** Reads the rows of a page, and one more where the page is limited: whether it is there tells whether there are others. */
export type RowReader = (session: Session, values: SlotValues, wanted: PageWanted) => Answer<readonly SqlRow[]>

const limitSlot = 'limit'
const skipSlot = 'skip'

function afterSlot(index: number): string {
  return `after ${index}`
}

/**
 * Prepares to read the pages of a query in the order of its keys.
 *
 * @param select what reads the rows, given all that stands behind the conditions of the query: further ones, order, limit
 * @param itemsOf how many items rows stand for
 */
export function pageReader(
  keys: readonly SortKey[],
  select: (rest: Sql) => Sql,
  itemsOf: (rows: readonly SqlRow[]) => number,
  store: Store,
): RowReader {
  const statements = pageStatements(keys, select, store)
  const behind = async (
    session: Session,
    values: SlotValues,
    after: readonly unknown[],
    most: number | undefined,
  ): Promise<readonly SqlRow[]> => {
    let rows: readonly SqlRow[] = []
    const bound = moreValues(values, Object.fromEntries(after.map((value, index) => [afterSlot(index), value])))
    const nulls = after.map(value => value === null)
    for (const statement of statements.behind(nulls, most !== undefined)) {
      const left = most === undefined ? undefined : most - itemsOf(rows)
      if (left === 0) break
      rows = rows.concat(await session.all(statement, moreValues(bound, { [limitSlot]: left ?? null })))
    }
    return rows
  }
  return (session, values, { after, skip, limit }) => {
    const most = limit === undefined ? undefined : limit + 1
    if (after !== undefined) return behind(session, values, after, most)
    const cut: Readonly<Record<typeof skipSlot | typeof limitSlot, unknown>> = { skip, limit: most ?? null }
    const bound = skip === 0 && most === undefined ? values : moreValues(values, cut)
    return session.all(statements.first(skip > 0, limit !== undefined), bound)
  }
}

interface PageStatements {
  readonly first: (skips: boolean, limited: boolean) => Statement
  /** Several where the first key may be null: one after the other, they give the order. */
  readonly behind: (nulls: readonly boolean[], limited: boolean) => readonly Statement[]
}

function pageStatements(keys: readonly SortKey[], select: (rest: Sql) => Sql, { engine }: Store): PageStatements {
  const { dialect } = engine
  const known = new Map<string, readonly Statement[]>()
  const firsts: (Statement | undefined)[] = []
  const remembered = (name: string, make: () => readonly Statement[]): readonly Statement[] => {
    const statements = known.get(name) ?? make()
    known.set(name, statements)
    return statements
  }
  const order = sql`ORDER BY ${orderSql(keys, dialect)}`
  // A value that is added to: SQLite would look at a bare one to plan anew, each time.
  const limit = sql`LIMIT ${dialect.bind(new Slot(limitSlot), 'integer')} + 0`
  const offset = sql`OFFSET ${dialect.bind(new Slot(skipSlot), 'integer')}`
  const endless = dialect.name === 'sqlite' ? sql`LIMIT -1` : sql``
  const first = (skips: boolean, limited: boolean): Statement => {
    const cut = limited ? limit : skips ? endless : sql``
    return engine.compile(select(sql`${order} ${cut} ${skips ? offset : sql``}`))
  }
  return {
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
          engine.compile(select(sql`AND ${part} ${order} ${limited ? limit : sql``}`)),
        )
      }),
  }
}
