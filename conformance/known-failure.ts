/** A violation that is known, and for now accepted. It is still looked for, and reported when it is gone. */
export interface KnownFailure {
  /** Id of a rule, `*` allowed. */
  readonly rule: string
  /** Id of a site, `*` allowed. Default: any. */
  readonly site?: string
  readonly reason: string
}
