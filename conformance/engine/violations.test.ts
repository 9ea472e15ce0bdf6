import { describe, expect, it } from 'vitest'
import type { Area } from '../rule/rule.js'
import type { Finding } from '../rule/verdict.js'
import { filterCountPath } from '../rules/filter/filter-count-path.js'
import { filterModel } from '../rules/filter/filter-model.js'
import {
  createPassedRecord,
  createViolationRecord,
  findingKey,
  likelyCause,
  type ViolationRecord,
} from './violations.js'

/** A finding that each of these faults would explain, the first most likely. */
function finding(...explanations: readonly [string, ...string[]]): Finding {
  return { message: '', expected: '', received: '', answers: [], features: [explanations[0]], explanations }
}

/** Features of what is left of findings that come one after the other, as what a run does with them. */
function recorded(...findings: readonly Finding[]): readonly string[] {
  const record = createViolationRecord(createPassedRecord())
  for (const each of findings) if (!record.isKnown(filterModel, undefined, each)) add(record, each)
  return record.all().flatMap(violation => violation.finding.features)
}

function add(record: ViolationRecord, found: Finding, first: Finding = found): void {
  const reduced = { from: 0, to: 0, requests: 0 }
  record.add(
    { rule: filterModel, site: undefined, finding: found, replay: undefined, confirmed: '', reduced, requestsSent: 0 },
    first,
  )
}

it.each<[string, readonly Finding[], readonly string[]]>([
  ['a finding that a known violation explains belongs to it', [finding('b'), finding('a', 'b')], ['b']],
  ['an ambiguous finding belongs to the certain violation', [finding('a', 'b'), finding('b')], ['b']],
  ['unrelated findings are two violations', [finding('a', 'b'), finding('c')], ['a', 'c']],
  ['two certain violations stay two', [finding('a'), finding('b'), finding('a', 'b')], ['a', 'b']],
])('%s', (_, findings, expected) => {
  expect(recorded(...findings)).toEqual(expected)
})

it('an explanation that appears only after reduction does not count', () => {
  const record = createViolationRecord(createPassedRecord())
  add(record, finding('a', 'b'), finding('a', 'c'))
  add(record, finding('b'))
  expect(record.all().flatMap(violation => violation.finding.features)).toEqual(['a', 'b'])
})

it('the finder is listed with its site, and not counted again', () => {
  const record = createViolationRecord(createPassedRecord())
  add(record, finding('a'))
  expect(record.isKnown(filterModel, undefined, finding('a'), { rule: filterCountPath, site: undefined })).toBe(true)
  const [violation] = record.all()
  expect(violation?.times).toBe(1)
  expect([...(violation?.also.values() ?? [])]).toEqual([{ rule: 'filter-count-path', site: '' }])
})

it('a finding is doubtful if it could not be confirmed twice at the same site', () => {
  const record = createViolationRecord(createPassedRecord())
  const found = [filterModel, undefined, finding('a')] as const
  record.doubt(...found)
  expect(record.isDoubtful(...found)).toBe(false)
  record.doubt(filterCountPath, undefined, finding('a'))
  expect(record.isDoubtful(...found)).toBe(true)
  expect(record.isDoubtful(filterModel, undefined, finding('b'))).toBe(false)
})

const key = (area: Area, ...features: readonly string[]): string =>
  findingKey(area, { message: '', expected: '', received: '', answers: [], features })

describe('findingKey', () => {
  it.each<[string, string, string, boolean]>([
    ['the same features in two areas', key('filter', 'filter.eq'), key('paging', 'filter.eq'), false],
    ['the same features in another order', key('filter', 'a', 'b'), key('filter', 'b', 'a', 'b'), true],
    ['a malformed error, whatever the request', key('errors', 'error.shape'), key('delta', 'error.shape'), true],
    ['an error with another status', key('errors', 'error.x', 'status'), key('writing', 'error.x', 'status'), true],
    ['a missing error', key('errors', 'error.x', 'accepted'), key('writing', 'error.x', 'accepted'), false],
  ])('%s', (_, one, other, isSame) => {
    expect(one === other).toBe(isSame)
  })
})

const sets = (...texts: readonly string[]): readonly ReadonlySet<string>[] =>
  texts.map(text => new Set(text.split(' ')))

it.each([
  ['the feature that never passed', 'filter.not filter.contains', ['filter filter.contains'], ['filter.not']],
  [
    'a pair, if each feature passed without the other',
    'filter.not filter.contains',
    ['filter.not', 'filter.contains'],
    ['filter.contains', 'filter.not'],
  ],
  [
    'all features, if every pair passed',
    'filter.not filter.contains',
    ['filter.not filter.contains'],
    ['filter.contains', 'filter.not'],
  ],
  ['never a type alone', 'type.String filter.eq', ['filter.eq'], ['filter.eq', 'type.String']],
])('the cause is %s', (_, features, passed, cause) => {
  expect(likelyCause(features.split(' '), sets(...passed))).toEqual(cause)
})

describe('violations about an option that rules of several areas use', () => {
  const about = (...features: readonly string[]): Finding => ({
    message: '',
    expected: '',
    received: '',
    answers: [],
    features,
  })
  // Everything occurred in a passing case too, so that no part of the features is the likely cause.
  const passed = createPassedRecord()
  for (const area of ['filter', 'top-skip-count'] as const) {
    passed.add(area, ['count', 'countPath', 'top', 'expand', 'search', 'or', 'filter', 'filter.eq', 'x'])
  }
  const reported = (...findings: readonly (readonly [Finding, typeof filterModel])[]): readonly string[] => {
    const record = createViolationRecord(passed)
    const reduced = { from: 0, to: 0, requests: 0 }
    for (const [each, rule] of findings) {
      const violation = {
        rule,
        site: undefined,
        finding: each,
        replay: undefined,
        confirmed: '',
        reduced,
        requestsSent: 0,
      }
      record.add(violation, each)
    }
    return record.all().map(({ finding: { features }, times }) => `${features.join(' ')}, ${times} times`)
  }

  it.each<[string, readonly Finding[], readonly string[]]>([
    ['are one if one is more general', [about('count', 'top'), about('count')], ['count, 2 times']],
    [
      'are one in a chain',
      [about('search', 'or', 'filter'), about('search', 'or'), about('search')],
      ['search, 3 times'],
    ],
    [
      'stay two if none is more general',
      [about('count', 'top'), about('count', 'expand')],
      ['count top, 1 times', 'count expand, 1 times'],
    ],
    ['stay two if they share no such option', [about('x', 'top'), about('x')], ['x top, 1 times', 'x, 1 times']],
  ])('%s', (_, findings, expected) => {
    expect(reported(...findings.map(each => [each, filterModel] as const))).toEqual(expected)
  })

  it('are one, whatever their areas are', () => {
    const count = { ...filterModel, area: 'top-skip-count' as const }
    expect(reported([about('countPath', 'filter.eq'), filterModel], [about('countPath'), count])).toEqual([
      'countPath, 2 times',
    ])
  })
})
