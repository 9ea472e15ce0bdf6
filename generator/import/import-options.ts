/** What an import may be told. */
export interface ImportOptions {
  /** What the service is called in the spec. Default: what the document says, or the end of the namespace of its container. */
  readonly name?: string | undefined
  /** How many relations a path may lead through. Default: 2, or fewer where that makes more than 3,000 paths. */
  readonly depth?: number | undefined
  /**
   * Whether paths write single keys as segments, `/Set/{key}`; otherwise they stand in parentheses, `/Set({key})`. Default:
   * what the metadata say by `Capabilities.KeyAsSegmentSupported`.
   */
  readonly keyAsSegment?: boolean | undefined
  /** Told what is being done, before it is done: large metadata take a while. */
  readonly progress?: ((stage: ImportStage) => void) | undefined
}

/** What an import does, one after the other. */
export type ImportStage = 'reading' | 'converting' | 'checking' | 'printing'
