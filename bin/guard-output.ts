import type { Writable } from 'node:stream'
import { type ExitCode, exitCode } from './exit-code.js'

/**
 * Decides what becomes of a process whose output cannot be written. A reader that closes early (`specwright export … |
 * head`) is no failure: the rest goes nowhere, the exit code stays what the command makes it, and a service that runs
 * goes on. Anything else, such as a full disk, ends the process: what was asked for is not there.
 *
 * @param exit ends the process
 */
export function guardOutput(out: Writable, err: Writable, exit: (code: ExitCode) => void): void {
  out.on('error', (error: Error) => {
    if (isClosed(error)) return
    err.write(`error: standard output cannot be written: ${error.message}\n`)
    exit(exitCode.usage)
  })
  err.on('error', (error: Error) => {
    if (!isClosed(error)) exit(exitCode.usage)
  })
}

const isClosed = (error: Error): boolean => 'code' in error && error.code === 'EPIPE'
