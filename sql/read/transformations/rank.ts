import { sql } from 'kysely'
import type { OrderbyItem, Transformation } from '../../../runtime/query/index.js'
import { never } from '../../conditions.js'
import type { Sql } from '../../dialects/dialect.js'
import { exactSql } from '../../filter/arithmetic.js'
import { compileOperand } from '../../filter/expressions.js'
import { unsupportedQuery } from '../../query-faults.js'
import { orderSql, requestedKeys, type SortKey } from '../keyset-pagination.js'
import { windowSum } from './aggregate.js'
import {
  type Compiler,
  frameOf,
  type Groups,
  keysOf,
  narrowed,
  partition,
  type RowOrder,
  type Stage,
  withColumns,
} from './stage.js'

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
  if (dialect.name === 'sqlite' && operand.type.kind !== 'double') {
    throw unsupportedQuery('$apply', `'${end}${by}' of exact numbers is not supported on SQLite.`)
  }
  const sum = windowSum(operand)
  const before = sql`coalesce(${sum} OVER (${frameOfRows}), 0)`
  const total = sql`coalesce(${sum} OVER (${within}), 0)`
  const kind = operand.type.kind === 'double' ? 'double' : 'decimal'
  const times = (left: Sql, right: Sql): Sql => {
    const product = dialect.arithmetic('mul', left, right, kind)
    return product.exact ?? product.sql
  }
  return ordered(
    withColumns(stage, alias, [before, total], compiler, ([reached = sql``, all = sql``]) => {
      const [left, right] =
        by === 'sum' ? [reached, exactSql(given)] : [times(reached, sql`100`), times(exactSql(given), all)]
      return kind === 'double' ? sql`${left} < ${right}` : sql`${dialect.compareExact(left, right)} < 0`
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
