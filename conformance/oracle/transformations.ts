import type { AggregateItem, Expression, Transformation } from '../../runtime/query/index.js'
import type { Row } from '../json.js'
import { leafValue } from '../lists/properties.js'
import { truthOn } from './evaluate.js'
import type { EvaluationContext } from './paths.js'
import { add, compareRationals, divide, integerOf, multiply, type Rational, rationalOf } from './rational.js'
import { isTrue } from './truth-set.js'

/** A row that transformations result in: a JSON value by the path of each property. A sum is an exact number. */
export type TransformedRow = ReadonlyMap<string, unknown>

/** The items or rows on their way. */
type Stage =
  | { readonly kind: 'items'; readonly rows: readonly Row[]; readonly computed: ReadonlyMap<string, Expression> }
  | { readonly kind: 'rows'; readonly rows: readonly TransformedRow[] }

/**
 * What transformations make of harvested items. It knows the transformations that the suite builds, and shares no code with
 * the services under test. Rows are in no particular order; items are rows with the properties `keys`.
 *
 * @returns undefined if services may differ, as on ties of a ranking
 * @see OData Extension for Data Aggregation 4.0, 3
 */
export function transformRows(
  rows: readonly Row[],
  apply: readonly Transformation[],
  keys: readonly string[],
  context: EvaluationContext,
): readonly TransformedRow[] | undefined {
  const start: Stage = { kind: 'items', rows, computed: new Map() }
  const end = sequence(start, apply, new Map(), context)
  if (end === undefined) return undefined
  return end.kind === 'rows' ? end.rows : end.rows.map(row => new Map(keys.map(name => [name, leafValue(row, [name])])))
}

function sequence(
  start: Stage,
  apply: readonly Transformation[],
  group: TransformedRow,
  context: EvaluationContext,
): Stage | undefined {
  let stage: Stage | undefined = start
  for (const step of apply) stage = stage === undefined ? undefined : transformed(stage, step, group, context)
  return stage
}

function transformed(
  stage: Stage,
  step: Transformation,
  group: TransformedRow,
  context: EvaluationContext,
): Stage | undefined {
  if (stage.kind === 'rows') return undefined
  switch (step.kind) {
    case 'identity':
      return stage
    case 'filter': {
      const truth = truthOn(step.filter, context)
      const truths = stage.rows.map(truth)
      if (truths.some(each => (each & isTrue) !== 0 && each !== isTrue)) return undefined
      return { ...stage, rows: stage.rows.filter((_, index) => truths[index] === isTrue) }
    }
    case 'compute': {
      const added = step.compute.map(({ alias, expression }) => [alias, expression] as const)
      return { ...stage, computed: new Map([...stage.computed, ...added]) }
    }
    case 'ranked':
      return ranked(stage, step)
    case 'aggregate': {
      const values = step.aggregate.map(item => [item.alias, aggregated(item, stage)] as const)
      if (values.some(([, value]) => value === undefined)) return undefined
      return { kind: 'rows', rows: [new Map([...group, ...values])] }
    }
    case 'groupby':
      return grouped(stage, step, group, context)
    case 'concat': {
      const branches = step.branches.map(branch => sequence(stage, branch, group, context))
      const all = branches.flatMap(branch => (branch?.kind === 'rows' ? [branch.rows] : []))
      return all.length === branches.length ? { kind: 'rows', rows: all.flat() } : undefined
    }
    default:
      return undefined
  }
}

function grouped(
  stage: Extract<Stage, { kind: 'items' }>,
  { by, apply }: Extract<Transformation, { kind: 'groupby' }>,
  outer: TransformedRow,
  context: EvaluationContext,
): Stage | undefined {
  const rows: TransformedRow[] = []
  for (const paths of levels(by)) {
    const groups = new Map<string, { readonly values: TransformedRow; readonly rows: Row[] }>()
    for (const row of stage.rows) {
      const values = new Map(paths.map(path => [path.join('/'), leafValue(row, path)]))
      if ([...values.values()].includes(undefined)) return undefined
      const key = JSON.stringify([...values.values()])
      const group = groups.get(key) ?? { values, rows: [] }
      group.rows.push(row)
      groups.set(key, group)
    }
    for (const { values, rows: inner } of groups.values()) {
      const all = new Map([...outer, ...values])
      const end = apply.length === 0 ? undefined : sequence({ ...stage, rows: inner }, apply, all, context)
      if (apply.length === 0) rows.push(all)
      else if (end?.kind === 'rows') rows.push(...end.rows)
      else return undefined
    }
  }
  return { kind: 'rows', rows }
}

type Paths = readonly (readonly string[])[]

/** The properties of the groups on all levels of rollups. @see 3.2.3.2 */
function levels(by: Extract<Transformation, { kind: 'groupby' }>['by']): readonly Paths[] {
  return by.reduce<readonly Paths[]>(
    (all, item) => {
      const own: readonly Paths[] =
        item.kind === 'property'
          ? [[item.path]]
          : [
              ...item.paths.map((_, index) => item.paths.slice(0, item.paths.length - index)),
              ...(item.total ? [[]] : []),
            ]
      return all.flatMap(before => own.map(paths => [...before, ...paths]))
    },
    [[]],
  )
}

/** The items with the largest or smallest numbers; undefined if items with equal numbers are in and out. @see 3.3.1.1 */
function ranked(
  stage: Extract<Stage, { kind: 'items' }>,
  { end, by, amount, measure }: Extract<Transformation, { kind: 'ranked' }>,
): Stage | undefined {
  if (by !== 'count' || amount.kind !== 'literal') return undefined
  const sign = end === 'top' ? -1 : 1
  const values = stage.rows.map(row => ({ row, value: numberOf(measure, row, stage.computed) }))
  const numbers = values.flatMap(({ row, value }) => (value === null || value === undefined ? [] : [{ row, value }]))
  const count = Number(amount.value)
  if (numbers.length < values.length || count >= numbers.length) return undefined
  numbers.sort((a, b) => sign * compareRationals(a.value, b.value))
  const [last, next] = numbers.slice(count - 1, count + 1)
  if (last === undefined || next === undefined || compareRationals(last.value, next.value) === 0) return undefined
  return { ...stage, rows: numbers.slice(0, count).map(({ row }) => row) }
}

/** The value of an aggregate. Undefined: it is not known. @see 3.2.1.3 */
function aggregated(
  { expression, method }: AggregateItem,
  { rows, computed }: Extract<Stage, { kind: 'items' }>,
): unknown {
  if (expression === undefined) return integerOf(rows.length)
  const all = rows.map(row => numberOf(expression, row, computed))
  if (all.includes(undefined)) return undefined
  const values = all.flatMap(value => (value === null || value === undefined ? [] : [value]))
  const distinct = values.filter(
    (value, index) => values.findIndex(other => compareRationals(other, value) === 0) === index,
  )
  if (method === 'countdistinct') return integerOf(distinct.length)
  const [first] = values
  if (first === undefined) return null
  const sum = values.slice(1).reduce(add, first)
  switch (method) {
    case 'sum':
      return sum
    case 'average':
      return divide(sum, integerOf(values.length))
    case 'min':
      return values.reduce((least, value) => (compareRationals(value, least) < 0 ? value : least))
    case 'max':
      return values.reduce((most, value) => (compareRationals(value, most) > 0 ? value : most))
    default:
      return undefined
  }
}

/** A numeric property, or a computed product. Undefined: it is not known. */
function numberOf(
  expression: Expression,
  row: Row,
  computed: ReadonlyMap<string, Expression>,
): Rational | null | undefined {
  switch (expression.kind) {
    case 'literal':
      return rationalOf(String(expression.value))
    case 'binary': {
      const left = numberOf(expression.left, row, computed)
      const right = numberOf(expression.right, row, computed)
      if (left === undefined || right === undefined || expression.operator !== 'mul') return undefined
      return left === null || right === null ? null : multiply(left, right)
    }
    case 'path': {
      const names = expression.segments.map(segment => (segment.kind === 'property' ? segment.name : ''))
      const definition = computed.get(names.join('/'))
      if (definition !== undefined) return numberOf(definition, row, computed)
      const value = leafValue(row, names)
      if (value === null || value === undefined) return value
      return rationalOf(String(value))
    }
    default:
      return undefined
  }
}
