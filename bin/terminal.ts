import type { Writable } from 'node:stream'
import { wrapText } from '../spec/language/index.js'
import { type ExitCode, exitCode } from './exit-code.js'

/** All that a command may know of the process it runs in. Tests hand in one of their own. */
export interface Terminal {
  readonly cwd: string
  /** Writes a line to standard output. */
  readonly out: (line: string) => void
  /** Writes a line to standard error. */
  readonly err: (line: string) => void
  /** Writes a message to standard error; on a terminal its lines are broken at blanks. */
  readonly message: (message: string) => void
  /**
   * Shows how far a long command has come, in the last line of standard error, in place of what it showed before; an empty
   * text takes it away. Shows nothing when no one looks.
   */
  readonly status: (text: string) => void
  /** Standard input, from its first byte; to be asked for once. */
  readonly input: () => AsyncIterable<Uint8Array>
  /** Colours may be used on standard output, on standard error. */
  readonly colour: { readonly out: boolean; readonly err: boolean }
  /** A person is looking at standard output. */
  readonly interactive: boolean
  readonly columns: number
  /** Milliseconds that never run backwards. */
  readonly now: () => number
  /** Resolves when the user asks the process to stop (SIGINT, SIGTERM). */
  readonly stopped: () => Promise<void>
}

/** One of the standard streams. */
export interface Stream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** Whether colours are wanted, by the conventions NO_COLOR and FORCE_COLOR. */
function wantsColour(stream: Stream, environment: Host['env']): boolean {
  if (environment['NO_COLOR']) return false
  const forced = environment['FORCE_COLOR']
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false'
  return stream.isTTY === true && environment['TERM'] !== 'dumb'
}

/** What a terminal needs of a process. */
interface Host {
  readonly stdout: Stream
  readonly stderr: Stream
  readonly stdin: AsyncIterable<Uint8Array>
  readonly env: Readonly<Record<string, string | undefined>>
  cwd(): string
  once(signal: 'SIGINT' | 'SIGTERM', stop: () => void): unknown
}

/** The terminal of this process, or of one that a test hands in. */
export function processTerminal(host: Host = process): Terminal {
  const { stdout, stderr, env } = host
  let shown = false
  const status = (text: string): void => {
    if (stderr.isTTY !== true || env['TERM'] === 'dumb' || (text === '' && !shown)) return
    const columns = stderr.columns ?? 80
    const cut = text.length < columns ? text : `${text.slice(0, columns - 2)}…`
    stderr.write(`\r\u001B[2K${cut}`)
    shown = text !== ''
  }
  const write = (stream: Stream, line: string): void => {
    status('')
    stream.write(`${line}\n`)
  }
  return {
    cwd: host.cwd(),
    out: line => write(stdout, line),
    err: line => write(stderr, line),
    message: message => {
      const columns = stderr.isTTY === true ? (stderr.columns ?? 80) : Number.POSITIVE_INFINITY
      write(stderr, wrapText(message, columns).join('\n'))
    },
    status,
    // Asked for no sooner: having it at hand is enough to open it.
    input: () => host.stdin,
    colour: { out: wantsColour(stdout, env), err: wantsColour(stderr, env) },
    interactive: stdout.isTTY === true,
    columns: stdout.columns ?? 80,
    now: () => performance.now(),
    stopped: () =>
      new Promise(resolve => {
        host.once('SIGINT', () => resolve())
        host.once('SIGTERM', () => resolve())
      }),
  }
}

/** Milliseconds after which people like to know that something happens, and between two looks at how far it has come. */
const firstUpdateAfter = 500
const updateInterval = 100

/** Shows how far a command has come: nothing of one that is soon done, and not more than anyone can read. */
export interface ProgressLine {
  readonly update: (text: () => string) => void
  /** Takes it away. */
  readonly end: () => void
}

/** The progress of a command that begins now. */
export function progressLine(terminal: Terminal): ProgressLine {
  let next = terminal.now() + firstUpdateAfter
  return {
    update: text => {
      const now = terminal.now()
      if (now < next) return
      next = now + updateInterval
      terminal.status(text())
    },
    end: () => terminal.status(''),
  }
}

/**
 * Decides what becomes of a process whose output cannot be written. A reader that closes early (`specwright export … |
 * head`) is no failure: the rest goes nowhere, the exit code stays what the command makes it, and a service that runs
 * goes on. Anything else, such as a full disk, ends the process: what was asked for is not there.
 *
 * @param exit ends the process
 */
export function handleOutputErrors(out: Writable, err: Writable, exit: (code: ExitCode) => void): void {
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
