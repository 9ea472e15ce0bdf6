/** What the process tells its caller. */
export const exitCode = {
  done: 0,
  /** The spec has errors. */
  specErrors: 1,
  /** The command line, the configuration, or a file that it names cannot be used. */
  usage: 2,
  /** `--check` found stale, missing or edited output. */
  stale: 3,
  /** A bug in Specwright itself. */
  bug: 70,
} as const

export type ExitCode = (typeof exitCode)[keyof typeof exitCode]
