import type { Expression } from '../../runtime/query/index.js'
import type { Finding } from '../rule/verdict.js'
import type { Session } from '../session/session.js'
import type { Site } from '../site/site.js'

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
  readonly learn: (session: Session) => Promise<Lesson>
  /**
   * Where what was learned is only that nothing else was seen: asks about the rows on which a filter would give something
   * else if it were so. What is learned then takes the place of what was; absent when nothing else was seen again.
   *
   * @param filter of a query whose answer is suspected
   */
  readonly reconsider?: (filter: Expression, site: Site, session: Session) => Promise<Lesson | undefined>
}

export type Lesson =
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
