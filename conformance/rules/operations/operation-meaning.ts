import type { Expression } from '../../../runtime/query/index.js'
import type { EntityType } from '../../../spec/language/index.js'
import { isRow } from '../../is-row.js'
import type { Row } from '../../json.js'
import { describeAnswer } from '../../rule/describe-answer.js'
import { isRefusal } from '../../rule/refusal.js'
import type { Rule } from '../../rule/rule.js'
import { untold } from '../../rule/untold.js'
import { isTrue, lawsOf, truthOn } from '../../semantics/index.js'
import type { Session } from '../../session/session.js'
import { keyOf } from '../../site/key-of.js'
import type { Arguments } from './arguments.js'
import { argumentsOf } from './arguments-of.js'
import { boundFilter } from './bound-filter.js'
import { callAsk } from './call-ask.js'
import { callResult } from './call-result.js'
import { disorderFinding } from './disorder-finding.js'
import { drawnArguments } from './drawn-arguments.js'
import { type QueriedCall, queriedCall, queriedCalls } from './queried-call.js'
import { isReadable, type Related, related } from './related.js'
import { setOf } from './relation-graph.js'

export const operationMeaning: Rule = {
  kind: 'asking',
  id: 'operation-meaning',
  area: 'operations',
  statement:
    'An operation that is a query gives exactly the items that the query gives: those related, filtered by its parameters.',
  advice:
    'Compare with what the relation itself shows. Memberships through groups in groups, a parameter that is not looked at, and items of other owners are the usual faults.',
  clauses: ['membership.groups', 'membership.check', 'reminderView.parameters'],
  covers: ['endpoint.call', 'operation', 'open.membershipClosure'],
  severity: 'must',
  writes: false,
  cost: 3,
  weight: 8,
  sites: session => queriedCalls(session).filter(call => isReadable(call, session)),
  cases: (site, session) => {
    const call = queriedCall(site)
    const set = call === undefined ? undefined : setOf(call.meaning.of.type, session)
    const rows = set === undefined ? [] : (session.snapshot(set)?.rows ?? [])
    const planned = call === undefined ? [] : drawnArguments(call, rows)
    if (planned.length === 0) return { thin: 'no values are known that its parameters could be given' }
    return { planned: planned.map(given => ({ text: JSON.stringify(given) })) }
  },
  check: async ({ text }, site, session) => {
    const call = queriedCall(site)
    const given = argumentsOf(text)
    const ask = call === undefined || given === undefined ? undefined : callAsk(call, given)
    if (call === undefined || given === undefined || ask === undefined) {
      return { kind: 'inconclusive', why: 'the operation cannot be called so' }
    }
    const from = await related(call, session)
    if (from === undefined) return { kind: 'inconclusive', why: 'what the operation starts from could not be read' }
    const result = await callResult(ask, session)
    const { operation, support } = call.endpoint
    const features = [`operation.${operation.name}`]
    if (result.kind === 'other') {
      const nothing = untold(result.answer)
      if (nothing !== undefined) return nothing
      if (support !== 'required' && isRefusal(result.answer, session)) return { kind: 'unsupported', constructs: [] }
      return {
        kind: 'fail',
        finding: {
          message: `The operation ${operation.name} was not carried out.`,
          expected: 'status 200 with a collection',
          received: describeAnswer(result.answer),
          answers: [result.answer],
          features: [...features, 'refused'],
        },
      }
    }
    const readings = from.readings.map(keys => predicted(call, given, keys, from, session))
    const shown = result.values.map(value => shownAs(value, call))
    const gaps = readings.map(reading => gapsOf(shown, reading, from.atMost !== undefined))
    const [first] = gaps
    const repeated = shown.filter((value, index) => shown.indexOf(value) !== index)
    if (
      first === undefined ||
      (gaps.some(({ missing, surplus }) => missing.length + surplus.length === 0) && repeated.length === 0)
    ) {
      const finding = disorderFinding(result.values, call, result.answers, session)
      if (finding !== undefined) return { kind: 'fail', finding }
      return { kind: 'pass', trivial: shown.length === 0 && readings.every(({ must }) => must.size === 0) }
    }
    return {
      kind: 'fail',
      finding: {
        message:
          first.missing.length + first.surplus.length === 0
            ? `The operation ${operation.name} gives some items twice.`
            : `The operation ${operation.name} does not give what its query gives.`,
        expected: [...(readings[0]?.must ?? [])].join(', ') || 'nothing',
        received: shown.join(', ') || 'nothing',
        missing: first.missing,
        surplus: [...first.surplus, ...repeated],
        why: [`called with ${JSON.stringify(given)}`],
        answers: result.answers,
        features: [
          ...features,
          ...(first.missing.length > 0 ? ['missing'] : []),
          ...(first.surplus.length > 0 ? ['surplus'] : []),
        ],
      },
    }
  },
}

interface Predicted {
  readonly must: ReadonlySet<string>
  readonly may: ReadonlySet<string>
}

/** What the result shows of the items that the filter lets through. */
function predicted(
  call: QueriedCall,
  given: Arguments,
  keys: ReadonlySet<string>,
  { rows }: Related,
  session: Session,
): Predicted {
  const { meaning, endpoint } = call
  const filter = meaning.filter === undefined ? undefined : boundFilter(meaning.filter, endpoint.operation, given)
  const evaluate = filter === undefined ? undefined : truthOf(filter, meaning.of.type, rows.values(), session)
  const must = new Set<string>()
  const may = new Set<string>()
  for (const key of keys) {
    const row = rows.get(key)
    const value = row === undefined ? undefined : shownOf(row, call)
    if (row === undefined || value === undefined) {
      // Of an item that was not harvested nothing is known: it may be there or not.
      if (row === undefined) may.add(key)
      continue
    }
    const truth = evaluate === undefined ? isTrue : evaluate(row)
    if (truth & isTrue) may.add(value)
    if (truth === isTrue) must.add(value)
  }
  return { must, may }
}

function truthOf(filter: Expression, type: EntityType, rows: Iterable<Row>, session: Session): (row: Row) => number {
  const properties = new Set([...rows].flatMap(row => Object.keys(row)))
  return truthOn(filter, { laws: lawsOf(session), types: session.types, type: type.name, properties, now: Date.now() })
}

function gapsOf(
  shown: readonly string[],
  { must, may }: Predicted,
  complete: boolean,
): { readonly missing: readonly string[]; readonly surplus: readonly string[] } {
  const given = new Set(shown)
  return {
    missing: [...must].filter(value => !given.has(value)),
    surplus: complete ? [...given].filter(value => !may.has(value)) : [],
  }
}

function shownOf(row: Row, { meaning }: QueriedCall): string | undefined {
  if (meaning.value === undefined) return keyOf(row, meaning.of.type)
  const value = Object.hasOwn(row, meaning.value.name) ? row[meaning.value.name] : undefined
  return value === undefined || value === null ? undefined : String(value)
}

function shownAs(value: unknown, call: QueriedCall): string {
  if (call.meaning.value !== undefined) return String(value)
  return (isRow(value) ? keyOf(value, call.meaning.of.type) : undefined) ?? JSON.stringify(value)
}
