import type { Severity } from './diagnostic.js'

/** A member of the document: its key, or its value. */
export interface Spot {
  /** JSON Pointer into the document. */
  readonly at: string
  /** Default: `value`. */
  readonly on?: 'key' | 'value'
}

/** A diagnostic whose places are still pointers into the document; lines and columns are found when it is shown. */
export interface Problem extends Spot {
  /** Default: `error`. */
  readonly severity?: Severity
  readonly code: string
  readonly message: string
  readonly related?: readonly (Spot & { readonly message: string })[]
  readonly suggestion?: string | undefined
}

/** Takes down a problem. */
export type Report = (problem: Problem) => void
