/** One thing that may stand at the end of a command line. */
export interface Candidate {
  readonly text: string
  /** What it is, in a few words. */
  readonly about?: string
  /** More of the same word follows: a shell must not end it with a blank. */
  readonly open?: boolean
}

/** Files and folders that may stand there; a shell knows them better than we do. */
export type Paths =
  | { readonly kind: 'folders' }
  /** Files with one of these endings, without their dots; all files where there are none. */
  | { readonly kind: 'files'; readonly endings: readonly string[] }

/** What may stand at the end of a command line. */
export interface Completions {
  /** What the last word has before its value, `--only=types,`; candidates begin with it. */
  readonly prefix: string
  readonly candidates: readonly Candidate[]
  readonly paths?: Paths
}
