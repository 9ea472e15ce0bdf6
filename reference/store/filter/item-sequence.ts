import { sql } from 'kysely'
import type { Expression } from '../../../runtime/query/index.js'
import type { Sql } from '../dialect/dialect.js'
import { type StoredType, storageOf } from '../schema/storage.js'
import { exactSql, isFloating, numberKindOf } from './compile-arithmetic.js'
import { itemRows } from './compile-collection.js'
import { asType } from './compile-comparison.js'
import { compileOperand } from './compile-operand.js'
import type { Frame } from './frame.js'
import type { Collection, Operand, Scalar } from './operand.js'
import { unsupported } from './unsupported.js'

/** The items of a collection in their order, as a table of the statement with the columns `n`, from 0, and `v`. */
export interface ItemSequence {
  readonly name: Sql
  /** The table, as it stands behind `WITH`. */
  readonly definition: Sql
  /** What `v` is in a row of the table that goes by a name. */
  readonly item: (row: string) => Scalar
  /** That the collection is there; undefined: it always is. */
  readonly present: Sql | undefined
}

/** Each item of a list is compared with each of the other collection, in every row. */
const maxListed = 200

/**
 * Two collections as tables whose items can be compared.
 *
 * @throws {RequestFault} for collections that the store cannot compare
 */
export function itemSequences(
  whole: Operand,
  part: Operand,
  name: string,
  frame: Frame,
): readonly [ItemSequence, ItemSequence] {
  const left = itemsOf(whole, name, frame)
  const right = itemsOf(part, name, frame)
  const all = [...left.samples, ...right.samples]
  const type = (all.find(({ text }) => text === undefined) ?? all[0])?.type ?? { kind: 'string' }
  const typed = all.map(item => withType(item, type, frame))
  const kinds = new Set(typed.map(item => (numberKindOf(item) === undefined ? item.type.kind : 'number')))
  if (kinds.size > 1 || kinds.has('json')) throw unsupported(frame.option, `'${name}' needs items of one type.`)
  const isExact = typed.some(({ exact }) => exact !== undefined)
  return [sequence(left, type, isExact, frame), sequence(right, type, isExact, frame)]
}

/** The items of a collection before it is known what they are compared with. */
interface Items {
  /** One for all of them, or each of them; none for null. */
  readonly samples: readonly Scalar[]
  readonly present: Sql | undefined
  /** The rows; `value` gives the SQL of an item, of null where there is none. */
  readonly rows: (value: (item: Scalar | undefined) => Sql) => Sql
}

function itemsOf(operand: Operand, name: string, frame: Frame): Items {
  if (operand.kind === 'items') return keptItems(operand, name, frame)
  if (operand.kind === 'list') return listedItems(operand.items, name, frame)
  throw unsupported(frame.option, `'${name}' is supported for collections of primitive values only.`)
}

function keptItems(collection: Extract<Collection, { kind: 'items' }>, name: string, frame: Frame): Items {
  const { from, where, item, place } = itemRows(collection, frame)
  if (item.kind !== 'scalar') throw unsupported(frame.option, `'${name}' is supported for primitive items only.`)
  return {
    samples: [item],
    present: sql`${frame.dialect.jsonPart(collection.place)} IS NOT NULL`,
    rows: value => sql`SELECT row_number() OVER (ORDER BY ${place}) - 1, ${value(item)} FROM ${from} WHERE ${where}`,
  }
}

function listedItems(given: readonly Expression[], name: string, frame: Frame): Items {
  if (given.length > maxListed) {
    throw unsupported(frame.option, `'${name}' takes lists of up to ${maxListed} items, but found ${given.length}.`)
  }
  const items = given.map(expression => {
    const item = compileOperand(expression, frame)
    if (item.kind === 'null') return undefined
    if (item.kind === 'scalar') return item
    throw unsupported(frame.option, `'${name}' is supported for lists of primitive values only.`)
  })
  return {
    samples: items.filter(item => item !== undefined),
    present: undefined,
    rows: value =>
      items.length === 0
        ? sql`SELECT 0, ${value(undefined)} WHERE FALSE`
        : sql`VALUES ${sql.join(items.map((item, index) => sql`(${sql.lit(index)}, ${value(item)})`))}`,
  }
}

/** A literal text as what it is compared with. */
function withType(item: Scalar, type: StoredType, frame: Frame): Scalar {
  return item.text === undefined || type.kind === 'string' ? item : asType(item.text, type, frame)
}

function sequence(items: Items, type: StoredType, isExact: boolean, frame: Frame): ItemSequence {
  const { dialect } = frame
  const table = frame.alias()
  const value = (item: Scalar | undefined): Sql => {
    if (item === undefined) return dialect.bind(null, storageOf(type.kind))
    const typed = withType(item, type, frame)
    return isExact ? canonical(exactSql(typed), frame) : typed.sql
  }
  const floating = items.samples.some(isFloating)
  return {
    name: sql.id(table),
    definition: sql`${sql.id(table)} (n, v) AS (${items.rows(value)})`,
    present: items.present,
    item: row => {
      const column = sql`${sql.id(row, 'v')}`
      return { kind: 'scalar', type, sql: column, nullable: true, floating, ...(isExact ? { exact: column } : {}) }
    },
  }
}

/** One text for each number: what is reckoned has no digits too many. */
function canonical(exact: Sql, { dialect }: Frame): Sql {
  const sum = dialect.arithmetic('add', exact, sql.lit(0), 'decimal')
  return sum.exact ?? sum.sql
}
