import { keyOf } from '../../discover/site.js'
import { isRow, type Row } from '../../json.js'
import { timestampsMayBeFiner } from '../../lists/sort-order.js'
import { isFalse, isTrue, type TruthSet, truthOfBoolean } from '../../oracle/truth-set.js'
import { describeResponse, inconclusiveVerdict, isRejection } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { type Finding, failure, type Verdict, verdictOf } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import {
  type Arguments,
  bindArguments,
  type CallResult,
  callOperation,
  callRequest,
  comparisonWith,
  isPointInTime,
  pointInTimeAt,
  type QueryCall,
  queryCall,
  queryCalls,
} from './call.js'
import { disorderFinding, truthOf } from './expected-result.js'

const earliest = '1901-01-01T00:00:00Z'
const latest = '2999-12-31T23:59:59Z'

export const operationWindow: ActiveRule = {
  kind: 'active',
  id: 'operation-window',
  area: 'operations',
  statement:
    'An operation with a time window returns exactly the items within the window, in order. Shortening the window never adds items.',
  advice:
    'Compare points in time, not strings or times in the zone of the server, and check both parameters. The items of a short window are a subset of the items of a longer one.',
  aspects: ['operation.parameters', 'operation.result'],
  covers: ['endpoint.call', 'operation'],
  severity: 'must',
  writes: false,
  cost: 2,
  weight: 7.5,
  sites: session => queryCalls(session).filter(call => boundsOf(call) !== undefined),
  cases: () => ({
    planned: [
      { numbers: [0.25, 0.75] },
      { numbers: [0.5, 1] },
      { numbers: [0, 0.5] },
      { variant: 'one meaning' },
      { variant: 'others' },
    ],
  }),
  check: async ({ numbers, variant }, site, session) => {
    const call = queryCall(site)
    const bounds = call === undefined ? undefined : boundsOf(call)
    if (call === undefined || bounds === undefined) return { kind: 'inconclusive', why: 'it has no time window' }
    const wide = await callWindow(
      call,
      { [bounds.low]: shortened(earliest, call, bounds.low), [bounds.high]: shortened(latest, call, bounds.high) },
      session,
    )
    if (wide === undefined) return { kind: 'inconclusive', why: 'the operation cannot be called with these arguments' }
    if (wide.kind === 'other') {
      const inconclusive = inconclusiveVerdict(wide.answer)
      if (inconclusive !== undefined) return inconclusive
      const { support, operation } = call.endpoint
      if (support !== 'required' && isRejection(wide.answer, session)) return { kind: 'unsupported', constructs: [] }
      return failure({
        message: `The operation ${operation.name} failed.`,
        expected: 'status 200 with a collection',
        received: describeResponse(wide.answer),
        answers: [wide.answer],
        features: [`operation.${operation.name}`, 'refused'],
      })
    }
    const rows = wide.values.filter(isRow)
    const [path] = comparedPaths(call, bounds.property, rows)
    const sorted = path === undefined ? [] : rows.flatMap(row => momentAt(row, path) ?? []).sort()
    if (variant === 'others') {
      const times = rows.flatMap(row =>
        comparedPaths(call, bounds.property, rows).flatMap(each => momentAt(row, each) ?? []),
      )
      return verdictOnOthers(call, bounds, wide, times.sort(), session)
    }
    if (sorted.length < 2) return { kind: 'pass', vacuous: true }
    const windows: Windows[] = []
    const oneMeaning = variant === 'one meaning'
    const ends = [
      ...(oneMeaning ? severalWindows : [numbers ?? []]).map(([from = 0, to = 1]) => [
        momentOf(sorted, from, call, bounds.low),
        momentOf(sorted, to, call, bounds.high),
      ]),
      ...(oneMeaning ? clearWindows(rows, comparedPaths(call, bounds.property, rows)) : []).map(
        ([from = '', to = '']) => [shortened(from, call, bounds.low), shortened(to, call, bounds.high)],
      ),
    ]
    for (const [from = '', to = ''] of ends) {
      const given = { [bounds.low]: from, [bounds.high]: to }
      const narrow = await callWindow(call, given, session)
      if (narrow === undefined || narrow.kind === 'other') {
        return { kind: 'inconclusive', why: 'a shorter window was not answered' }
      }
      windows.push({ call, bounds, given, rows, narrow, wide })
    }
    const finding = windowFinding(windows, session) ?? disorderFinding(wide.values, call, wide.answers, session)
    return verdictOf(finding)
  },
}

/** Years before today at which windows begin, if the widest window has no items. */
const recentYears = [20, 5, 1]

/**
 * Looks for items that the widest window lacks: before its first one, after its last one, and if it has none, in recent windows, and
 * in one that ends before it begins, which has items if the service exchanges the bounds.
 */
async function verdictOnOthers(
  call: QueryCall,
  { low, high }: Bounds,
  wide: Values,
  sorted: readonly string[],
  session: Session,
): Promise<Verdict> {
  const [first] = sorted
  const last = sorted.at(-1)
  if (wide.values.length > 0 && first === undefined) return { kind: 'pass', vacuous: true }
  const windows =
    first === undefined || last === undefined
      ? [[latest, earliest], ...recentYears.map(years => [yearsAgo(years), latest])]
      : [
          [earliest, first],
          [new Date(Date.parse(last) + 1000).toISOString(), latest],
        ]
  const { type } = call.meaning.of
  const known = new Set(wide.values.filter(isRow).map(row => keyOf(row, type)))
  for (const [from = '', to = ''] of windows) {
    const given = { [low]: shortened(from, call, low), [high]: shortened(to, call, high) }
    const other = await callWindow(call, given, session)
    if (other === undefined || other.kind === 'other') continue
    const surplus = other.values.filter(isRow).flatMap(row => {
      const key = keyOf(row, type)
      return key === undefined || known.has(key) ? [] : [key]
    })
    if (surplus.length === 0) continue
    const { name } = call.endpoint.operation
    return failure({
      message: `The operation ${name} returns items for a window that it does not return for a longer one.`,
      expected: [...known].join(', ') || 'nothing',
      received: surplus.join(', '),
      surplus,
      why: [`called with ${JSON.stringify(given)}`],
      answers: [...other.answers, ...wide.answers],
      features: [`operation.${name}`, 'surplus'],
    })
  }
  return { kind: 'pass', vacuous: wide.values.length === 0 }
}

/** Several short windows, as shares of the items. If the meaning of the window is open, one meaning must explain them all. */
const severalWindows: readonly (readonly number[])[] = [
  [0.25, 0.75],
  [0, 0.4],
  [0.5, 1],
  [0.1, 0.3],
  [0.6, 0.9],
]

/**
 * Windows whose ends are a minute before or after all times of an item, so that every meaning of the window has the same items: one
 * with the items at its ends, and one without.
 */
function clearWindows(rows: readonly Row[], paths: readonly MomentPath[]): readonly (readonly string[])[] {
  const spans = rows
    .map(row => paths.flatMap(path => momentAt(row, path) ?? []).sort())
    .filter(times => times.length > 0)
    .map(times => ({ first: times[0] ?? '', last: times.at(-1) ?? '' }))
    .sort((a, b) => a.first.localeCompare(b.first))
  const [low, high] = [0.25, 0.75].map(share => spans[Math.floor(share * (spans.length - 1))])
  if (low === undefined || high === undefined) return []
  return [
    [minutesAfter(low.first, -1), minutesAfter(high.last, 1)],
    [minutesAfter(low.last, 1), minutesAfter(high.first, -1)],
  ].filter(([from = '', to = '']) => from < to)
}

function yearsAgo(years: number): string {
  return `${new Date().getUTCFullYear() - years}-01-01T00:00:00Z`
}

function minutesAfter(moment: string, minutes: number): string {
  return new Date(Date.parse(moment) + minutes * 60_000).toISOString()
}

interface Bounds {
  readonly low: string
  readonly high: string
  /** The property that the window restricts. */
  readonly property: string
}

/** The two bounds of the window. Undefined if the operation has other parameters. */
function boundsOf({ endpoint, meaning }: QueryCall): Bounds | undefined {
  const { parameters } = endpoint.operation
  if (parameters.length !== 2 || meaning.value !== undefined || !parameters.every(isPointInTime)) return undefined
  const compared = parameters.map(({ name }) => ({ name, with: comparisonWith(meaning.filter, name) }))
  const low = compared.find(each => each.with?.operator === 'ge' || each.with?.operator === 'gt')
  const high = compared.find(each => each.with?.operator === 'le' || each.with?.operator === 'lt')
  if (low?.with === undefined || high?.with === undefined || low.with.name !== high.with.name) return undefined
  return { low: low.name, high: high.name, property: low.with.name }
}

async function callWindow(call: QueryCall, given: Arguments, session: Session): Promise<CallResult | undefined> {
  const request = callRequest(call, given)
  return request === undefined ? undefined : callOperation(request, session)
}

function shortened(moment: string, { endpoint }: QueryCall, name: string): string {
  const parameter = endpoint.operation.parameters.find(each => each.name === name)
  return parameter === undefined ? moment : pointInTimeAt([moment], 0, parameter)
}

function momentOf(sorted: readonly string[], position: number, { endpoint }: QueryCall, name: string): string {
  const parameter = endpoint.operation.parameters.find(each => each.name === name)
  return parameter === undefined ? '' : pointInTimeAt(sorted, position, parameter)
}

type Values = Extract<CallResult, { kind: 'values' }>

/** Two calls of an operation, the second with a shorter window. */
interface Windows {
  readonly call: QueryCall
  readonly bounds: Bounds
  /** The arguments of the shorter window. */
  readonly given: Arguments
  /** The items of the longer window. */
  readonly rows: readonly Row[]
  readonly narrow: Values
  readonly wide: Values
}

/** The path to a point in time in an item: the name of a property, or also that of a member of its complex value. */
type MomentPath = readonly string[]

/**
 * The points in time that the window may restrict: the declared property; if the spec only assumes it, all points in time
 * that the items show, because an interface that does not name the properties of its items leaves them open.
 */
function comparedPaths({ meaning }: QueryCall, declared: string, rows: readonly Row[]): readonly MomentPath[] {
  const shown = momentPaths(rows)
  const isDeclared = ([name, ...others]: MomentPath): boolean => name === declared && others.length === 0
  if (meaning.assumed === undefined) return shown.filter(isDeclared)
  // Items of the declared form that do not show the property: the window may restrict what they hide.
  const hasForm = rows.some(row => meaning.of.type.properties.some(({ name }) => Object.hasOwn(row, name)))
  if (hasForm && !shown.some(([name]) => name === declared)) return []
  return [...shown].sort((a, b) => Number(isDeclared(b)) - Number(isDeclared(a)))
}

/** The paths at which some items have a point in time, and none has another value than null. */
function momentPaths(rows: readonly Row[]): readonly MomentPath[] {
  const paths = new Map<string, MomentPath>()
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      const members = isRow(value) ? Object.keys(value).map(member => [name, member]) : [[name]]
      for (const path of members) if (momentAt(row, path) !== undefined) paths.set(path.join('/'), path)
    }
  }
  return [...paths.values()].filter(path =>
    rows.every(row => momentAt(row, path) !== undefined || valueAt(row, path) === null),
  )
}

function valueAt(row: Row, [name = '', member]: MomentPath): unknown {
  const value = row[name] ?? null
  return member === undefined ? value : isRow(value) ? (value[member] ?? null) : null
}

const moment = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,12})?)?)(Z|[+-]\d{2}:\d{2})?$/

/** A point in time as UTC in ISO 8601, with milliseconds. Without an offset, it is in UTC unless the value names another zone. */
function momentAt(row: Row, path: MomentPath): string | undefined {
  const value = valueAt(row, path)
  const [, local, offset] = typeof value === 'string' ? (moment.exec(value) ?? []) : []
  const owner = row[path[0] ?? '']
  const timeZone = isRow(owner) ? (owner['timeZone'] ?? 'UTC') : 'UTC'
  if (local === undefined || (offset === undefined && timeZone !== 'UTC')) return undefined
  const time = Date.parse(`${local}${offset ?? 'Z'}`)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}

/** The difference from the declared meaning, unless another permitted meaning explains all windows. */
function windowFinding(windows: readonly Windows[], session: Session): Finding | undefined {
  const all = windows.map(each => ({ each, readings: readingsOf(each, session) }))
  const meanings = all[0]?.readings.map((_, meaning) =>
    all.map(({ each, readings }) => {
      const reading = readings[meaning]
      return reading === undefined ? undefined : differencesFrom(reading, each)
    }),
  )
  if (meanings === undefined || meanings.some(findings => findings.every(finding => finding === undefined)))
    return undefined
  return meanings[0]?.find(finding => finding !== undefined)
}

/** Whether an item is in a window. */
type Reading = (row: Row) => TruthSet

/**
 * What the window may mean, the declared meaning first. If the spec only assumes it, the window may also restrict other
 * times of the items, or items that overlap it, with or without its ends.
 */
function readingsOf(windows: Windows, session: Session): readonly Reading[] {
  const { call, bounds, rows } = windows
  const paths = comparedPaths(call, bounds.property, rows)
  const declared = paths[0]?.join('/') === bounds.property ? declaredReading(windows, session) : undefined
  const sensible =
    call.meaning.assumed === undefined
      ? []
      : paths.flatMap(start =>
          paths.flatMap(end =>
            [true, false].flatMap(low =>
              [true, false].map(high => readingOf(windows, { start, end, low, high }, session)),
            ),
          ),
        )
  return declared === undefined ? sensible : [declared, ...sensible]
}

function declaredReading({ call, given, rows }: Windows, session: Session): Reading | undefined {
  const { meaning, endpoint } = call
  const filter = meaning.filter === undefined ? undefined : bindArguments(meaning.filter, endpoint.operation, given)
  return filter === undefined ? undefined : truthOf(filter, meaning.of.type, rows, session)
}

/** The items that end after the start of the window and start before its end. `low` and `high` include the ends. */
interface Overlap {
  readonly start: MomentPath
  readonly end: MomentPath
  readonly low: boolean
  readonly high: boolean
}

function readingOf({ given, bounds }: Windows, { start, end, low, high }: Overlap, session: Session): Reading {
  const [from, to] = [bounds.low, bounds.high].map(name => Date.parse(String(given[name])))
  const mayBeFiner = timestampsMayBeFiner(session)
  const isBefore = (a: number, b: number, orEqual: boolean): TruthSet => {
    // A value may be finer than it is shown.
    if (mayBeFiner && Math.abs(a - b) < 1000) return isTrue | isFalse
    return truthOfBoolean(orEqual ? a <= b : a < b)
  }
  return row => {
    const [starts, ends] = [momentAt(row, start), momentAt(row, end)]
    if (starts === undefined || ends === undefined || from === undefined || to === undefined) return isTrue | isFalse
    const truths = [isBefore(from, Date.parse(ends), low), isBefore(Date.parse(starts), to, high)]
    if (truths.includes(isFalse)) return isFalse
    return truths.every(truth => truth === isTrue) ? isTrue : isTrue | isFalse
  }
}

function differencesFrom(reading: Reading, { call, given, rows, narrow, wide }: Windows): Finding | undefined {
  const { meaning, endpoint } = call
  const { type } = meaning.of
  const identity = (row: Row): string => keyOf(row, type) ?? JSON.stringify(row)
  const shown = narrow.values.filter(isRow)
  const keys = new Set(shown.map(identity))
  const missing = rows.filter(row => reading(row) === isTrue && !keys.has(identity(row)))
  const known = new Set(rows.map(identity))
  // A window with fewer items than a shorter one has lost some.
  const isNew = (row: Row): boolean => keyOf(row, type) !== undefined && !known.has(identity(row))
  const surplus = shown.filter(row => (reading(row) & isTrue) === 0 || isNew(row))
  if (missing.length + surplus.length === 0) return undefined
  const texts = (each: readonly Row[]): readonly string[] => each.map(identity)
  return {
    message: `The operation ${endpoint.operation.name} does not return exactly the items of the time window.`,
    expected: texts(rows.filter(row => reading(row) === isTrue)).join(', ') || 'nothing',
    received: texts(shown).join(', ') || 'nothing',
    missing: texts(missing),
    surplus: texts(surplus),
    why: [`called with ${JSON.stringify(given)}`],
    answers: [...narrow.answers, ...wide.answers],
    features: [
      `operation.${endpoint.operation.name}`,
      ...(missing.length > 0 ? ['missing'] : []),
      ...(surplus.length > 0 ? ['surplus'] : []),
    ],
  }
}
