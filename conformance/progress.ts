/** The part of a run that is under way. */
export type Phase =
  | 'discover'
  | 'harvest'
  | 'calibrate'
  | 'plan'
  | 'judge'
  | 'confirm'
  | 'reduce'
  | 'clean up'
  | 'report'

/** How far a run has come. */
export interface Progress {
  readonly phase: Phase
  readonly rulesExercised: number
  readonly rules: number
  readonly requests: number
  readonly requestLimit: number
  readonly violations: number
  /** Seconds since the start, and how many are left at the present pace. */
  readonly elapsed: number
  readonly left?: number
}
