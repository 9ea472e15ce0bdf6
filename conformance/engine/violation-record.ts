import type { Replay } from '../report/replay-token.js'
import type { RuleFacts } from '../rule/rule.js'
import type { Finding } from '../rule/verdict.js'
import type { Site } from '../site/site.js'
import { causeOf } from './cause-of.js'
import { findingKey } from './finding-key.js'
import type { PassedRecord } from './passed-record.js'

/** A fault that was found, confirmed and made small. */
export interface RecordedViolation {
  readonly key: string
  readonly rule: RuleFacts
  readonly site: Site | undefined
  readonly finding: Finding
  /** Absent when no request makes it again by itself. */
  readonly replay: Replay | undefined
  readonly confirmed: string
  readonly reduced: { readonly from: number; readonly to: number; readonly requests: number }
  /** Requests sent when it was confirmed. */
  readonly after: number
  times: number
  readonly also: Map<string, { readonly rule: string; readonly site: string }>
}

/** The faults found so far: what comes from the same cause in the same area is one. */
export interface ViolationRecord {
  /**
   * Counts a finding in, if its fault is known.
   *
   * @param by who came upon it, when that is not the rule which makes the finding
   */
  readonly isKnown: (rule: RuleFacts, site: Site | undefined, finding: Finding, by?: RuleFacts) => boolean
  /** @param first what the finding was before it was made small */
  readonly add: (violation: Omit<RecordedViolation, 'key' | 'times' | 'also'>, first: Finding) => void
  readonly all: () => readonly RecordedViolation[]
}

export function violationRecord(passed: PassedRecord): ViolationRecord {
  const all: RecordedViolation[] = []
  const byKey = new Map<string, RecordedViolation>()
  const count = (violation: RecordedViolation, rule: RuleFacts, site: Site | undefined): void => {
    violation.times++
    note(violation, rule, site)
  }
  const note = (violation: RecordedViolation, rule: RuleFacts, site: Site | undefined): void => {
    const id = site?.id ?? ''
    if (rule.id === violation.rule.id && id === (violation.site?.id ?? '')) return
    violation.also.set(`${rule.id} ${id}`, { rule: rule.id, site: id })
  }
  const cause = ({ rule, finding }: RecordedViolation): readonly string[] =>
    causeOf(finding.features, passed.of(rule.area))
  const sameCause = (rule: RuleFacts, { features }: Finding): RecordedViolation | undefined =>
    all.find(violation => {
      const named = cause(violation)
      // What names no cause is like nothing else.
      return violation.rule.area === rule.area && named.length > 0 && named.every(each => features.includes(each))
    })
  return {
    isKnown: (rule, site, finding, by = rule) => {
      const violation = byKey.get(findingKey(rule.area, finding)) ?? sameCause(rule, finding)
      if (violation === undefined) return false
      // What another came upon has been counted when it was seen.
      if (by === rule) count(violation, rule, site)
      else note(violation, by, site)
      return true
    },
    add: (found, first) => {
      const key = findingKey(found.rule.area, found.finding)
      const same = byKey.get(key)
      if (same !== undefined) {
        count(same, found.rule, found.site)
        byKey.set(findingKey(found.rule.area, first), same)
        return
      }
      const violation: RecordedViolation = { ...found, key, times: 1, also: new Map() }
      all.push(violation)
      byKey.set(key, violation)
      byKey.set(findingKey(found.rule.area, first), violation)
    },
    all: () =>
      merged(all, violation => {
        const named = cause(violation)
        return named.length === 0 ? violation.key : `${violation.rule.area}: ${named.join(' ')}`
      }),
  }
}

/** One for each cause: the first that was found, with all that was seen of the others. */
function merged(
  violations: readonly RecordedViolation[],
  causeOfOne: (violation: RecordedViolation) => string,
): readonly RecordedViolation[] {
  const byCause = new Map<string, RecordedViolation>()
  for (const violation of violations) {
    const cause = causeOfOne(violation)
    const first = byCause.get(cause)
    if (first === undefined) {
      byCause.set(cause, { ...violation, key: cause, also: new Map(violation.also) })
      continue
    }
    first.times += violation.times
    const { rule, site } = violation
    const id = site?.id ?? ''
    for (const [key, each] of violation.also) first.also.set(key, each)
    if (rule.id !== first.rule.id || id !== (first.site?.id ?? '')) {
      first.also.set(`${rule.id} ${id}`, { rule: rule.id, site: id })
    }
  }
  return [...byCause.values()]
}
