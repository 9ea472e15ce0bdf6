import type { OpenChoice } from '../../spec/language/index.js'

/** What was learned of one choice that the spec leaves open. */
export interface LearnedChoice {
  readonly choice: OpenChoice
  /** Absent: nothing decided it, or the service was seen doing both. */
  readonly value?: string | number
  /** What it was seen from, one sentence each: request, and what the answer showed. */
  readonly witnesses: readonly string[]
  /** Why there is no value. */
  readonly undecided?: string
}

/** The choices of the service under test. */
export interface Choices {
  /** The value learned, or the only one that is legal; absent when not known. A name that no spec has is never known. */
  readonly get: (name: string) => string | number | undefined
  readonly all: () => readonly LearnedChoice[]
  /** How often something was learned; what is worked out from the choices holds until it was again. */
  readonly revision?: () => number
}
