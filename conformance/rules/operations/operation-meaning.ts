import { describeResponse, inconclusiveVerdict, isRejection } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure } from '../../rule/verdict.js'
import { argumentsOnBorder } from './border-arguments.js'
import {
  argumentsToTry,
  callOperation,
  callRequest,
  emptyArguments,
  longArguments,
  parseArguments,
  queryCall,
  queryCalls,
} from './call.js'
import {
  canReadRelated,
  differencesOf,
  disorderFinding,
  expectedResult,
  impossibleValues,
  knownRows,
  readRelatedItems,
  recordClosures,
  resultKey,
} from './expected-result.js'

export const operationMeaning: ActiveRule = {
  kind: 'active',
  id: 'operation-meaning',
  area: 'operations',
  statement:
    'An operation that is declared as a query returns exactly the items of that query: the related items, filtered by its parameters.',
  advice:
    'Compare with what the relation itself returns. The usual faults are nested group memberships, an ignored parameter and items of other owners.',
  aspects: ['operation.result', 'operation.parameters'],
  covers: ['endpoint.call', 'operation', 'open.membershipClosure'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 16,
  sites: session => queryCalls(session).filter(call => canReadRelated(call, session)),
  cases: (site, session) => {
    const call = queryCall(site)
    const rows = call === undefined ? [] : knownRows(call, session)
    const usual = call === undefined ? [] : argumentsToTry(call, rows)
    // The first call shows whether the operation works at all.
    const planned =
      call === undefined ? [] : [...usual.slice(0, 1), ...argumentsOnBorder(call, rows, session), ...usual.slice(1)]
    if (planned.length === 0) return { skipReason: 'no values are known for its parameters' }
    const unusual = call === undefined ? [] : [...emptyArguments(call, rows), ...longArguments(call, rows)]
    return {
      planned: [
        ...planned.map(given => ({ text: JSON.stringify(given) })),
        ...unusual.map(given => ({ text: JSON.stringify(given), variant: unusualLength })),
      ],
    }
  },
  check: async ({ text, variant }, site, session) => {
    const call = queryCall(site)
    const given = parseArguments(text)
    const request = call === undefined || given === undefined ? undefined : callRequest(call, given)
    if (call === undefined || given === undefined || request === undefined) {
      return { kind: 'inconclusive', why: 'the operation cannot be called with these arguments' }
    }
    const from = await readRelatedItems(call, session)
    if (from === undefined) return { kind: 'inconclusive', why: 'the items of the operation could not be read' }
    const result = await callOperation(request, session)
    const { operation, support } = call.endpoint
    const features = [`operation.${operation.name}`]
    if (result.kind === 'other') {
      const inconclusive = inconclusiveVerdict(result.answer)
      if (inconclusive !== undefined) return inconclusive
      // The length of a list may be limited, unless the interface says that it is not.
      if (variant === unusualLength && (result.answer.status < 500 || isRejection(result.answer, session)))
        return { kind: 'pass', vacuous: true }
      if (support !== 'required' && isRejection(result.answer, session)) return { kind: 'unsupported', constructs: [] }
      return failure({
        message: `The operation ${operation.name} failed.`,
        expected: 'status 200 with a collection',
        received: describeResponse(result.answer),
        answers: [result.answer],
        features: [...features, 'refused'],
      })
    }
    const readings = from.readings.map(keys => expectedResult(call, given, keys, from, session))
    const shown = result.values.map(value => resultKey(value, call))
    const impossible = impossibleValues(shown, call, given, from, session)
    const gaps = readings.map(reading => {
      const { missing, surplus } = differencesOf(shown, reading, from.atMost !== undefined)
      return { missing, surplus: [...new Set([...surplus, ...impossible])] }
    })
    const [first] = gaps
    const isExplained = (reading: number): boolean =>
      gaps[reading]?.missing.length === 0 && gaps[reading].surplus.length === 0
    const repeated = shown.filter((value, index) => shown.indexOf(value) !== index)
    if (
      first === undefined ||
      (gaps.some(({ missing, surplus }) => missing.length + surplus.length === 0) && repeated.length === 0)
    ) {
      recordClosures(call, session, isExplained)
      const finding = disorderFinding(result.values, call, result.answers, session)
      if (finding !== undefined) return failure(finding)
      return { kind: 'pass', vacuous: shown.length === 0 && readings.every(({ must }) => must.size === 0) }
    }
    return failure({
      message:
        first.missing.length + first.surplus.length === 0
          ? `The operation ${operation.name} returns some items twice.`
          : `The operation ${operation.name} does not return the items of its query.`,
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
    })
  },
}

const unusualLength = 'a list of unusual length'
