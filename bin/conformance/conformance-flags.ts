/** What the command line of `conformance` says. */
export interface ConformanceFlags {
  readonly spec?: string
  readonly token?: string
  readonly header?: Readonly<Record<string, string>>
  readonly allowWrites?: boolean
  readonly seed?: number
  readonly requests?: number
  readonly runs?: number
  readonly time?: number
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
  readonly profile?: string
  readonly report?: readonly string[]
  readonly format?: 'pretty' | 'plain' | 'json' | 'github'
  readonly json?: true
  readonly knownFailures?: string
  readonly replay?: string
  readonly rate?: number
  readonly concurrency?: number
  readonly maxRows?: number
  readonly timeout?: number
  readonly journal?: string
  readonly cleanup?: string
  readonly listRules?: boolean
  readonly explain?: string
}
