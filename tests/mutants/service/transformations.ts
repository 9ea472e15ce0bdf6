import {
  type AggregateItem,
  type ComputeItem,
  type Expression,
  groupings,
  type OrderbyItem,
  type Transformation,
} from '../../../runtime/query/index.js'
import type { EntityType } from '../../../spec/language/index.js'
import { type EndpointContext, environmentOf } from './behaviour.js'
import { evaluate } from './evaluate.js'
import { isObject, type Json } from './json.js'
import { representationOf } from './representation.js'
import type { Entity } from './store.js'
import { truthOf, type Value } from './values.js'

/** A row of transformed items: an item with computed properties, or values by path. */
interface Row {
  readonly entity?: Entity
  readonly members: ReadonlyMap<string, Value>
}

/** The rows that `$apply`, `$filter`, `$compute` and `$orderby` make of items, as JSON. */
export function transformedItems(entities: readonly Entity[], type: EntityType, at: EndpointContext): readonly Json[] {
  const { apply = [], filter, compute, orderby } = at.options
  const steps: readonly Transformation[] = [
    ...apply,
    ...(compute === undefined ? [] : [{ kind: 'compute', compute } as const]),
    ...(filter === undefined ? [] : [{ kind: 'filter', filter } as const]),
    ...(orderby === undefined ? [] : [{ kind: 'orderby', orderby } as const]),
  ]
  const rows = transform(
    entities.map(entity => ({ entity, members: new Map() })),
    steps,
    [],
    at,
  )
  const selected = at.options.select?.map(({ path }) => path[0])
  return rows.map(({ entity, members }) => {
    const json: Record<string, Json> = entity === undefined ? {} : { ...representationOf(entity, type, at) }
    for (const [path, value] of members) {
      if (selected === undefined || selected.includes(path.split('/')[0])) setAt(json, path.split('/'), jsonOf(value))
    }
    return json
  })
}

function setAt(json: Record<string, Json>, [first = '', ...rest]: readonly string[], value: Json): void {
  if (rest.length === 0) {
    json[first] = value
    return
  }
  const known = json[first]
  const inner: Record<string, Json> = isObject(known) ? { ...known } : {}
  setAt(inner, rest, value)
  json[first] = inner
}

function jsonOf(value: Value): Json {
  if (value === null || typeof value !== 'object') return value
  if ('text' in value) return value.text
  return value.kind === 'instant' ? new Date(Number(value.nanos / 1_000_000n)).toISOString() : null
}

type Group = ReadonlyMap<string, Value>

function transform(
  rows: readonly Row[],
  steps: readonly Transformation[],
  groups: readonly Group[],
  at: EndpointContext,
): readonly Row[] {
  return steps.reduce((all, step) => transformed(all, step, groups, at), rows)
}

function transformed(
  rows: readonly Row[],
  step: Transformation,
  groups: readonly Group[],
  at: EndpointContext,
): readonly Row[] {
  switch (step.kind) {
    case 'filter':
      return rows.filter(row => truthOf(evaluated(step.filter, row, at)) === true)
    case 'orderby':
      return sorted(rows, step.orderby, at)
    case 'top':
      return rows.slice(0, step.count)
    case 'skip':
      return rows.slice(step.count)
    case 'compute':
      return step.compute.reduce((all, item) => computed(all, item, at), rows)
    case 'ranked': {
      const direction = step.end === 'top' ? 'desc' : 'asc'
      const [start] = rows
      const amount = start === undefined ? 0 : evaluated(step.amount, start, at)
      return sorted(rows, [{ expression: step.measure, direction }], at).slice(0, Number(amount))
    }
    case 'aggregate': {
      const members = new Map(groups.flatMap(group => [...group]))
      for (const item of step.aggregate) members.set(item.alias, aggregated(item, rows, at))
      return [{ members }]
    }
    case 'groupby':
      return groupings(step.by).flatMap(paths =>
        at.behaviour
          .groups(rows, row => paths.map(path => [path.join('/'), evaluated(pathOf(path), row, at)]))
          .flatMap(({ values, rows: inner }) => {
            const all = [...groups, new Map(values)]
            if (step.apply.length > 0) return transform(inner, step.apply, all, at)
            return [{ members: new Map(all.flatMap(group => [...group])) }]
          }),
      )
    case 'concat':
      return step.branches.flatMap(branch => transform(rows, branch, groups, at))
    default:
      return rows
  }
}

function computed(rows: readonly Row[], { expression, alias }: ComputeItem, at: EndpointContext): readonly Row[] {
  return rows.map(row => ({ ...row, members: new Map(row.members).set(alias, evaluated(expression, row, at)) }))
}

function sorted(rows: readonly Row[], orderby: readonly OrderbyItem[], at: EndpointContext): readonly Row[] {
  const keyed = rows.map(row => ({ row, keys: orderby.map(({ expression }) => evaluated(expression, row, at)) }))
  keyed.sort((left, right) => {
    for (const [index, item] of orderby.entries()) {
      const order = at.behaviour.compareSortValues(left.keys[index] ?? null, right.keys[index] ?? null, item, at)
      if (order !== 0) return order
    }
    return 0
  })
  return keyed.map(({ row }) => row)
}

function aggregated({ expression, method }: AggregateItem, rows: readonly Row[], at: EndpointContext): Value {
  if (expression === undefined) return rows.length
  return at.behaviour.aggregate(
    method,
    rows.map(row => evaluated(expression, row, at)),
    at,
  )
}

/** @see OData Extension for Data Aggregation 4.0, 3.2.1.3 (aggregation methods) */
export function aggregateValues(method: AggregateItem['method'], all: readonly Value[], at: EndpointContext): Value {
  const values = all.filter(value => value !== null)
  const sum = values.reduce((total: number, value) => total + Number(value), 0)
  switch (method) {
    case 'sum':
      return values.length === 0 ? null : roundOff(sum)
    case 'average':
      return values.length === 0 ? null : roundOff(sum / values.length)
    case 'countdistinct':
      return new Set(values.map(value => JSON.stringify(jsonOf(value)))).size
    case 'count':
      return roundOff(sum)
    default: {
      const direction = method === 'min' ? 'asc' : 'desc'
      const item: OrderbyItem = { expression: pathOf([]), direction }
      return values.toSorted((left, right) => at.behaviour.compareSortValues(left, right, item, at))[0] ?? null
    }
  }
}

/** The groups of rows with equal values, in the order of their first rows. */
export function groupsOf<T>(rows: readonly T[], keyOf: (row: T) => readonly (readonly [string, Value])[]) {
  const found = new Map<string, { readonly values: readonly (readonly [string, Value])[]; readonly rows: T[] }>()
  for (const row of rows) {
    const values = keyOf(row)
    const key = JSON.stringify(values.map(([, value]) => jsonOf(value)))
    const group = found.get(key) ?? { values, rows: [] }
    group.rows.push(row)
    found.set(key, group)
  }
  return [...found.values()]
}

/** Sums of decimals as binary numbers have errors in their last digits. */
const roundOff = (value: number): number => Number(value.toPrecision(14))

function pathOf(names: readonly string[]): Expression {
  return { kind: 'path', segments: names.map(name => ({ kind: 'property', name })) }
}

/** The value of an expression for a row. */
function evaluated(expression: Expression, row: Row, at: EndpointContext): Value {
  const known = expression.kind === 'path' ? row.members.get(pathText(expression)) : undefined
  if (known !== undefined) return known
  const { behaviour } = at
  const readProperty: typeof behaviour.readProperty = (value, name, env) => {
    const isRow = value === env.it
    const member = isRow ? row.members.get(name) : undefined
    return member !== undefined || (isRow && row.entity === undefined)
      ? (member ?? null)
      : behaviour.readProperty(value, name, env)
  }
  const inner = { ...at, behaviour: { ...behaviour, readProperty } }
  if (row.entity !== undefined) return evaluate(expression, environmentOf(row.entity, inner))
  return evaluate(expression, {
    at: inner,
    it: { kind: 'other', json: null },
    variables: new Map(),
    aliases: at.options.aliases ?? {},
    parameters: new Map(),
  })
}

function pathText(path: Extract<Expression, { kind: 'path' }>): string {
  return path.segments.map(segment => (segment.kind === 'property' ? segment.name : `$${segment.kind}`)).join('/')
}
