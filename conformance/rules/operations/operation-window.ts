import type { Expression } from '../../../runtime/query/index.js'
import type { Property } from '../../../spec/language/index.js'
import { keyOf } from '../../discover/site.js'
import { isRow, type Row } from '../../json.js'
import { timestampsMayBeFiner } from '../../lists/sort-order.js'
import { comparisonSemanticsOf } from '../../oracle/comparison-semantics.js'
import { truthOn } from '../../oracle/evaluate.js'
import { isTrue } from '../../oracle/truth-set.js'
import { binary, pathTo } from '../../probes/expressions.js'
import { describeResponse, inconclusiveVerdict, isRejection } from '../../rule/response.js'
import type { ActiveRule, Finding } from '../../rule/rule.js'
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
import { disorderFinding } from './expected-result.js'

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
  aspects: ['operation.parameters'],
  covers: ['endpoint.call', 'operation'],
  severity: 'must',
  writes: false,
  cost: 2,
  weight: 7.5,
  sites: session => queryCalls(session).filter(call => boundsOf(call) !== undefined),
  cases: () => ({ planned: [{ numbers: [0.25, 0.75] }, { numbers: [0.5, 1] }, { numbers: [0, 0.5] }] }),
  check: async ({ numbers = [] }, site, session) => {
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
      return {
        kind: 'fail',
        finding: {
          message: `The operation ${operation.name} failed.`,
          expected: 'status 200 with a collection',
          received: describeResponse(wide.answer),
          answers: [wide.answer],
          features: [`operation.${operation.name}`, 'refused'],
        },
      }
    }
    const rows = wide.values.filter(isRow)
    const sorted = rows
      .map(row => row[bounds.property])
      .filter(value => typeof value === 'string')
      .sort()
    if (sorted.length < 2) return { kind: 'pass', vacuous: true }
    const [from = 0, to = 1] = numbers
    const given = {
      [bounds.low]: momentOf(sorted, from, call, bounds.low),
      [bounds.high]: momentOf(sorted, to, call, bounds.high),
    }
    const narrow = await callWindow(call, given, session)
    if (narrow === undefined || narrow.kind === 'other') {
      return { kind: 'inconclusive', why: 'a shorter window was not answered' }
    }
    const finding =
      windowFinding({ call, given, rows, narrow, wide }, session) ??
      disorderFinding(wide.values, call, wide.answers, session)
    return finding === undefined ? { kind: 'pass' } : { kind: 'fail', finding }
  },
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
  /** The arguments of the shorter window. */
  readonly given: Arguments
  /** The items of the longer window. */
  readonly rows: readonly Row[]
  readonly narrow: Values
  readonly wide: Values
}

function windowFinding(windows: Windows, session: Session): Finding | undefined {
  const [declared, ...others] = readingsOf(windows.call, windows.rows)
  const finding = declared === undefined ? undefined : differencesFrom(declared, windows, session)
  // If the window is assumed, each sensible reading is permitted.
  const isExplained =
    finding !== undefined && others.some(each => differencesFrom(each, windows, session) === undefined)
  return isExplained ? undefined : finding
}

/**
 * The filters that the window may stand for, the declared one first. If the spec only assumes it, the window may also
 * restrict other times of the items, or items that overlap it, with or without its ends.
 */
function readingsOf({ meaning }: QueryCall, rows: readonly Row[]): readonly Expression[] {
  const { filter, assumed, of } = meaning
  if (filter === undefined) return []
  const [low, high] = filter.kind === 'binary' && filter.operator === 'and' ? [filter.left, filter.right] : []
  if (assumed === undefined || low?.kind !== 'binary' || high?.kind !== 'binary') return [filter]
  const isTime = ({ type }: Property): boolean => type.kind === 'primitive' && type.name === 'DateTimeOffset'
  const times = of.type.properties.filter(each => isTime(each) && rows.some(row => typeof row[each.name] === 'string'))
  const [lowest, highest] = low.operator.startsWith('g') ? [low, high] : [high, low]
  const others = times.flatMap(start =>
    times.flatMap(end =>
      (['ge', 'gt'] as const).flatMap(from =>
        (['le', 'lt'] as const).map(to =>
          binary(
            'and',
            { ...lowest, operator: from, left: pathTo([end.name]) },
            { ...highest, operator: to, left: pathTo([start.name]) },
          ),
        ),
      ),
    ),
  )
  return [filter, ...others]
}

function differencesFrom(
  reading: Expression,
  { call, given, rows, narrow, wide }: Windows,
  session: Session,
): Finding | undefined {
  const { meaning, endpoint } = call
  const { type } = meaning.of
  const filter = bindArguments(reading, endpoint.operation, given)
  if (filter === undefined) return undefined
  const properties = new Set(rows.flatMap(row => Object.keys(row)))
  const evaluate = truthOn(filter, {
    semantics: timestampsMayBeFiner(session)
      ? { ...comparisonSemanticsOf(session), instantsAreFiner: { possible: true, certain: false } }
      : comparisonSemanticsOf(session),
    types: session.types,
    type: type.name,
    properties,
    now: Date.now(),
  })
  const shown = narrow.values.filter(isRow)
  const keys = new Set(shown.map(row => keyOf(row, type)))
  const missing = rows.filter(row => evaluate(row) === isTrue && !keys.has(keyOf(row, type)))
  const surplus = shown.filter(row => (evaluate(row) & isTrue) === 0)
  if (missing.length + surplus.length === 0) return undefined
  const texts = (each: readonly Row[]): readonly string[] => each.map(row => keyOf(row, type) ?? JSON.stringify(row))
  return {
    message: `The operation ${endpoint.operation.name} does not return exactly the items of the time window.`,
    expected: texts(rows.filter(row => evaluate(row) === isTrue)).join(', ') || 'nothing',
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
