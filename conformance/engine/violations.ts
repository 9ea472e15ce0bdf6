import type { Site } from '../discover/site.js'
import type { Replay } from '../report/replay-token.js'
import type { Area, RuleMetadata } from '../rule/rule.js'
import type { Finding } from '../rule/verdict.js'

/** A confirmed and reduced violation. */
export interface RecordedViolation {
  readonly key: string
  readonly rule: RuleMetadata
  readonly site: Site | undefined
  readonly finding: Finding
  /** Absent if no request reproduces it on its own. */
  readonly replay: Replay | undefined
  readonly confirmed: string
  readonly reduced: { readonly from: number; readonly to: number; readonly requests: number }
  /** Requests sent when it was confirmed. */
  readonly requestsSent: number
  times: number
  readonly also: Map<string, { readonly rule: string; readonly site: string }>
}

/** A rule, and the site where it ran. */
interface RuleAtSite {
  readonly rule: RuleMetadata
  readonly site: Site | undefined
}

/** The violations found so far, grouped by cause within an area. */
export interface ViolationRecord {
  /**
   * Whether a finding belongs to a known violation, which then counts it.
   *
   * @param by the rule and site that found it, if that is not the reporting rule
   */
  readonly isKnown: (rule: RuleMetadata, site: Site | undefined, finding: Finding, by?: RuleAtSite) => boolean
  /** @param first the finding before reduction */
  readonly add: (violation: Omit<RecordedViolation, 'key' | 'times' | 'also'>, first: Finding) => void
  /** Records that a finding could not be confirmed. */
  readonly doubt: (rule: RuleMetadata, site: Site | undefined, finding: Finding) => void
  /** Whether a finding could not be confirmed so often that trying again is a waste of requests. */
  readonly isDoubtful: (rule: RuleMetadata, site: Site | undefined, finding: Finding) => boolean
  readonly all: () => readonly RecordedViolation[]
}

/** How often to try to confirm one finding at one site. */
const maxDoubts = 2

export function createViolationRecord(passed: PassedConstructs): ViolationRecord {
  const all: RecordedViolation[] = []
  const byKey = new Map<string, RecordedViolation>()
  const doubts = new Map<string, number>()
  const doubtKey = ({ area }: RuleMetadata, site: Site | undefined, finding: Finding): string =>
    `${site?.id ?? ''} ${findingKey(area, finding)}`
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
  /** Whether the cause of a violation also explains a finding. */
  const explains = (violation: RecordedViolation, rule: RuleMetadata, finding: Finding): boolean => {
    const named = cause(violation)
    const features = [...finding.features, ...(finding.explanations ?? [])]
    // Without a known cause, nothing is related.
    return violation.rule.area === rule.area && named.length > 0 && named.every(each => features.includes(each))
  }
  /** Attributes a violation with several possible causes to one that was found with more certainty. */
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
      // The finder has counted it already.
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
    doubt: (...found) => void doubts.set(doubtKey(...found), (doubts.get(doubtKey(...found)) ?? 0) + 1),
    isDoubtful: (...found) => (doubts.get(doubtKey(...found)) ?? 0) >= maxDoubts,
    all: () => mergeOptionFaults(mergeByCause(all, rootOf, keyOf)),
  }
}

/** Keeps the explanations that also applied before reduction. */
function narrowExplanations(finding: Finding, first: Finding): Finding {
  const both = finding.explanations?.filter(each => first.explanations?.includes(each)) ?? []
  return both.length === 0 ? finding : { ...finding, explanations: both }
}

/** The number of possible causes. */
function uncertainty({ finding }: RecordedViolation): number {
  return finding.explanations?.length ?? 1
}

/** Merges violations by cause. The first certain one represents the others. */
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

/** Options that rules of several areas use. If one is wrong on its own, it is also wrong together with others. */
const sharedOptions = ['count', 'countPath', 'search']

/** Merges each violation into the most general one about the same shared option. */
function mergeOptionFaults(violations: readonly RecordedViolation[]): readonly RecordedViolation[] {
  const setOf = ({ finding }: RecordedViolation): ReadonlySet<string> => new Set(finding.features)
  const isMoreGeneral = (general: RecordedViolation, special: RecordedViolation): boolean => {
    const [few, many] = [setOf(general), setOf(special)]
    return (
      sharedOptions.some(option => few.has(option)) && few.size < many.size && [...few].every(each => many.has(each))
    )
  }
  const rootOf = (violation: RecordedViolation): RecordedViolation => {
    const general = violations.find(other => isMoreGeneral(other, violation))
    return general === undefined ? violation : rootOf(general)
  }
  return violations.flatMap(violation => {
    if (rootOf(violation) !== violation) return []
    const group = violations.filter(other => rootOf(other) === violation)
    return [group.length === 1 ? violation : mergeViolations(violation.key, violation, group)]
  })
}

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

/** What all findings of one violation have in common. */
export function findingKey(area: Area, { features }: Finding): string {
  return `${isOfErrors(features) ? 'errors' : area}: ${[...new Set(features)].sort().join(' ')}`
}

/** A malformed error is one bug, whatever the request was. A missing error depends on the request. */
function isOfErrors(features: readonly string[]): boolean {
  return features.some(feature => feature.startsWith('error.')) && !features.includes('accepted')
}

/**
 * The most likely cause of a violation: the smallest combination of its features that occurred in no passing case.
 *
 * @param passed the constructs of passing cases that were not vacuous
 */
export function likelyCause(features: readonly string[], passed: readonly ReadonlySet<string>[]): readonly string[] {
  const sorted = [...new Set(features)].sort()
  // A feature that no passing case could have is not evidence by itself.
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

/** The constructs of passing cases that were not vacuous, by area. */
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
