/** One file of the output, complete and in its final format. */
export interface GeneratedFile {
  /** Relative to the output folder, `/` between segments. */
  readonly path: string
  readonly text: string
  /** `generated` belongs to the generator and is rewritten by each run; `once` is a start that then is the user's. */
  readonly kind: 'generated' | 'once'
}
