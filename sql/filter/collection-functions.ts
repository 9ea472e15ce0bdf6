import { sql } from 'kysely'
import type { Expression } from '../../runtime/query/index.js'
import { afterPrefix, allOf, always } from '../conditions.js'
import type { Sql } from '../dialects/dialect.js'
import { unsupportedQuery } from '../query-faults.js'
import { type StoredType, storageOf } from '../schema/stored-type.js'
import { exactSql, isFloating, numberKindOf } from './arithmetic.js'
import { comparison, literalAs } from './comparison.js'
import { type Collection, copied, type Frame, type Operand, operandOf, type Scalar } from './frame.js'
import { itemRows } from './paths.js'

export type BooleanFunction = 'contains' | 'startswith' | 'endswith' | 'hassubset' | 'hassubsequence'

/** Whether a text or collection contains another, begins with it or ends with it; null if one of them is null. */
export function booleanFunctionCondition(name: BooleanFunction, given: readonly Expression[], frame: Frame): Sql {
  const [first, second] = given
  if (first === undefined || second === undefined)
    throw unsupportedQuery(frame.option, `'${name}' requires two arguments.`)
  const whole = operandOf(first, copied(frame, 2))
  const part = operandOf(second, copied(frame, 2))
  if (whole.kind === 'null' || part.kind === 'null') return sql`NULL`
  if (name === 'hassubset' || name === 'hassubsequence' || isCollection(whole) || isCollection(part)) {
    return collectionFunction(name, whole, part, frame)
  }
  const a = text(whole, name, frame)
  const b = text(part, name, frame)
  switch (name) {
    case 'startswith':
      return startsWith(a, b, frame)
    case 'endswith':
      return endsWith(a, b, frame)
    default:
      return sql`${frame.dialect.position(a.sql, b.sql)} > 0`
  }
}

function text(operand: Operand, name: string, frame: Frame): Scalar {
  if (operand.kind === 'scalar' && operand.type.kind === 'string') return operand
  throw unsupportedQuery(frame.option, `'${name}' supports strings and collections only.`)
}

/** A known prefix is a range of texts, which an index can find. */
function startsWith(whole: Scalar, part: Scalar, frame: Frame): Sql {
  if (part.text === undefined) return sql`substr(${whole.sql}, 1, ${frame.dialect.length(part.sql)}) = ${part.sql}`
  if (part.text === '') return whole.nullable ? sql`(${whole.sql} >= ${part.sql})` : always
  const end = afterPrefix(part.text)
  if (end === undefined) return sql`${whole.sql} >= ${part.sql}`
  return sql`(${whole.sql} >= ${part.sql} AND ${whole.sql} < ${frame.dialect.bind(end, 'text')})`
}

/** If the whole is shorter than the part, `substr` returns all of it, which differs from the part. */
function endsWith(whole: Scalar, part: Scalar, frame: Frame): Sql {
  const length = part.text === undefined ? frame.dialect.length(part.sql) : sql.lit([...part.text].length)
  const start = frame.dialect.greatest(sql`${frame.dialect.length(whole.sql)} - ${length} + 1`, sql`1`)
  return sql`substr(${whole.sql}, ${start}) = ${part.sql}`
}

/** Functions of two collections. Some of them are functions of two texts as well. */
type CollectionFunction = 'hassubset' | 'hassubsequence' | 'contains' | 'startswith' | 'endswith' | 'indexof'

/**
 * The result of a function of two collections of primitive values, a Boolean or a position; null if one of the collections is
 * null. Items are compared as `eq` does: null equals null.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.5 and 5.1.1.6
 */
export function collectionFunction(name: CollectionFunction, whole: Operand, part: Operand, frame: Frame): Sql {
  if (whole.kind === 'null' || part.kind === 'null') return sql`NULL`
  if (frame.dialect.name === 'mysql')
    throw unsupportedQuery(frame.option, `'${name}' of two collections is not supported on MySQL.`)
  const [a, b] = itemSequences(whole, part, name, frame)
  const found = sql`(WITH RECURSIVE ${a.definition}, ${b.definition}${collectionFunctions[name](a, b, frame)})`
  const present = [a.present, b.present].filter(condition => condition !== undefined)
  return present.length === 0 ? found : sql`CASE WHEN ${allOf(present)} THEN ${found} END`
}

export function isCollection({ kind }: Operand): boolean {
  return kind === 'items' || kind === 'targets' || kind === 'list' || kind === 'parameter'
}

const collectionFunctions: Readonly<
  Record<CollectionFunction, (whole: ItemSequence, part: ItemSequence, frame: Frame) => Sql>
> = {
  // Each item occurs in the whole at least as often as in the part.
  hassubset: (whole, part, frame) => {
    const occurrences = sql`SELECT count(*) FROM ${whole.name} AS w WHERE ${equal(whole, part, frame)}`
    const required = sql`SELECT v, count(*) AS c FROM ${part.name} GROUP BY v`
    return sql` SELECT NOT EXISTS (SELECT 1 FROM (${required}) AS p WHERE (${occurrences}) < p.c)`
  },
  // Recursive: the first position of each item of the part after the position of the previous one.
  hassubsequence: (whole, part, frame) => {
    const next = sql`SELECT min(w.n) FROM ${whole.name} AS w, ${part.name} AS p WHERE p.n = s.k AND w.n > s.n AND ${equal(whole, part, frame)}`
    const size = sql`(SELECT count(*) FROM ${part.name})`
    const steps = sql.id(frame.alias())
    return sql`, ${steps} (k, n) AS (SELECT CAST(0 AS bigint), CAST(-1 AS bigint) UNION ALL SELECT s.k + 1, (${next}) FROM ${steps} AS s WHERE s.n IS NOT NULL AND s.k < ${size}) SELECT EXISTS (SELECT 1 FROM ${steps} AS s WHERE s.k = ${size} AND s.n IS NOT NULL)`
  },
  contains: (whole, part, frame) => sql` SELECT EXISTS (${matchPositions(whole, part, frame)})`,
  indexof: (whole, part, frame) =>
    sql` SELECT coalesce((SELECT min(o.n) FROM (${matchPositions(whole, part, frame)}) AS o), -1)`,
  startswith: (whole, part, frame) => sql` SELECT ${matchesAt(sql.lit(0), whole, part, frame)}`,
  endswith: (whole, part, frame) => {
    const start = sql`((SELECT count(*) FROM ${whole.name}) - (SELECT count(*) FROM ${part.name}))`
    return sql` SELECT ${matchesAt(start, whole, part, frame)}`
  },
}

/** The positions at which the part matches item by item. An empty part matches everywhere. */
function matchPositions(whole: ItemSequence, part: ItemSequence, frame: Frame): Sql {
  const candidates = sql`SELECT n FROM ${whole.name} UNION SELECT 0`
  return sql`SELECT c.n FROM (${candidates}) AS c WHERE ${matchesAt(sql`c.n`, whole, part, frame)}`
}

function matchesAt(place: Sql, whole: ItemSequence, part: ItemSequence, frame: Frame): Sql {
  const same = sql`SELECT 1 FROM ${whole.name} AS w WHERE w.n = p.n + ${place} AND ${equal(whole, part, frame)}`
  return sql`NOT EXISTS (SELECT 1 FROM ${part.name} AS p WHERE NOT EXISTS (${same}))`
}

function equal(whole: ItemSequence, part: ItemSequence, frame: Frame): Sql {
  return comparison('eq', whole.item('w'), part.item('p'), frame)
}

/** The items of a collection in order, as a table of the statement with the columns `n` (from 0) and `v`. */
interface ItemSequence {
  readonly name: Sql
  /** The definition of the table, for `WITH`. */
  readonly definition: Sql
  /** The value of `v` in a row with the given name. */
  readonly item: (row: string) => Scalar
  /** Whether the collection is not null; undefined: it never is. */
  readonly present: Sql | undefined
}

/** The maximum length of a list. Each row compares every item of the list with every item of the collection. */
const maxListed = 200

/**
 * Converts two collections to tables with comparable items.
 *
 * @throws {RequestFault} for collections that the store cannot compare
 */
function itemSequences(
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
  if (kinds.size > 1 || kinds.has('json'))
    throw unsupportedQuery(frame.option, `'${name}' requires items of the same type.`)
  const isExact = typed.some(({ exact }) => exact !== undefined)
  return [sequence(left, type, isExact, frame), sequence(right, type, isExact, frame)]
}

/** The items of a collection before their common type is known. */
interface Items {
  /** One sample for all items, or every item; none for null. */
  readonly samples: readonly Scalar[]
  readonly present: Sql | undefined
  /** The rows. `value` returns the SQL of an item, or of null for undefined. */
  readonly rows: (value: (item: Scalar | undefined) => Sql) => Sql
}

function itemsOf(operand: Operand, name: string, frame: Frame): Items {
  if (operand.kind === 'items') return keptItems(operand, name, frame)
  if (operand.kind === 'list') return listedItems(operand.items, name, frame)
  throw unsupportedQuery(frame.option, `'${name}' supports collections of primitive values only.`)
}

function keptItems(collection: Extract<Collection, { kind: 'items' }>, name: string, frame: Frame): Items {
  const { from, where, item, place } = itemRows(collection, frame)
  if (item.kind !== 'scalar') throw unsupportedQuery(frame.option, `'${name}' supports primitive items only.`)
  return {
    samples: [item],
    present: sql`${frame.dialect.jsonPart(collection.place)} IS NOT NULL`,
    rows: value => sql`SELECT row_number() OVER (ORDER BY ${place}) - 1, ${value(item)} FROM ${from} WHERE ${where}`,
  }
}

function listedItems(given: readonly Expression[], name: string, frame: Frame): Items {
  if (given.length > maxListed) {
    throw unsupportedQuery(
      frame.option,
      `'${name}' supports lists of up to ${maxListed} items, but found ${given.length}.`,
    )
  }
  const items = given.map(expression => {
    const item = operandOf(expression, frame)
    if (item.kind === 'null') return undefined
    if (item.kind === 'scalar') return item
    throw unsupportedQuery(frame.option, `'${name}' supports lists of primitive values only.`)
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

/** A literal string as a value of the common type. */
function withType(item: Scalar, type: StoredType, frame: Frame): Scalar {
  return item.text === undefined || type.kind === 'string' ? item : literalAs(item.text, type, frame)
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

/** The canonical text of a number. Computed numbers have no superfluous digits. */
function canonical(exact: Sql, { dialect }: Frame): Sql {
  const sum = dialect.arithmetic('add', exact, sql.lit(0), 'decimal')
  return sum.exact ?? sum.sql
}
