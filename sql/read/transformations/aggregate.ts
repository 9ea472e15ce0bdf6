import { sql } from 'kysely'
import type { AggregateItem } from '../../../runtime/query/index.js'
import { allOf } from '../../conditions.js'
import type { Dialect, Sql } from '../../dialects/dialect.js'
import { exactSql } from '../../filter/arithmetic.js'
import { compileOperand } from '../../filter/expressions.js'
import type { Frame, Scalar } from '../../filter/frame.js'
import { unsupportedQuery } from '../../query-faults.js'
import {
  type Compiler,
  type Encoded,
  encoded,
  frameOf,
  fromOf,
  type Groups,
  type Path,
  type RowStage,
  rowStage,
  type Stage,
  scalarAt,
  textual,
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
  if (dialect.name !== 'sqlite') return windowSum(operand)
  return operand.type.kind === 'double'
    ? sql`double_sum(json_group_array(json_number(${operand.sql})))`
    : sql`exact_sum(json_group_array(CAST(${exactSql(operand)} AS TEXT)))`
}

/** An aggregate function of the engine that adds numbers. */
export function windowSum(operand: Scalar): Sql {
  return operand.type.kind === 'double'
    ? sql`sum(CAST(${operand.sql} AS double precision))`
    : sql`sum((${exactSql(operand)})::numeric)`
}
