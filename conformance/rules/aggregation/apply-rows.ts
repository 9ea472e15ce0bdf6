import type { AggregateItem, AggregationMethod, QueryOptions, Transformation } from '../../../runtime/query/index.js'
import type { ApplyCapabilities } from '../../../spec/language/index.js'
import { isRow, type Row } from '../../json.js'
import { certainFilters } from '../../lists/certain-filters.js'
import { leafValue, orderbyItem } from '../../lists/properties.js'
import { countOf, queryText, readRows } from '../../lists/read-rows.js'
import { listSites, type QuerySite, querySite } from '../../lists/related-items.js'
import { evaluationContextOf } from '../../oracle/predict.js'
import { areClose, compareRationals, type Rational, rationalOf } from '../../oracle/rational.js'
import { type TransformedRow, transformRows } from '../../oracle/transformations.js'
import { binary, integerLiteral, pathTo } from '../../probes/expressions.js'
import type { ActiveRule, TestCase } from '../../rule/rule.js'
import { failure } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { measuredList } from './measured-lists.js'

/** @see OData Extension for Data Aggregation 4.0, 3 */
export const applyRows: ActiveRule = {
  kind: 'active',
  id: 'apply-rows',
  area: 'aggregation',
  statement:
    '$apply returns the rows that its transformations produce from the items, and other options apply to these rows.',
  advice:
    'Typical errors: a null counts as a value in an average, items without a value lose their group, the aggregate of no items is an empty list, subtotals of a rollup are missing, or $filter applies to the items before $apply.',
  aspects: ['apply.rows'],
  covers: ['apply', ...['aggregate', 'groupby', 'filter', 'compute', 'concat', 'ranked'].map(name => `apply.${name}`)],
  severity: 'must',
  writes: false,
  requiredOptions: ['apply'],
  cost: 1,
  weight: 20,
  sites: session => listSites(session, ({ apply }) => apply !== undefined && apply.support !== 'none'),
  cases: (site, session) => {
    const found = querySite(site)
    const planned = found === undefined ? [] : plannedQueries(found, session)
    return planned.length === 0 ? { skipReason: 'a list of at least three items' } : { planned }
  },
  check: async ({ options = {} }, site, session) => {
    const found = querySite(site)
    const snapshot = session.snapshot(site)
    if (found === undefined || snapshot?.complete !== true || options.apply === undefined) {
      return { kind: 'inconclusive', why: 'the list could not be read completely' }
    }
    const keys = found.type.key.map(({ name }) => name)
    const rows = transformRows(snapshot.rows, options.apply, keys, evaluationContextOf(snapshot, session))
    const expected = rows === undefined ? undefined : filteredRows(rows, options)
    if (expected === undefined) return { kind: 'inconclusive', why: 'services may differ in the result' }
    const reading = await readRows(found, session, options)
    if (reading.kind === 'ended') return reading.verdict
    const { rows: received, pages, end } = reading.listing
    if (end !== 'complete') return { kind: 'inconclusive', why: 'the list is too long' }
    const problem = problemOf(received, expected, options, countOf(pages[0]))
    if (problem === undefined) return { kind: 'pass' }
    return failure({
      message: `${queryText(options)} returned other rows than its transformations result in.`,
      ...problem,
      answers: pages.slice(0, 3),
      features: ['apply', ...stepsOf(options.apply)],
    })
  },
}

/** The transformations and aggregation methods in a sequence. */
function stepsOf(apply: readonly Transformation[]): readonly string[] {
  const names = apply.flatMap((step): readonly string[] => {
    switch (step.kind) {
      case 'groupby':
        return [
          step.by.some(({ kind }) => kind === 'rollup') ? 'apply.rollup' : 'apply.groupby',
          ...stepsOf(step.apply),
        ]
      case 'concat':
        return ['apply.concat', ...step.branches.flatMap(stepsOf)]
      case 'aggregate':
        return step.aggregate.map(({ method }) => `apply.${method}`)
      default:
        return [`apply.${step.kind}`]
    }
  })
  return [...new Set(names)].sort()
}

/** The rows after `$filter`, which compares a number. */
function filteredRows(
  rows: readonly TransformedRow[],
  { filter }: QueryOptions,
): readonly TransformedRow[] | undefined {
  if (filter === undefined) return rows
  if (filter.kind !== 'binary' || filter.operator !== 'gt') return undefined
  const { left, right } = filter
  const [segment] = left.kind === 'path' ? left.segments : []
  const limit = right.kind === 'literal' ? rationalOf(String(right.value)) : undefined
  if (segment?.kind !== 'property' || limit === undefined) return undefined
  return rows.filter(row => {
    const value = row.get(segment.name)
    return isRational(value) && compareRationals(value, limit) > 0
  })
}

function isRational(value: unknown): value is Rational {
  return typeof value === 'object' && value !== null && 'numerator' in value && 'denominator' in value
}

interface Problem {
  readonly expected: string
  readonly received: string
}

function problemOf(
  received: readonly Row[],
  expected: readonly TransformedRow[],
  { orderby, count }: QueryOptions,
  counted: unknown,
): Problem | undefined {
  const left = [...received]
  for (const row of expected) {
    const index = left.findIndex(candidate => isSame(candidate, row, expected))
    if (index < 0) return { expected: `a row ${rowText(row)}`, received: receivedText(received) }
    left.splice(index, 1)
  }
  if (left.length > 0) return { expected: `${expected.length} rows`, received: receivedText(left) }
  if (count === true && counted !== expected.length)
    return { expected: `@odata.count: ${expected.length}`, received: `@odata.count: ${JSON.stringify(counted)}` }
  const [key] = orderby ?? []
  const [segment] = key?.expression.kind === 'path' ? key.expression.segments : []
  if (segment?.kind !== 'property') return undefined
  const numbers = received.map(row => Number(row[segment.name]))
  const isSorted = numbers.every((value, index) => index === 0 || value <= (numbers[index - 1] ?? value))
  return isSorted ? undefined : { expected: `rows by ${segment.name} descending`, received: numbers.join(', ') }
}

/** Whether a received row has the values of an expected one. What the others have and it lacks is absent or null. */
function isSame(received: Row, row: TransformedRow, all: readonly TransformedRow[]): boolean {
  const paths = new Set(all.flatMap(each => [...each.keys()]))
  return [...paths].every(path => {
    const value = received[path] ?? null
    const wanted = row.get(path) ?? null
    if (!isRational(wanted)) return value === wanted
    const number = typeof value === 'number' || typeof value === 'string' ? rationalOf(String(value)) : undefined
    return number !== undefined && areClose(number, wanted)
  })
}

function rowText(row: TransformedRow): string {
  return JSON.stringify(
    Object.fromEntries(
      [...row].map(([path, value]) => [
        path,
        isRational(value) ? Number((Number(value.numerator) / Number(value.denominator)).toPrecision(15)) : value,
      ]),
    ),
  )
}

function receivedText(rows: readonly Row[]): string {
  const shown = rows.slice(0, 3).map(row => JSON.stringify(isRow(row) ? row : {}).slice(0, 200))
  return rows.length === 0 ? 'no rows' : `${rows.length} rows: ${shown.join(', ')}`
}

const count: AggregateItem = { method: 'count', alias: 'n' }

function plannedQueries(site: QuerySite, session: Session): readonly TestCase[] {
  const { query } = site.endpoint
  const { apply } = query
  const list = measuredList(site, session)
  if (apply === undefined || list === undefined) return []
  const isAllowed = (allowed: readonly string[] | undefined, path: readonly string[]): boolean =>
    allowed === undefined || allowed.includes(path.join('/'))
  const measures = list.measures.map(({ path }) => path).filter(path => isAllowed(apply.aggregatable, path))
  const groups = list.groups.map(({ path }) => path).filter(path => isAllowed(apply.groupable, path))
  const filter = certainFilters(site, session)[0]?.filter
  const found: QueryOptions[] = []
  const add = (steps: readonly Transformation[], options: QueryOptions = {}): void => {
    if (uses(steps).every(name => offers(apply, name))) found.push({ apply: steps, ...options })
  }
  const aggregate = (...items: readonly AggregateItem[]): Transformation => ({ kind: 'aggregate', aggregate: items })
  const by = (paths: readonly (readonly string[])[], ...steps: readonly Transformation[]): Transformation => ({
    kind: 'groupby',
    by: paths.map(path => ({ kind: 'property', path })),
    apply: steps,
  })
  const of = (path: readonly string[], method: AggregationMethod, alias: string): AggregateItem => ({
    expression: pathTo(path),
    method,
    alias,
  })
  const [group, other] = groups
  const [measure] = measures
  const snapshot = session.snapshot(site)
  const statistics = (path: readonly string[]): Transformation =>
    aggregate(
      count,
      of(path, 'sum', 'total'),
      of(path, 'average', 'mean'),
      of(path, 'min', 'least'),
      of(path, 'max', 'most'),
      of(path, 'countdistinct', 'different'),
    )
  add([measure === undefined ? aggregate(count) : statistics(measure)])
  if (group !== undefined && other !== undefined) {
    add([by([group, other], aggregate(count))])
    if (apply.rollup)
      add([
        { kind: 'groupby', by: [{ kind: 'rollup', paths: [group, other], total: false }], apply: [aggregate(count)] },
      ])
  }
  if (group !== undefined) {
    add([by([group], aggregate(count, ...(measure === undefined ? [] : [of(measure, 'sum', 'total')])))])
    const many = binary('gt', pathTo(['n']), integerLiteral(1))
    if (query.filter.support !== 'none' && Object.hasOwn(query.filter.operators, 'gt'))
      add([by([group], aggregate(count))], { filter: many, ...(query.count === 'none' ? {} : { count: true }) })
    if (query.orderby.support !== 'none' && query.orderby.only === undefined)
      add([by([group], aggregate(count))], { orderby: [orderbyItem(['n'], 'desc')] })
    if (filter !== undefined) add([{ kind: 'filter', filter }, by([group], aggregate(count))])
    add([{ kind: 'concat', branches: [[by([group], aggregate(count))], [aggregate(count)]] }])
  }
  for (const end of ['top', 'bottom'] as const) {
    // The first ranking without ties on its border. Nulls have no rank that services agree on, so a filter excludes them.
    const rankings = measures.slice(0, 4).flatMap(path => {
      const values = numbersOf(path, snapshot?.rows ?? [])
      const known = binary('ge', pathTo(path), integerLiteral(Math.floor(Math.min(...values))))
      const ranked = [1, 2, 3].map((amount): Transformation => {
        return { kind: 'ranked', end, by: 'count', amount: integerLiteral(amount), measure: pathTo(path) }
      })
      const isFilterable = values.length > 0 && Object.hasOwn(query.filter.operators, 'ge')
      return [
        ...ranked.map(step => [step]),
        ...(isFilterable
          ? ranked.map((step): readonly Transformation[] => [{ kind: 'filter', filter: known }, step])
          : []),
      ]
    })
    const certain = rankings.find(steps => {
      if (snapshot === undefined || !uses(steps).every(name => offers(apply, name))) return false
      return transformRows(snapshot.rows, steps, [], evaluationContextOf(snapshot, session)) !== undefined
    })
    if (certain !== undefined) add(certain)
  }
  if (measure !== undefined && Object.hasOwn(query.filter.operators, 'gt')) {
    const most = Math.max(...(snapshot?.rows ?? []).map(row => Number(row[measure.join('/')] ?? 0)))
    const none = binary('gt', pathTo(measure), integerLiteral(Math.ceil(most) + 1))
    add([{ kind: 'filter', filter: none }, aggregate(count, of(measure, 'sum', 'total'))])
  }
  if (measure !== undefined && Object.hasOwn(query.filter.operators, 'mul')) {
    const twice = { expression: binary('mul', pathTo(measure), integerLiteral(2)), alias: 'twice' }
    add([{ kind: 'compute', compute: [twice] }, aggregate(of(['twice'], 'sum', 'total'))])
  }
  if (group !== undefined) add([by([group])])
  for (const path of measures.slice(1, 3)) add([statistics(path)])
  for (const path of groups.slice(1, 3)) add([by([path], aggregate(count))])
  return found.map(options => ({ options }))
}

function numbersOf(path: readonly string[], rows: readonly Row[]): readonly number[] {
  return rows.map(row => leafValue(row, path)).filter(value => typeof value === 'number')
}

function offers({ transformations }: ApplyCapabilities, name: string): boolean {
  return transformations.includes(name)
}

/** The names of the transformations in a sequence. */
function uses(steps: readonly Transformation[]): readonly string[] {
  return steps.flatMap(step => {
    if (step.kind === 'groupby') return ['groupby', ...uses(step.apply)]
    if (step.kind === 'concat') return ['concat', ...step.branches.flatMap(uses)]
    return [step.kind === 'ranked' ? `${step.end}${step.by}` : step.kind]
  })
}
