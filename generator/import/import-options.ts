/** What an import may be told. */
export interface ImportOptions {
  /** What the service is called in the spec. Default: what the document says, or the end of its namespace. */
  readonly name?: string | undefined
  /** How many relations a path may lead through. Default: 2. */
  readonly depth?: number | undefined
}
