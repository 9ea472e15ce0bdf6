import type { OpenChoice } from '../../spec/language/index.js'
import { assuming, type ChoiceRecord, type Choices, type OperatorGroup } from '../choices/choices.js'
import type { Site } from '../discover/site.js'
import type { Finding } from '../rule/verdict.js'

/** A legal choice that would explain a finding. */
interface Assumption {
  readonly choice: OpenChoice
  readonly value: string | number
  /** Absent if the choice does not depend on the operator. */
  readonly operators?: OperatorGroup
}

/** Whether a permitted reading of the spec explains a finding. */
export type Explanation =
  /** No permitted reading explains it. `choices` are those that are certain. */
  | { readonly kind: 'violation'; readonly choices: Choices }
  /**
   * `isOnly`: no other assumption explains it. Without assumptions, what is known by now explains it. `doubtful`: the choices
   * of which one would have to be as assumed.
   */
  | {
      readonly kind: 'legal'
      readonly assumptions: readonly Assumption[]
      readonly isOnly: boolean
      readonly doubtful: readonly OpenChoice[]
    }
  /** The choices that are not certain may explain it together, but no one or two of them do. */
  | { readonly kind: 'unclear'; readonly doubtful: readonly OpenChoice[] }

export type LegalExplanation = Extract<Explanation, { readonly kind: 'legal' }>

/** Where a finding was made. */
export interface FindingPlace {
  readonly site: Site
  /** Paths of the properties that its queries compare or sort by. */
  readonly properties: readonly string[]
}

/** Maximum number of pairs of assumptions to try. */
const maxPairs = 150

/**
 * Looks for a legal explanation of a finding: a value of a choice that was not observed at this place. A presumption
 * from elsewhere is no ground for a violation.
 *
 * @param fails checks the same responses under other choices; returns whether they are still wrong
 * @param same choices that were just shown to be as learned
 */
export async function explainFinding(
  fails: (choices: Choices) => Promise<boolean>,
  { site, properties }: FindingPlace,
  record: ChoiceRecord,
  same: ReadonlySet<string> = new Set(),
): Promise<Explanation> {
  const presumed = record.at(site)
  const unknown = new Map<string, { readonly choice: OpenChoice; readonly operators: OperatorGroup | undefined }>()
  const observed = record.certainAt(site, properties, (choice, operators) => {
    unknown.set(`${choice.name} ${operators ?? ''}`, { choice, operators })
  })
  const certain = [...same].reduce<Choices>((choices, name) => {
    const value = presumed.get(name)
    return value === undefined ? choices : assuming(choices, name, value, undefined)
  }, observed)
  if (await fails(certain)) return { kind: 'violation', choices: certain }
  // What was learned since the finding was made may explain it already.
  if (!(await fails(presumed))) return { kind: 'legal', assumptions: [], isOnly: true, doubtful: [] }
  const assumptions = [...unknown.values()].flatMap(({ choice, operators }): readonly Assumption[] => {
    const before = presumed.get(choice.name, operators)
    if (before === undefined) return []
    const others = choice.legal.filter(value => String(value) !== String(before))
    return others.map(value => ({ choice, value, ...(operators === undefined ? {} : { operators }) }))
  })
  const enough: Assumption[] = []
  for (const one of assumptions) if (!(await fails(under([one], presumed)))) enough.push(one)
  const [first, ...others] = enough
  if (first !== undefined) {
    const doubtful = [...new Set(enough.map(({ choice }) => choice))]
    return { kind: 'legal', assumptions: [first], isOnly: others.length === 0, doubtful }
  }
  const doubtful = [...new Set(assumptions.map(({ choice }) => choice))]
  let tried = 0
  for (const [index, one] of assumptions.entries()) {
    for (const other of assumptions.slice(index + 1)) {
      if (one.choice === other.choice && one.operators === other.operators) continue
      if (tried++ >= maxPairs) return { kind: 'unclear', doubtful }
      if (await fails(under([one, other], presumed))) continue
      return { kind: 'legal', assumptions: [one, other], isOnly: false, doubtful }
    }
  }
  return { kind: 'unclear', doubtful }
}

function under(assumptions: readonly Assumption[], presumed: Choices): Choices {
  return assumptions.reduce<Choices>((choices, { choice, value, operators }) => {
    return assuming(choices, choice.name, value, operators)
  }, presumed)
}

/** The result of confirming a suspected violation. */
type Confirmation =
  | { readonly kind: 'confirmed'; readonly finding: Finding; readonly how: string }
  /** It did not occur again, although the data did not change. */
  | { readonly kind: 'flaky' }
  /** The data changed during every attempt. */
  | { readonly kind: 'unstable' }

/**
 * How often a violation must occur again between two reads of the data, and how often it may not: some bugs are
 * intermittent.
 */
const requiredConfirmations = 2
const allowedMisses = 1
/** How often to try while the data change. */
const maxAttempts = 6

/**
 * Repeats a check between two identical reads of the data, so that concurrent changes never count as violations.
 *
 * @param again repeats the check; returns the finding if it is the same
 * @param refresh reads the collections again; returns whether they changed
 * @param lookedAt the collections that the check used
 * @param seenBefore how often the check was already repeated with the same finding
 */
export async function confirm(
  again: () => Promise<Finding | undefined>,
  refresh: (sites: readonly Site[]) => Promise<boolean>,
  lookedAt: () => readonly Site[],
  seenBefore = 0,
): Promise<Confirmation> {
  const required = Math.max(1, requiredConfirmations - seenBefore)
  let sites = lookedAt()
  await refresh(sites)
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const findings: Finding[] = []
    let looks = 0
    while (findings.length < required && looks - findings.length <= allowedMisses) {
      const finding = await again()
      looks++
      if (finding !== undefined) findings.push(finding)
    }
    // What was not read before is as it was when the suite read it first, if nothing changed since then.
    sites = [...new Map([...sites, ...lookedAt()].map(site => [site.id, site])).values()]
    if (await refresh(sites)) continue
    const finding = findings.at(-1)
    if (finding === undefined || findings.length < required) return { kind: 'flaky' }
    const data = sites.length === 0 ? '' : ', the data unchanged before and after'
    return {
      kind: 'confirmed',
      finding,
      how: `seen again ${findings.length + seenBefore} of ${looks + seenBefore} times${data}`,
    }
  }
  return { kind: 'unstable' }
}
