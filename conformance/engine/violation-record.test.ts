import { expect, it } from 'vitest'
import type { Finding } from '../rule/verdict.js'
import { filterCountPath } from '../rules/filter/filter-count-path.js'
import { filterModel } from '../rules/filter/filter-model.js'
import { passedRecord } from './passed-record.js'
import { type ViolationRecord, violationRecord } from './violation-record.js'

/** A finding that each of these faults would explain, the first most likely. */
function finding(...explanations: readonly [string, ...string[]]): Finding {
  return { message: '', expected: '', received: '', answers: [], features: [explanations[0]], explanations }
}

/** Features of what is left of findings that come one after the other, as what a run does with them. */
function recorded(...findings: readonly Finding[]): readonly string[] {
  const record = violationRecord(passedRecord())
  for (const each of findings) if (!record.isKnown(filterModel, undefined, each)) add(record, each)
  return record.all().flatMap(violation => violation.finding.features)
}

function add(record: ViolationRecord, found: Finding, first: Finding = found): void {
  const reduced = { from: 0, to: 0, requests: 0 }
  record.add(
    { rule: filterModel, site: undefined, finding: found, replay: undefined, confirmed: '', reduced, after: 0 },
    first,
  )
}

it.each<[string, readonly Finding[], readonly string[]]>([
  ['what a known fault explains is that fault', [finding('b'), finding('a', 'b')], ['b']],
  ['what may be several faults is the one that is found for certain', [finding('a', 'b'), finding('b')], ['b']],
  ['what has nothing in common is two', [finding('a', 'b'), finding('c')], ['a', 'c']],
  ['two for certain are two, whatever both would explain', [finding('a'), finding('b'), finding('a', 'b')], ['a', 'b']],
])('%s', (_, findings, expected) => {
  expect(recorded(...findings)).toEqual(expected)
})

it('made smaller, a finding may be explained by more: what did not explain the whole does not count', () => {
  const record = violationRecord(passedRecord())
  add(record, finding('a', 'b'), finding('a', 'c'))
  add(record, finding('b'))
  expect(record.all().flatMap(violation => violation.finding.features)).toEqual(['a', 'b'])
})

it('who came upon it is told with where, and not counted again', () => {
  const record = violationRecord(passedRecord())
  add(record, finding('a'))
  expect(record.isKnown(filterModel, undefined, finding('a'), { rule: filterCountPath, site: undefined })).toBe(true)
  const [violation] = record.all()
  expect(violation?.times).toBe(1)
  expect([...(violation?.also.values() ?? [])]).toEqual([{ rule: 'filter-count-path', site: '' }])
})
