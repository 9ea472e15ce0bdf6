/** What a person reads and what a tool filters by. */
export type Severity = 'error' | 'warning'

/** A stretch of one line of a source. */
export interface SourcePlace {
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 code units, as editors count. */
  readonly column: number
  /** From 0, in UTF-16 code units of the text without its byte order mark. */
  readonly offset: number
  /** In UTF-16 code units; 0 marks a point. */
  readonly length: number
}

/** Another place that has to do with it, `first defined here`. */
export interface RelatedPlace {
  readonly message: string
  readonly place: SourcePlace
}

/** One thing that is wrong with a spec: where, what was found, what was expected, and how to mend it. */
export interface Diagnostic {
  readonly severity: Severity
  /** Stable, `spec/unknown-type`. */
  readonly code: string
  readonly message: string
  /** The file, as it was given. */
  readonly path: string
  readonly place: SourcePlace
  readonly related: readonly RelatedPlace[]
  /** What to write instead, when one answer is likely. */
  readonly suggestion?: string
}
