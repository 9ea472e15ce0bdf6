import type { Site } from '../discover/site.js'
import type { Replay } from '../report/replay-token.js'
import type { Area, Finding, RuleMetadata } from '../rule/rule.js'

/** A fault that was found, confirmed and made small. */
export interface RecordedViolation {
  readonly key: string
  readonly rule: RuleMetadata
  readonly site: Site | undefined
  readonly finding: Finding
  /** Absent when no request makes it again by itself. */
  readonly replay: Replay | undefined
  readonly confirmed: string
  readonly reduced: { readonly from: number; readonly to: number; readonly requests: number }
  /** Requests sent when it was confirmed. */
  readonly requestsSent: number
  times: number
  readonly also: Map<string, { readonly rule: string; readonly site: string }>
}

/** A rule, and where it was tried. */
interface RuleAtSite {
  readonly rule: RuleMetadata
  readonly site: Site | undefined
}

/** The faults found so far: what comes from the same cause in the same area is one. */
export interface ViolationRecord {
  /**
   * Counts a finding in, if its fault is known.
   *
   * @param by who came upon it and where, when that is not the rule which makes the finding
   */
  readonly isKnown: (rule: RuleMetadata, site: Site | undefined, finding: Finding, by?: RuleAtSite) => boolean
  /** @param first what the finding was before it was made small */
  readonly add: (violation: Omit<RecordedViolation, 'key' | 'times' | 'also'>, first: Finding) => void
  readonly all: () => readonly RecordedViolation[]
}

export function createViolationRecord(passed: PassedConstructs): ViolationRecord {
  const all: RecordedViolation[] = []
  const byKey = new Map<string, RecordedViolation>()
  const count = (violation: RecordedViolation, rule: RuleMetadata, site: Site | undefined): void => {
    violation.times++
    note(violation, rule, site)
  }
  const note = (violation: RecordedViolation, rule: RuleMetadata, site: Site | undefined): void => {
    const id = site?.id ?? ''
    if (rule.id === violation.rule.id && id === (violation.site?.id ?? '')) return
    violation.also.set(`${rule.id} ${id}`, { rule: rule.id, site: id })
  }
  const cause = ({ rule, finding }: RecordedViolation): readonly string[] =>
    likelyCause(finding.features, passed.of(rule.area))
  /** Whether the cause of a violation explains a finding, too. */
  const explains = (violation: RecordedViolation, rule: RuleMetadata, finding: Finding): boolean => {
    const named = cause(violation)
    const told = [...finding.features, ...(finding.explanations ?? [])]
    // What names no cause is like nothing else.
    return violation.rule.area === rule.area && named.length > 0 && named.every(each => told.includes(each))
  }
  /** What may be due to several faults is due to the one of them that was found where it was less uncertain. */
  const rootOf = (violation: RecordedViolation): RecordedViolation => {
    const { rule, finding } = violation
    const surer = all.find(each => uncertainty(each) < uncertainty(violation) && explains(each, rule, finding))
    return surer === undefined ? violation : rootOf(surer)
  }
  const keyOf = (violation: RecordedViolation): string => {
    const named = cause(violation)
    return named.length === 0 ? violation.key : `${violation.rule.area}: ${named.join(' ')}`
  }
  return {
    isKnown: (rule, site, finding, by) => {
      const violation = byKey.get(findingKey(rule.area, finding)) ?? all.find(each => explains(each, rule, finding))
      if (violation === undefined) return false
      // What another came upon has been counted when it was seen.
      if (by === undefined) count(violation, rule, site)
      else note(violation, by.rule, by.site)
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
      const finding = narrowExplanations(found.finding, first)
      const violation: RecordedViolation = { ...found, finding, key, times: 1, also: new Map() }
      all.push(violation)
      byKey.set(key, violation)
      byKey.set(findingKey(found.rule.area, first), violation)
    },
    all: () => mergeByCause(all, rootOf, keyOf),
  }
}

/** Of what would explain a finding, that which explained it before it was made small, too. */
function narrowExplanations(finding: Finding, first: Finding): Finding {
  const both = finding.explanations?.filter(each => first.explanations?.includes(each)) ?? []
  return both.length === 0 ? finding : { ...finding, explanations: both }
}

/** How many faults would explain it. */
function uncertainty({ finding }: RecordedViolation): number {
  return finding.explanations?.length ?? 1
}

/** One for each cause: the first that was found for certain, with all that was seen of the others. */
function mergeByCause(
  violations: readonly RecordedViolation[],
  rootOf: (violation: RecordedViolation) => RecordedViolation,
  keyOf: (violation: RecordedViolation) => string,
): readonly RecordedViolation[] {
  const byCause = new Map<string, RecordedViolation[]>()
  for (const violation of violations) {
    const cause = keyOf(rootOf(violation))
    byCause.set(cause, [...(byCause.get(cause) ?? []), violation])
  }
  return [...byCause].flatMap(([cause, group]) => {
    const root = group.find(violation => rootOf(violation) === violation)
    return root === undefined ? [] : [mergeViolations(cause, root, group)]
  })
}

/** What was seen of all of them, told of one. */
function mergeViolations(key: string, root: RecordedViolation, group: readonly RecordedViolation[]): RecordedViolation {
  const seen = group.flatMap(({ rule, site, also }) => [{ rule: rule.id, site: site?.id ?? '' }, ...also.values()])
  const others = seen.filter(({ rule, site }) => rule !== root.rule.id || site !== (root.site?.id ?? ''))
  return {
    ...root,
    key,
    times: group.reduce((sum, { times }) => sum + times, 0),
    also: new Map(others.map(each => [`${each.rule} ${each.site}`, each])),
  }
}

/** What findings of one fault have in common. */
export function findingKey(area: Area, { features }: Finding): string {
  return `${isOfErrors(features) ? 'errors' : area}: ${[...new Set(features)].sort().join(' ')}`
}

/** How a service tells of an error is one matter, whatever was asked; that it tells of none is a matter of what was. */
function isOfErrors(features: readonly string[]): boolean {
  return features.some(feature => feature.startsWith('error.')) && !features.includes('accepted')
}

/**
 * What a violation most likely comes from: the smallest part of its features that was in no case that passed. What passed
 * elsewhere is not to blame; when all did, it is their combination.
 *
 * @param passed the constructs of cases that passed and told something apart
 */
export function likelyCause(features: readonly string[], passed: readonly ReadonlySet<string>[]): readonly string[] {
  const sorted = [...new Set(features)].sort()
  // What no passing case could have named says nothing by itself.
  const named = sorted.filter(isConstruct)
  const isCleared = (part: readonly string[]): boolean => passed.some(set => part.every(feature => set.has(feature)))
  for (const feature of named) if (!isCleared([feature])) return [feature]
  for (const [index, first] of named.entries()) {
    for (const second of named.slice(index + 1)) if (!isCleared([first, second])) return [first, second]
  }
  return sorted
}

function isConstruct(feature: string): boolean {
  return /^(?:filter|orderby|expand|select|search|top|skip|count)(?:[.:]|$)/.test(feature)
}

/** The constructs of cases that passed and told something apart, area by area. */
export interface PassedConstructs {
  readonly add: (area: Area, constructs: readonly string[]) => void
  readonly of: (area: Area) => readonly ReadonlySet<string>[]
}

export function createPassedRecord(): PassedConstructs {
  const byArea = new Map<Area, Map<string, ReadonlySet<string>>>()
  return {
    add: (area, constructs) => {
      const known = byArea.get(area) ?? new Map<string, ReadonlySet<string>>()
      byArea.set(area, known)
      const set = new Set(constructs.filter(construct => !construct.includes(':')))
      known.set([...set].sort().join(' '), set)
    },
    of: area => [...(byArea.get(area)?.values() ?? [])],
  }
}
