import type { Expression } from '../../runtime/query/index.js'
import type { Site } from '../discover/site.js'
import type { Finding } from '../rule/rule.js'
import type { Session } from '../session/session.js'

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
   * result would differ if the choice were another. A result replaces what was learned; absent if there is still no
   * evidence.
   *
   * @param filter of the query whose result is suspected
   */
  readonly reconsider?: (filter: Expression, site: Site, session: Session) => Promise<CalibrationResult | undefined>
}

export type CalibrationResult =
  | {
      readonly kind: 'learned'
      readonly value: string | number
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
  readonly value: string
  readonly evidence: string
}

const maxEvidence = 4

/** Combines observations: the choice has a value if all agree. */
export function conclude(observations: readonly Observation[], lacking: string): CalibrationResult {
  const values = new Set(observations.map(({ value }) => value))
  const [value] = values
  const evidence = [...new Set(observations.map(({ evidence }) => evidence))].slice(0, maxEvidence)
  if (value === undefined) return { kind: 'undecided', why: lacking }
  if (values.size > 1) return { kind: 'undecided', why: `the observations differ: ${[...values].join(', ')}`, evidence }
  return { kind: 'learned', value, evidence }
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

/** One response that reveals the value of a choice. */
export interface ResponseObservation {
  readonly value: string | number
  readonly evidence: string
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
  gather: (session: Session) => Promise<readonly ResponseObservation[]>,
  after: readonly string[] = [],
): Calibrator {
  return {
    choice,
    after,
    learn: async (session): Promise<CalibrationResult> => {
      const legal = session.service.open.find(({ name }) => name === choice)?.legal ?? []
      const [only] = legal
      if (legal.length === 1 && only !== undefined) return { kind: 'learned', value: only, evidence: [] }
      const seen = await gather(session)
      const evidence = seen.map(({ evidence }) => evidence)
      const values = new Set(seen.map(({ value }) => legalValue(session, choice, value)))
      const [value] = values
      if (seen.length === 0) return { kind: 'undecided', why: lacking }
      if (values.size === 1 && value !== undefined) return { kind: 'learned', value, evidence }
      const why = values.has(undefined) ? 'the observed value is not legal' : 'the observations differ'
      return { kind: 'undecided', why, evidence }
    },
  }
}
