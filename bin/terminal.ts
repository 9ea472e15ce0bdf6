import { wrapText } from '../spec/language/diagnostics/format/wrap-text.js'

/** All that a command may know of the process it runs in. Tests hand in one of their own. */
export interface Terminal {
  readonly cwd: string
  /** Writes a line to standard output. */
  readonly out: (line: string) => void
  /** Writes a line to standard error. */
  readonly err: (line: string) => void
  /** Writes a message to standard error; on a terminal its lines are broken at blanks. */
  readonly tell: (message: string) => void
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
export interface Host {
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
    tell: message => {
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
