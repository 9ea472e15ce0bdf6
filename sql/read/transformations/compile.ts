import { sql } from 'kysely'
import {
  type ComputeItem,
  type Expression,
  type GroupingItem,
  groupings,
  type QueryOptions,
  type Transformation,
} from '../../../runtime/query/index.js'
import { compileOperand, isTrue } from '../../filter/expressions.js'
import { unsupportedQuery } from '../../query-faults.js'
import type { QueryTarget } from '../../query-target.js'
import { searchCondition } from '../../search.js'
import { type QueryContext, queryFrame } from '../query-frame.js'
import type { Scope } from '../scope.js'
import { aggregated, aggregatedGroups } from './aggregate.js'
import { united } from './concat.js'
import { numbered, orderedBy, ranked } from './rank.js'
import {
  type Compiler,
  columnOf,
  encoded,
  frameOf,
  fromOf,
  type Groups,
  narrowed,
  type RowStage,
  type Stage,
} from './stage.js'

/**
 * Compiles transformations to nested subqueries.
 *
 * @throws {RequestFault} for a query that the store cannot answer
 * @see OData Extension for Data Aggregation 4.0, 3
 */
export function transformedStage(
  scope: Scope,
  apply: readonly Transformation[],
  { searchedProperties: searched, context, filter }: StageNeeds,
  options: QueryOptions,
  store: QueryTarget,
): Stage {
  const frame = { ...queryFrame(scope.type, 't', store, context, true), option: '$apply' }
  let count = 0
  const compiler: Compiler = { scope, frame, searched, alias: () => `s${++count}` }
  const start: Stage = { kind: 'items', table: scope.table, where: scope.where, compute: [], orderby: [] }
  const given = filter === undefined ? start : narrowed(start, (_, at) => isTrue(filter, at), compiler)
  const stage = sequence(apply, given, { paths: [], origin: given }, compiler)
  return stage.kind === 'rows' ? sequence(optionSteps(options), stage, { paths: [], origin: stage }, compiler) : stage
}

/** What besides its options a query says of its items. */
interface StageNeeds {
  readonly searchedProperties: readonly string[]
  readonly context: QueryContext
  /** A condition on the items of the collection. */
  readonly filter?: Expression | undefined
}

/** The options that follow `$apply`, as transformations of its rows. */
function optionSteps({ compute, search, filter }: QueryOptions): readonly Transformation[] {
  return [
    ...(compute === undefined ? [] : [{ kind: 'compute', compute } as const]),
    ...(search === undefined ? [] : [{ kind: 'search', search } as const]),
    ...(filter === undefined ? [] : [{ kind: 'filter', filter } as const]),
  ]
}

function sequence(apply: readonly Transformation[], start: Stage, groups: Groups, compiler: Compiler): Stage {
  return apply.reduce((stage, step) => transformed(step, stage, groups, compiler), start)
}

function transformed(step: Transformation, stage: Stage, groups: Groups, compiler: Compiler): Stage {
  switch (step.kind) {
    case 'identity':
      return stage
    case 'filter':
      return narrowed(stage, (_, frame) => isTrue(step.filter, frame), compiler)
    case 'search':
      return searchedStage(step.search, stage, compiler)
    case 'orderby':
      return orderedBy(step.orderby, stage)
    case 'top':
    case 'skip':
      return numbered(stage, groups, [], compiler, number =>
        step.kind === 'top' ? sql`${number} <= ${sql.lit(step.count)}` : sql`${number} > ${sql.lit(step.count)}`,
      )
    case 'compute':
      return stage.kind === 'items'
        ? { ...stage, compute: [...stage.compute, ...step.compute] }
        : computedRows(step.compute, stage, compiler)
    case 'ranked':
      return ranked(step, stage, groups, compiler)
    case 'aggregate':
      return aggregatedGroups(step.aggregate, stage, groups, compiler)
    case 'groupby':
      return grouped(step, stage, groups, compiler)
    case 'concat':
      return united(
        step.branches.map(branch => sequence(branch, stage, groups, compiler)),
        compiler,
      )
  }
}

function searchedStage(
  search: Extract<Transformation, { kind: 'search' }>['search'],
  stage: Stage,
  compiler: Compiler,
): Stage {
  const { scope, frame, searched } = compiler
  if (stage.kind !== 'items') throw unsupportedQuery('$apply', "'search' finds items of the collection only.")
  return narrowed(
    stage,
    alias =>
      searchCondition(search, {
        table: scope.table,
        dialect: frame.dialect,
        column: column => sql`${sql.id(alias, column)}`,
        properties: searched,
      }),
    compiler,
  )
}

function computedRows(compute: readonly ComputeItem[], stage: RowStage, compiler: Compiler): RowStage {
  return compute.reduce<RowStage>((rows, { expression, alias: name }) => {
    const alias = compiler.alias()
    const frame = frameOf(rows, alias, compiler)
    const operand = compileOperand(expression, frame)
    if (operand.kind !== 'scalar') throw unsupportedQuery('$apply', `'${name}' is not a single value.`)
    const { value, type } = encoded(operand, frame)
    const added = columnOf([name], rows.columns.length, type, compiler)
    return {
      ...rows,
      source: sql`(SELECT ${sql.id(alias)}.*, ${value} AS ${sql.id(added.column)} ${fromOf(rows, alias)})`,
      columns: [...rows.columns, added],
      parts: rows.parts.map(part => [...part, added]),
    }
  }, stage)
}

function grouped(
  { by, apply }: { readonly by: readonly GroupingItem[]; readonly apply: readonly Transformation[] },
  stage: Stage,
  groups: Groups,
  compiler: Compiler,
): Stage {
  const levels = groupings(by).map(paths => {
    const all = [...groups.paths, ...paths]
    if (apply.length === 0) return aggregated([], stage, all, compiler)
    return sequence(apply, stage, { paths: all, origin: stage }, compiler)
  })
  const [only] = levels
  return levels.length === 1 && only !== undefined ? only : united(levels, compiler)
}
