import { terminalText, visibleText, wrapText } from '../spec/language/index.js'

/** The process, as commands see it. Tests pass their own. */
export interface Terminal {
  readonly cwd: string
  /** Writes a line to standard output. Characters that control a terminal become visible. */
  readonly out: (line: string) => void
  /** Writes a document that others read, with its line end: byte for byte, unless standard output is a terminal. */
  readonly document: (text: string) => void
  /** Writes a line to standard error, as `out`. */
  readonly err: (line: string) => void
  /** Writes a message to standard error; on a terminal, wraps its lines at blanks. */
  readonly message: (message: string) => void
  /**
   * Shows the progress of a long command in the last line of standard error. Replaces the previous text; an empty
   * text removes it. Shows nothing unless standard error is a terminal.
   */
  readonly status: (text: string) => void
  /** Standard input. Call it once. */
  readonly input: () => AsyncIterable<Uint8Array>
  /** Colours may be used on standard output, on standard error. */
  readonly colour: { readonly out: boolean; readonly err: boolean }
  /** Standard output is a terminal. */
  readonly interactive: boolean
  readonly columns: number
  /** Monotonic time in milliseconds. */
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

/** Whether to use colours, by the conventions NO_COLOR and FORCE_COLOR. */
function wantsColour(stream: Stream, environment: Host['env']): boolean {
  if (environment['NO_COLOR']) return false
  const forced = environment['FORCE_COLOR']
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false'
  return stream.isTTY === true && environment['TERM'] !== 'dumb'
}

/** The parts of a process that a terminal needs. */
interface Host {
  readonly stdout: Stream
  readonly stderr: Stream
  readonly stdin: AsyncIterable<Uint8Array>
  readonly env: Readonly<Record<string, string | undefined>>
  cwd(): string
  once(signal: 'SIGINT' | 'SIGTERM', stop: () => void): unknown
}

/** The terminal of this process, or of a test double. */
export function processTerminal(host: Host = process): Terminal {
  const { stdout, stderr, env } = host
  let shown = false
  const status = (text: string): void => {
    if (stderr.isTTY !== true || env['TERM'] === 'dumb' || (text === '' && !shown)) return
    const columns = stderr.columns ?? 80
    const line = visibleText(text)
    const cut = line.length < columns ? line : `${line.slice(0, columns - 2)}…`
    stderr.write(`\r\u001B[2K${cut}`)
    shown = text !== ''
  }
  const colour = { out: wantsColour(stdout, env), err: wantsColour(stderr, env) }
  const write = (name: 'out' | 'err', line: string): void => {
    status('')
    const stream = name === 'out' ? stdout : stderr
    stream.write(`${terminalText(line, colour[name])}\n`)
  }
  return {
    cwd: host.cwd(),
    out: line => write('out', line),
    document: text => {
      status('')
      stdout.write(stdout.isTTY === true ? terminalText(text, false) : text)
    },
    err: line => write('err', line),
    message: message => {
      const columns = stderr.isTTY === true ? (stderr.columns ?? 80) : Number.POSITIVE_INFINITY
      write('err', wrapText(message, columns).join('\n'))
    },
    status,
    // A getter, since accessing stdin opens it.
    input: () => host.stdin,
    colour,
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

/** Milliseconds before the first update, and between updates. */
const firstUpdateAfter = 500
const updateInterval = 100

/** Shows the progress of a command. A fast command shows nothing, and updates are throttled. */
export interface ProgressLine {
  readonly update: (text: () => string) => void
  /** Removes it. */
  readonly end: () => void
}

/** The progress line of a command that starts now. */
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
