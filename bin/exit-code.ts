/** What the process tells its caller. */
export const exitCode = {
  done: 0,
  /** The spec has errors. */
  specErrors: 1,
  /** The service that was judged violates a rule. */
  violations: 1,
  /** The command line, the configuration, or a file that it names cannot be used. */
  usage: 2,
  /** `--check` found stale, missing or edited output. */
  stale: 3,
  /** The service to be judged gives no answer, or does not accept the credential. */
  unreachable: 3,
  /** Too little of a service could be judged to say anything. */
  hollow: 4,
  /** The list of known failures is out of date. */
  staleFailures: 5,
  /** A bug in Specwright itself. */
  bug: 70,
} as const

export type ExitCode = (typeof exitCode)[keyof typeof exitCode]
