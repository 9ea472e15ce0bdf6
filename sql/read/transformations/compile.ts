import { sql } from 'kysely'
import {
  type ComputeItem,
  type Expression,
  type GroupingItem,
  groupings,
  type QueryOptions,
  type Transformation,
} from '../../../runtime/query/index.js'
import type { Sql } from '../../dialects/dialect.js'
import { compileOperand, isTrue } from '../../filter/expressions.js'
import type { Operand } from '../../filter/frame.js'
import { ofColumn, rowOperand } from '../../filter/paths.js'
import { unsupportedQuery } from '../../query-faults.js'
import type { QueryTarget } from '../../query-target.js'
import { type Storage, type StoredType, storageOf, storedProperties } from '../../schema/stored-type.js'
import { searchCondition } from '../../search.js'
import { orderSql, type SortKey } from '../keyset-pagination.js'
import { type QueryContext, queryFrame } from '../query-frame.js'
import type { Scope } from '../scope.js'
import { aggregated, aggregatedGroups, numbered, orderedBy, ranked } from './aggregate.js'
import {
  type Compiler,
  columnOf,
  encoded,
  frameOf,
  fromOf,
  type Groups,
  keysOf,
  narrowed,
  partColumn,
  type RowColumn,
  type RowOrder,
  type RowStage,
  rowStage,
  type Stage,
  scalarAt,
  textual,
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
  let rows = stage
  for (const { expression, alias: name } of compute) {
    const alias = compiler.alias()
    const frame = frameOf(rows, alias, compiler)
    const operand = compileOperand(expression, frame)
    if (operand.kind !== 'scalar') throw unsupportedQuery('$apply', `'${name}' is not a single value.`)
    const { value, type } = encoded(operand, frame)
    const added = columnOf([name], rows.columns.length, type, compiler)
    rows = {
      ...rows,
      source: sql`(SELECT ${sql.id(alias)}.*, ${value} AS ${sql.id(added.column)} ${fromOf(rows, alias)})`,
      columns: [...rows.columns, added],
      parts: rows.parts.map(part => [...part, added]),
    }
  }
  return rows
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

/** The columns with the number of the stage that a row comes from, and with its number there. */
const branchColumn = 'branch'
const placeColumn = 'place'

/** Items as rows with their properties. */
function asRows(stage: Stage, compiler: Compiler): RowStage {
  if (stage.kind === 'rows') return stage
  const { scope, frame } = compiler
  const alias = compiler.alias()
  const inner = frameOf(stage, alias, compiler)
  const properties = storedProperties(scope.type).filter(({ returned }) => returned !== 'onSelect')
  const cells = [
    ...properties.map(property => {
      const { name, type } = stage.table.columnOf(property)
      return { path: [property.name], value: textual(sql`${sql.id(alias, name)}`, type, frame.dialect.collated), type }
    }),
    ...stage.compute.map(({ alias: name }) => ({ path: [name], ...encoded(scalarAt([name], inner), inner) })),
  ]
  const rows = rowStage(
    cells,
    fromOf(stage, alias),
    compiler,
    [sql`${numberOf(stage, alias, compiler)} AS ${sql.id(placeColumn)}`],
    place => [hiddenKey(place, placeColumn)],
  )
  const columns = rows.columns.map((column, index) => {
    const property = properties[index]
    if (property === undefined || column.type.kind !== 'json') return column
    const operand = (value: Sql): Operand =>
      ofColumn(property, { ...rowOperand(scope.type, stage.table, alias), column: () => value }, frame)
    return { ...column, operand }
  })
  return { ...rows, columns, parts: [columns] }
}

function numberOf(stage: Stage, alias: string, compiler: Compiler): Sql {
  return sql`row_number() OVER (ORDER BY ${orderSql(keysOf(stage, alias, [], compiler), compiler.frame.dialect)})`
}

function hiddenKey(alias: string, column: string): SortKey {
  return {
    value: sql`${sql.id(alias, column)}`,
    direction: 'asc',
    storage: 'integer',
    nullable: false,
    placesNull: false,
  }
}

/** The rows of all stages, one after the other, each in its order. */
function united(stages: readonly Stage[], compiler: Compiler): RowStage {
  const all = stages.map(stage => asRows(stage, compiler))
  const columns: RowColumn[] = []
  for (const { columns: own } of all) {
    for (const column of own) {
      const name = column.path.join('/')
      const known = columns.find(({ path }) => path.join('/') === name)
      if (known === undefined) columns.push({ ...column, column: `c${columns.length}` })
      else if (known.type.kind !== column.type.kind)
        throw unsupportedQuery('$apply', `'${name}' has different types in the parts of 'concat'.`)
    }
  }
  const places = new Map(columns.map(column => [column.path.join('/'), column]))
  const parts: (readonly RowColumn[])[] = []
  const selects = all.map((rows, index) => {
    const alias = compiler.alias()
    const listed = columns.map(({ path, column, type }) => {
      const own = rows.columns.find(candidate => candidate.path.join('/') === path.join('/'))
      const value = own === undefined ? nullOf(type, compiler) : sql`${sql.id(alias, own.column)}`
      return sql`${textual(value, type, compiler.frame.dialect.collated)} AS ${sql.id(column)}`
    })
    const offset = sql.lit(parts.length)
    for (const part of rows.parts) {
      parts.push(part.flatMap(({ path }) => places.get(path.join('/')) ?? []))
    }
    const part = sql`${sql.id(alias, partColumn)} + ${offset} AS ${sql.id(partColumn)}`
    const branch = sql`${sql.lit(index)} AS ${sql.id(branchColumn)}`
    const place = sql`${numberOf(rows, alias, compiler)} AS ${sql.id(placeColumn)}`
    return sql`SELECT ${sql.join([...listed, part, branch, place])} ${fromOf(rows, alias)}`
  })
  const order: RowOrder = alias => [hiddenKey(alias, branchColumn), hiddenKey(alias, placeColumn)]
  return { kind: 'rows', source: sql`(${sql.join(selects, sql` UNION ALL `)})`, columns, parts, order }
}

function nullOf({ kind }: StoredType, { frame }: Compiler): Sql {
  const storage: Storage = storageOf(kind)
  return frame.dialect.name === 'sqlite' ? sql`NULL` : frame.dialect.bind(null, storage)
}
