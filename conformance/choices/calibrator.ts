import type { Expression } from '../../runtime/query/index.js'
import type { Site } from '../discover/site.js'
import type { Finding } from '../rule/verdict.js'
import type { Session } from '../session/session.js'
import type { ChosenValue, OperatorGroup } from './choices.js'
import { scopeOf } from './scope.js'

/**
 * Learns one open choice from responses. It needs at least two observations, on different rows or properties where
 * possible. Behavior that no legal value explains is a finding.
 */
export interface Calibrator {
  /** Name of the choice under `open` in the spec. The calibrator runs only if the spec has it. */
  readonly choice: string
  /** Choices to learn first. */
  readonly after?: readonly string[]
  /**
   * Rules or areas that benefit from this choice. The suite learns it before the first of them runs. If absent, the
   * suite learns it before any rule, because most rules depend on it. Until then, the suite accepts every legal value.
   */
  readonly neededBy?: readonly string[]
  readonly learn: (session: Session) => Promise<CalibrationResult>
  /**
   * Reconsiders a choice that was learned from the absence of evidence. It queries the rows on which a suspected filter
   * result would differ if the choice were another. A result replaces what was learned. `same`: the rows show that the
   * choice is not another one. Absent if there is still no evidence.
   *
   * @param filter of the query whose result is suspected
   */
  readonly reconsider?: (
    filter: Expression,
    site: Site,
    session: Session,
  ) => Promise<CalibrationResult | 'same' | undefined>
  /** Observes the choice on the properties that a filter compares, where a finding depends on it. */
  readonly observe?: (filter: Expression, site: Site, session: Session) => Promise<CalibrationResult>
}

export type CalibrationResult =
  | {
      readonly kind: 'learned'
      /** What was observed, and where. At least one. */
      readonly chosen: readonly ChosenValue[]
      readonly evidence: readonly string[]
      /** The longest time, in milliseconds, until a write was visible in reads, if this calibrator learned it. */
      readonly settleTime?: number
    }
  | { readonly kind: 'undecided'; readonly why: string; readonly evidence?: readonly string[] }
  /** The service does something that is not legal. */
  | { readonly kind: 'illegal'; readonly finding: Finding }

/** Limits calibrators to these rules, by id or area. */
export function onlyFor(rules: readonly string[], ...calibrators: readonly Calibrator[]): readonly Calibrator[] {
  return calibrators.map(calibrator => ({ ...calibrator, neededBy: rules }))
}

/** What one response reveals about a choice, with a sentence of evidence. */
export interface Observation {
  readonly value: string | number
  readonly evidence: string
  /** Where it was observed. Absent if it applies to the whole service. */
  readonly site?: Site
  readonly property?: string
  readonly operators?: OperatorGroup
}

/** Sentences of evidence to keep for each scope. */
const maxEvidence = 2

/**
 * What observations say about a choice. They apply to the scopes in which they were made.
 *
 * @param lacking why there may be no observations
 * @param presumed values that are concluded from the absence of evidence for others
 */
export function conclude(
  observations: readonly Observation[],
  lacking: string,
  presumed: readonly (string | number)[] = [],
): CalibrationResult {
  if (observations.length === 0) return { kind: 'undecided', why: lacking }
  const chosen = observations.map(({ value, site, property, operators }): ChosenValue => {
    return {
      value,
      ...(site === undefined ? {} : { scope: scopeOf(site) }),
      ...(property === undefined ? {} : { property }),
      ...(operators === undefined ? {} : { operators }),
      ...(presumed.includes(value) ? { isPresumed: true } : {}),
    }
  })
  const places = new Set(chosen.map(({ scope, value }) => `${scope} ${value}`))
  const evidence = [...places].flatMap(place => {
    const here = observations.filter((_, index) => `${chosen[index]?.scope} ${chosen[index]?.value}` === place)
    return [...new Set(here.map(each => each.evidence))].slice(0, maxEvidence)
  })
  return { kind: 'learned', chosen: withoutDuplicates(chosen), evidence }
}

function withoutDuplicates(chosen: readonly ChosenValue[]): readonly ChosenValue[] {
  return [...new Map(chosen.map(each => [JSON.stringify(each), each])).values()]
}

/** The legal value that an observed value stands for: 404 is `404`, and 400 is `4xx`. Absent if none matches. */
function legalValue(
  session: Pick<Session, 'service'>,
  name: string,
  shown: string | number,
): string | number | undefined {
  const legal = session.service.open.find(choice => choice.name === name)?.legal ?? []
  const text = String(shown)
  return legal.find(value => String(value) === text) ?? legal.find(value => isStatusClass(value, text))
}

function isStatusClass(value: string | number, shown: string): boolean {
  return typeof value === 'string' && /^[1-5]xx$/.test(value) && /^\d{3}$/.test(shown) && value[0] === shown[0]
}

/**
 * A calibrator that collects observations and decides if all show the same legal value. It sends nothing if only one
 * value is legal.
 *
 * @param lacking why there may be no observations
 */
export function observingCalibrator(
  choice: string,
  lacking: string,
  gather: (session: Session) => Promise<readonly Observation[]>,
  after: readonly string[] = [],
): Calibrator {
  return {
    choice,
    after,
    learn: async (session): Promise<CalibrationResult> => {
      const legal = session.service.open.find(({ name }) => name === choice)?.legal ?? []
      const [only] = legal
      if (legal.length === 1 && only !== undefined) {
        return { kind: 'learned', chosen: [{ value: only }], evidence: [] }
      }
      const seen = await gather(session)
      const known = seen.flatMap(observation => {
        const value = legalValue(session, choice, observation.value)
        return value === undefined ? [] : [{ ...observation, value }]
      })
      if (known.length === seen.length) return conclude(known, lacking)
      const evidence = seen.map(each => each.evidence)
      return { kind: 'undecided', why: 'the observed value is not legal', evidence }
    },
  }
}
