import type { Expression } from '../../runtime/query/index.js'
import type { Site } from '../discover/site.js'
import type { Finding } from '../rule/rule.js'
import type { Session } from '../session/session.js'

/**
 * Learns one open choice by asking. Two witnesses at least, on different rows or properties where there are any; what no
 * legal answer explains is a finding.
 */
export interface Calibrator {
  /** Name of the choice, as under `open` in a spec. Calibrators run only for choices that the spec has. */
  readonly choice: string
  /** Choices that must have been tried first. */
  readonly after?: readonly string[]
  /**
   * Rules, by id or area, that can tell more once it is learned: it is learned when the first of them has its turn. Absent:
   * before any rule, since most of them rest on it. Until then the choice is not known, and everything that is legal is
   * accepted.
   */
  readonly neededBy?: readonly string[]
  readonly learn: (session: Session) => Promise<CalibrationResult>
  /**
   * Where what was learned is only that nothing else was seen: asks about the rows on which a filter would give something
   * else if it were so. What is learned then takes the place of what was; absent when nothing else was seen again.
   *
   * @param filter of a query whose answer is suspected
   */
  readonly reconsider?: (filter: Expression, site: Site, session: Session) => Promise<CalibrationResult | undefined>
}

export type CalibrationResult =
  | {
      readonly kind: 'learned'
      readonly value: string | number
      readonly witnesses: readonly string[]
      /** Longest time, in milliseconds, that a write took to show in reads, where that was learned. */
      readonly settleTime?: number
    }
  | { readonly kind: 'undecided'; readonly why: string; readonly witnesses?: readonly string[] }
  /** Outside what is legal. */
  | { readonly kind: 'illegal'; readonly finding: Finding }

/** Calibrators that only these rules, by id or area, need. */
export function onlyFor(rules: readonly string[], ...calibrators: readonly Calibrator[]): readonly Calibrator[] {
  return calibrators.map(calibrator => ({ ...calibrator, neededBy: rules }))
}

/** What one answer showed of a choice, and the sentence that says so. */
export interface Observation {
  readonly value: string
  readonly evidence: string
}

/** Enough to be believed. */
const maxEvidence = 4

/** What signs teach together: a value when all agree. */
export function conclude(signs: readonly Observation[], lacking: string): CalibrationResult {
  const values = new Set(signs.map(({ value }) => value))
  const [value] = values
  const witnesses = [...new Set(signs.map(({ evidence: witness }) => witness))].slice(0, maxEvidence)
  if (value === undefined) return { kind: 'undecided', why: lacking }
  if (values.size > 1) return { kind: 'undecided', why: `it was seen doing both: ${[...values].join(', ')}`, witnesses }
  return { kind: 'learned', value, witnesses }
}

/** The legal value of a choice that something shown is: 404 is `404`, and 400 is `4xx`. Absent when none is. */
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

/** One thing seen that tells which value a choice has. */
export interface ResponseObservation {
  readonly value: string | number
  readonly evidence: string
}

/**
 * A calibrator that gathers witnesses: they decide when all show the same legal value. A choice that has one value only is
 * not asked about.
 *
 * @param lacking why there may be no witness
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
      if (legal.length === 1 && only !== undefined) return { kind: 'learned', value: only, witnesses: [] }
      const seen = await gather(session)
      const witnesses = seen.map(({ evidence: text }) => text)
      const values = new Set(seen.map(({ value: shown }) => legalValue(session, choice, shown)))
      const [value] = values
      if (seen.length === 0) return { kind: 'undecided', why: lacking }
      if (values.size === 1 && value !== undefined) return { kind: 'learned', value, witnesses }
      const why = values.has(undefined) ? 'what it showed is none of the legal values' : 'it was seen doing both'
      return { kind: 'undecided', why, witnesses }
    },
  }
}
