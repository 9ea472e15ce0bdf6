import { sql } from 'kysely'
import type { AggregateItem, OrderbyItem, Transformation } from '../../../runtime/query/index.js'
import { allOf, never } from '../../conditions.js'
import type { Dialect, Sql } from '../../dialects/dialect.js'
import { exactSql } from '../../filter/arithmetic.js'
import { compileOperand } from '../../filter/expressions.js'
import type { Frame, Scalar } from '../../filter/frame.js'
import { unsupportedQuery } from '../../query-faults.js'
import { numberParts } from '../../values/exact-decimal.js'
import { orderSql, requestedKeys, type SortKey } from '../keyset-pagination.js'
import {
  type Compiler,
  type Encoded,
  encoded,
  frameOf,
  fromOf,
  type Groups,
  keysOf,
  narrowed,
  type Path,
  partition,
  type RowOrder,
  type RowStage,
  rowStage,
  type Stage,
  scalarAt,
  textual,
  withColumns,
} from './stage.js'

/** One row, or one for each group that has items. */
export function aggregated(
  aggregate: readonly AggregateItem[],
  stage: Stage,
  groups: readonly Path[],
  compiler: Compiler,
): RowStage {
  const alias = compiler.alias()
  const frame = frameOf(stage, alias, compiler)
  const keys = groups.map(path => ({ path, ...encoded(scalarAt(path, frame), frame) }))
  const values = aggregate.map(item => ({ path: [item.alias], ...aggregatedValue(item, frame) }))
  const by = keys.length === 0 ? sql`` : sql`GROUP BY ${sql.join(keys.map((_, index) => sql.lit(index + 1)))}`
  return rowStage([...keys, ...values], sql`${fromOf(stage, alias)} ${by}`, compiler)
}

/**
 * One row for each group, as `aggregated` gives it, and for the groups that have lost their items: transformations apply to
 * each group, and the aggregate of no items is a row.
 *
 * @see OData Extension for Data Aggregation 4.0, 3.2.3.1 (simple grouping)
 */
export function aggregatedGroups(
  aggregate: readonly AggregateItem[],
  stage: Stage,
  { paths, origin }: Groups,
  compiler: Compiler,
): RowStage {
  const found = aggregated(aggregate, stage, paths, compiler)
  if (paths.length === 0 || stage === origin) return found
  const groups = aggregated([], origin, paths, compiler)
  const left = compiler.alias()
  const right = compiler.alias()
  const { dialect } = compiler.frame
  const isSame = groups.columns.map(
    ({ column }) => sql`${sql.id(left, column)} IS NOT DISTINCT FROM ${sql.id(right, column)}`,
  )
  const cells = found.columns.map(({ path, column, type }, index) => {
    if (index < paths.length)
      return { path, type, value: textual(sql`${sql.id(left, column)}`, type, dialect.collated) }
    const method = aggregate[index - paths.length]?.method
    const value = textual(sql`${sql.id(right, column)}`, type, dialect.collated)
    const isCount = method === 'count' || method === 'countdistinct'
    return { path, type, value: isCount ? sql`coalesce(${value}, ${exactNumber(sql`0`, dialect).value})` : value }
  })
  const from = sql`FROM ${groups.source} AS ${sql.id(left)} LEFT JOIN ${found.source} AS ${sql.id(right)} ON ${allOf(isSame)}`
  return rowStage(cells, from, compiler)
}

function exactNumber(value: Sql, dialect: Dialect): Encoded {
  return {
    value: dialect.name === 'sqlite' ? sql`sortable_decimal(${value})` : sql`(${value})::numeric`,
    type: { kind: 'decimal' },
  }
}

/** @see OData Extension for Data Aggregation 4.0, 3.2.1.3 (aggregation methods) */
function aggregatedValue({ expression, method }: AggregateItem, frame: Frame): Encoded {
  const { dialect } = frame
  const number = (value: Sql): Encoded => exactNumber(value, dialect)
  if (expression === undefined) return number(sql`count(*)`)
  const operand = compileOperand(expression, frame)
  if (operand.kind === 'null') return number(method === 'count' || method === 'countdistinct' ? sql`0` : sql`NULL`)
  if (operand.kind !== 'scalar' || operand.type.kind === 'json') {
    throw unsupportedQuery('$apply', `'${method}' aggregates single values only.`)
  }
  const { type } = operand
  switch (method) {
    case 'count':
      return number(sql`coalesce(sum(${operand.sql}), 0)`)
    case 'countdistinct':
      return number(sql`count(DISTINCT ${encoded(operand, frame).value})`)
    case 'min':
    case 'max':
      return { value: extreme(method, operand, frame), type }
    default: {
      if (type.kind === 'double') {
        const average = sql`(${sumOf(operand, frame)} / nullif(count(${operand.sql}), 0))`
        return { value: method === 'sum' ? sumOf(operand, frame) : average, type }
      }
      const exact = exactSql(operand)
      const sum = sumOf(operand, frame)
      if (method === 'sum') return number(sum)
      const average = dialect.arithmetic('div', sum, sql`count(${exact})`, 'decimal')
      return number(average.exact ?? average.sql)
    }
  }
}

/** NaN is less than all other numbers. */
function extreme(method: 'min' | 'max', operand: Scalar, frame: Frame): Sql {
  const { dialect } = frame
  const { value, type } = encoded(operand, frame)
  if (type.kind === 'boolean' && dialect.name !== 'sqlite')
    return method === 'min' ? sql`bool_and(${value})` : sql`bool_or(${value})`
  const plain = textual(sql`${sql.raw(method)}(${value})`, type, dialect.collated)
  if (type.kind !== 'double') return plain
  const holds = dialect.isNaN(value)
  const nan = sql`max(CASE WHEN ${holds} THEN ${value} END)`
  const others = sql`${sql.raw(method)}(CASE WHEN ${holds} THEN NULL ELSE ${value} END)`
  return method === 'min' ? sql`coalesce(${nan}, ${others})` : sql`coalesce(${others}, ${nan})`
}

/** The sum of a group. Exact numbers stay exact. */
function sumOf(operand: Scalar, { dialect }: Frame): Sql {
  if (dialect.name !== 'sqlite') return sql`sum(${sql.join(terms(operand, dialect))})`
  return operand.type.kind === 'double'
    ? sql`double_sum(json_group_array(json_number(${operand.sql})))`
    : sql`exact_sum(json_group_array(CAST(${exactSql(operand)} AS TEXT)))`
}

/** What the engine adds to add numbers: SQLite adds exact numbers by parts, which `joinedSums` joins. */
function terms(operand: Scalar, dialect: Dialect): readonly Sql[] {
  if (operand.type.kind === 'double') return [sql`CAST(${operand.sql} AS double precision)`]
  if (dialect.name !== 'sqlite') return [sql`(${exactSql(operand)})::numeric`]
  const text = sql`CAST(${exactSql(operand)} AS TEXT)`
  return Array.from({ length: numberParts }, (_, index) => sql`exact_part(${text}, ${sql.lit(index)})`)
}

function joinedSums(parts: readonly Sql[]): Sql {
  const [only = sql``, ...others] = parts
  return others.length === 0 ? only : sql`exact_joined(${sql.join(parts)})`
}

/** The rows whose numbers in the order, from 1 in each group, meet a condition. */
export function numbered(
  stage: Stage,
  groups: Groups,
  first: readonly SortKey[],
  compiler: Compiler,
  condition: (number: Sql) => Sql,
): Stage {
  const alias = compiler.alias()
  const { dialect } = compiler.frame
  const order = orderSql(keysOf(stage, alias, first, compiler), dialect)
  const number = sql`row_number() OVER (${partition(stage, alias, groups, compiler)} ORDER BY ${order})`
  return withColumns(stage, alias, [number], compiler, ([place = sql``]) => condition(place))
}

/**
 * The items with the largest or smallest values of a measure, in the order of the measure.
 *
 * @see OData Extension for Data Aggregation 4.0, 3.3.1 (top and bottom transformations)
 */
export function ranked(
  { end, by, amount, measure }: Extract<Transformation, { kind: 'ranked' }>,
  stage: Stage,
  groups: Groups,
  compiler: Compiler,
): Stage {
  const alias = compiler.alias()
  const frame = frameOf(stage, alias, compiler)
  const { dialect } = frame
  const measured = [{ expression: measure, direction: end === 'top' ? 'desc' : 'asc' }] as const
  const ordered = (kept: Stage): Stage => orderedBy(measured, kept)
  const keys = keysOf(
    stage,
    alias,
    measured.flatMap(item => requestedKeys(item, frame)),
    compiler,
  )
  const within = partition(stage, alias, groups, compiler)
  const given = compileOperand(amount, frame)
  const limit = given.kind === 'scalar' ? sql`(${given.sql})` : sql`NULL`
  const order = sql`${within} ORDER BY ${orderSql(keys, dialect)}`
  if (by === 'count') {
    const place = sql`row_number() OVER (${order})`
    return ordered(withColumns(stage, alias, [place], compiler, ([number = sql``]) => sql`${number} <= ${limit}`))
  }
  const operand = compileOperand(measure, frame)
  if (operand.kind !== 'scalar' || given.kind !== 'scalar') return narrowed(stage, () => never, compiler)
  const frameOfRows = sql`${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING`
  const added = terms(operand, dialect)
  // The items end where the sum reaches the limit, also if negative numbers, which are last, decrease it again.
  const positive = sql.raw(dialect.name === 'sqlite' ? 'max' : 'greatest')
  const before = end === 'top' ? added.map(term => sql`${positive}(${term}, 0)`) : added
  const over = (window: Sql, numbers: readonly Sql[]): readonly Sql[] =>
    numbers.map(number => sql`coalesce(sum(${number}) OVER (${window}), 0)`)
  const totals = by === 'sum' ? [] : over(within, added)
  const kind = operand.type.kind === 'double' ? 'double' : 'decimal'
  const times = (left: Sql, right: Sql): Sql => {
    const product = dialect.arithmetic('mul', left, right, kind)
    return product.exact ?? product.sql
  }
  return ordered(
    withColumns(stage, alias, [...over(frameOfRows, before), ...totals], compiler, columns => {
      const reached = joinedSums(columns.slice(0, added.length))
      const all = joinedSums(columns.slice(added.length))
      const [left, right] =
        by === 'sum' ? [reached, exactSql(given)] : [times(reached, sql`100`), times(exactSql(given), all)]
      const isLess = (number: Sql): Sql =>
        kind === 'double' ? sql`${number} < ${right}` : sql`${dialect.compareExact(number, right)} < 0`
      // Negative numbers are first here: the sum is 0 before them.
      return end === 'top' ? isLess(left) : allOf([isLess(left), isLess(sql`0`)])
    }),
  )
}

/** A stage in another order. Where it leaves two rows equal, the order stays. */
export function orderedBy(orderby: readonly OrderbyItem[], stage: Stage): Stage {
  if (stage.kind === 'items') return { ...stage, orderby: [...orderby, ...stage.orderby] }
  const order: RowOrder = (alias, frame) => [
    ...orderby.flatMap(item => requestedKeys(item, frame)),
    ...stage.order(alias, frame),
  ]
  return { ...stage, order }
}
