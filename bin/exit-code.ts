import type { Writable } from 'node:stream'
import { visibleLines } from '../spec/language/index.js'

/** The exit codes of the process. */
export const exitCode = {
  done: 0,
  /** The spec has errors. */
  specErrors: 1,
  /** The service violates a rule. */
  violations: 1,
  /** The command line, the configuration, or a file that it names cannot be used. */
  usage: 2,
  /** `--check` found stale, missing or edited output. */
  stale: 3,
  /** The service does not respond, or refuses the credential. */
  unreachable: 3,
  /** Too little of the service could be checked. */
  insufficientCoverage: 4,
  /** The list of known failures is out of date. */
  staleFailures: 5,
  /** A bug in Specwright itself. */
  bug: 70,
} as const

export type ExitCode = (typeof exitCode)[keyof typeof exitCode]

/** The command line, or a file it names, cannot be used: exit code 2. The message says what to do instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The process, or the system, has no file descriptor left. */
export function isOutOfFileDescriptors(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'EMFILE' || code === 'ENFILE'
}

/** What to do then. */
export const outOfFileDescriptors =
  'The process may not open more files. Raise the limit: ulimit -n 1024. `serve` needs a file descriptor for each connection as well.'

/** The text before exit 70: the stack, and how to report it. */
export function bugReport(error: unknown, version: string): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return [
    'This is a bug in Specwright, not in your spec.',
    '',
    visibleLines(stack),
    '',
    `specwright ${version}, node ${process.version}, ${process.platform} ${process.arch}`,
    'Please report it with the text above, the command line, and if you can the spec that caused it:',
    'see "Reporting a bug" in docs/command-line.md of the package.',
  ].join('\n')
}

/**
 * Handles errors of the output streams. If the reader closes early (`specwright export … | head`), the rest of the output
 * is dropped, the exit code does not change, and a service goes on. Any other error, such as a full disk, ends the process.
 *
 * @param exit ends the process
 */
export function handleOutputErrors(out: Writable, err: Writable, exit: (code: ExitCode) => void): void {
  out.on('error', (error: Error) => {
    if (isClosed(error)) return
    err.write(`error: standard output cannot be written: ${visibleLines(error.message)}\n`)
    exit(exitCode.usage)
  })
  err.on('error', (error: Error) => {
    if (!isClosed(error)) exit(exitCode.usage)
  })
}

const isClosed = (error: Error): boolean => 'code' in error && error.code === 'EPIPE'
