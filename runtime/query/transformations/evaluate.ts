import type { AggregateItem, Transformation } from '../ast.js'
import { rootContext } from '../binding/context.js'
import { evaluateArithmetic } from '../evaluate/arithmetic.js'
import { isJsonObject, jsonValue, valueJson, valueText } from '../evaluate/conversion.js'
import { decimalText } from '../evaluate/decimal.js'
import { evaluateFilter, orderRows, orderValues, valueFor } from '../evaluate/evaluate.js'
import type { ApplyOptions, Item } from '../evaluate/path.js'
import { integer, isOfKind, type NonNullValue, type Value } from '../evaluate/value.js'
import { matchesSearch } from '../search.js'
import { pathOfNames } from '../traversal.js'
import { structuredTypeInfo } from '../type-table.js'
import { bindTransformation } from './bind.js'
import { groupings, propertyOf, type RowProperty, type TransformedRows, typeAtPath } from './rows.js'

/** The result of transformations: rows, and the options to evaluate further expressions on them. */
interface EvaluatedRows {
  readonly rows: readonly Item[]
  readonly options: ApplyOptions
}

/**
 * Applies transformations to items. Sums and averages of exact numbers are exact; an average has at most 34 digits after
 * the point. Rows are in the order in which their groups first occur.
 *
 * @throws {EvaluationError} when an expression has no value for an item
 * @see OData Extension for Data Aggregation 4.0, 3
 */
export function evaluateTransformations(
  items: readonly Item[],
  apply: readonly Transformation[],
  options: ApplyOptions,
): EvaluatedRows {
  const { types, type, aliases = {} } = options
  const typed: TransformedRows | undefined =
    types === undefined || type === undefined
      ? undefined
      : { context: { ...rootContext(types, type, {}, aliases), option: '$apply' }, compute: [] }
  const stage = run(apply, { rows: items, typed, options }, [])
  return { rows: stage.rows, options: settingsOf(stage) }
}

/** Rows on their way, and what is known of their types. */
interface Stage {
  readonly rows: readonly Item[]
  readonly typed: TransformedRows | undefined
  readonly options: ApplyOptions
}

/** A property of a group, with the value that the items of the group have. */
interface GroupValue {
  readonly path: readonly string[]
  readonly value: Value
}

function settingsOf({ typed, options }: Stage): ApplyOptions {
  if (typed === undefined) return options
  const { current, types } = typed.context
  return { ...options, types, type: 'name' in current ? current.name : options.type }
}

function run(apply: readonly Transformation[], start: Stage, groups: readonly GroupValue[]): Stage {
  return apply.reduce((stage, step) => transformedStage(step, stage, groups), start)
}

function transformedStage(step: Transformation, stage: Stage, groups: readonly GroupValue[]): Stage {
  const { rows } = stage
  const settings = settingsOf(stage)
  const after = (next: readonly Item[]): Stage => ({ ...stage, rows: next, typed: typesAfter(step, stage, groups) })
  switch (step.kind) {
    case 'identity':
      return stage
    case 'filter':
      return after(rows.filter(row => evaluateFilter(step.filter, row, settings)))
    case 'search':
      return after(
        rows.filter(row =>
          matchesSearch(step.search, jsonValue(row, settings.type, settings.types), settings.searchProperties),
        ),
      )
    case 'orderby':
      return after(orderRows(rows, step.orderby, settings))
    case 'top':
      return after(rows.slice(0, step.count))
    case 'skip':
      return after(rows.slice(step.count))
    case 'compute':
      return after(
        rows.map(row => {
          const computed: Record<string, unknown> = { ...row }
          for (const { expression, alias } of step.compute) {
            computed[alias] = valueJson(valueFor(expression, computed, settings))
          }
          return computed
        }),
      )
    case 'ranked':
      return after(rankedRows(step, rows, settings))
    case 'aggregate': {
      const row = rowOf(groups)
      for (const item of step.aggregate) row[item.alias] = valueJson(aggregate(item, rows, settings))
      return after([row])
    }
    case 'groupby':
      return after(grouped(step, stage, groups))
    case 'concat':
      return after(step.branches.flatMap(branch => withoutRelations(run(branch, stage, groups))))
  }
}

/** Items as rows: their relations are not properties of the rows. */
function withoutRelations({ rows, typed }: Stage): readonly Item[] {
  const current = typed?.context.current
  const info = current?.kind === 'entity' ? structuredTypeInfo(current.name, typed?.context.types) : undefined
  if (info === undefined) return rows
  return rows.map(row =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !Object.hasOwn(info.navigation, name))),
  )
}

function typesAfter(
  step: Transformation,
  { typed }: Stage,
  groups: readonly GroupValue[],
): TransformedRows | undefined {
  if (typed === undefined) return undefined
  const properties = groups.map(({ path }): RowProperty => [path, propertyOf(typeAtPath(path, typed))])
  return bindTransformation(step, typed, properties)
}

function rowOf(groups: readonly GroupValue[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const { path, value } of groups) setAtPath(row, path, valueJson(value))
  return row
}

function setAtPath(row: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [first, ...rest] = path.filter(name => !name.includes('.'))
  if (first === undefined) return
  if (rest.length === 0) {
    row[first] = value
    return
  }
  const inner: Record<string, unknown> = isJsonObject(row[first]) ? { ...row[first] } : {}
  setAtPath(inner, rest, value)
  row[first] = inner
}

function grouped(
  { by, apply }: Extract<Transformation, { kind: 'groupby' }>,
  stage: Stage,
  groups: readonly GroupValue[],
): readonly Item[] {
  const settings = settingsOf(stage)
  return groupings(by).flatMap(paths => {
    const found = new Map<string, { readonly values: readonly GroupValue[]; readonly rows: Item[] }>()
    for (const row of stage.rows) {
      const values = paths.map((path): GroupValue => ({ path, value: valueFor(pathOfNames(path), row, settings) }))
      const key = values.map(({ value }) => distinctKey(value)).join()
      const group = found.get(key) ?? { values, rows: [] }
      group.rows.push(row)
      found.set(key, group)
    }
    return [...found.values()].flatMap(({ values, rows }): readonly Item[] => {
      const all = [...groups, ...values]
      if (apply.length === 0) return [rowOf(all)]
      return run(apply, { ...stage, rows }, all).rows
    })
  })
}

/** Equal values have equal keys. */
function distinctKey(value: Value): string {
  if (value === null || typeof value === 'boolean') return String(value)
  switch (value.kind) {
    case 'integer':
      return String(value.value)
    case 'decimal':
      return decimalText(value.value)
    case 'double':
      return String(value.value + 0)
    case 'dateTimeOffset':
    case 'timeOfDay':
    case 'duration':
      return decimalText(value.seconds)
    case 'enum':
      return value.number === undefined ? JSON.stringify(value.text) : String(value.number)
    default:
      return JSON.stringify(valueText(value))
  }
}

function aggregate({ expression, method }: AggregateItem, rows: readonly Item[], settings: ApplyOptions): Value {
  if (expression === undefined) return integer(rows.length)
  const values = rows.map(row => valueFor(expression, row, settings)).filter(isPresent)
  switch (method) {
    case 'count':
      return sumOf(values) ?? integer(0)
    case 'countdistinct':
      return integer(new Set(values.map(distinctKey)).size)
    case 'sum':
      return sumOf(values)
    case 'average': {
      const sum = sumOf(values)
      return sum === null ? null : evaluateArithmetic('divby', sum, integer(values.length))
    }
    case 'min':
    case 'max':
      return extreme(values, method, settings)
  }
}

function isPresent(value: Value): value is NonNullValue {
  return value !== null
}

function sumOf(values: readonly NonNullValue[]): Value {
  return values.reduce<Value>((sum, value) => (sum === null ? value : evaluateArithmetic('add', sum, value)), null)
}

function extreme(values: readonly NonNullValue[], method: 'min' | 'max', settings: ApplyOptions): Value {
  const sign = method === 'min' ? 1 : -1
  return values.reduce<Value>(
    (found, value) => (found === null || sign * orderValues(value, found, settings) < 0 ? value : found),
    null,
  )
}

/**
 * The rows that come first in the order of a measure, in this order: as many as asked for, or until their sum reaches what was
 * asked for. The standard leaves the order to the service.
 *
 * @see OData Extension for Data Aggregation 4.0, 3.3.1 (top and bottom transformations)
 */
function rankedRows(
  { end, by, amount, measure }: Extract<Transformation, { kind: 'ranked' }>,
  rows: readonly Item[],
  settings: ApplyOptions,
): readonly Item[] {
  const given = valueFor(amount, {}, { ...settings, type: undefined })
  if (given === null) return []
  const measured = rows.map(row => ({ row, value: valueFor(measure, row, settings) }))
  const sign = end === 'top' ? -1 : 1
  const ordered = [...measured].sort((left, right) => sign * orderValues(left.value, right.value, settings))
  const limit = by === 'percent' ? percentOf(given, measured) : given
  const chosen: Item[] = []
  let sum: Value = integer(0)
  for (const { row, value } of ordered) {
    const reached: NonNullValue = by === 'count' ? integer(chosen.length) : sum
    if (limit === null || orderValues(reached, limit, settings) >= 0) break
    chosen.push(row)
    if (value !== null && by !== 'count') sum = numberOr(evaluateArithmetic('add', sum, value))
  }
  return chosen
}

function percentOf(percent: NonNullValue, measured: readonly { readonly value: Value }[]): Value {
  const total = sumOf(measured.map(({ value }) => value).filter(isPresent))
  if (total === null) return null
  return evaluateArithmetic('divby', numberOr(evaluateArithmetic('mul', total, percent)), integer(100))
}

function numberOr(value: Value): NonNullValue {
  return value !== null && (isOfKind(value, 'integer') || isOfKind(value, 'decimal') || isOfKind(value, 'double'))
    ? value
    : integer(0)
}
