/** All that a command may know of the process it runs in. Tests hand in one of their own. */
export interface Terminal {
  readonly cwd: string
  /** Writes a line to standard output. */
  readonly out: (line: string) => void
  /** Writes a line to standard error. */
  readonly err: (line: string) => void
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

interface Stream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** Whether colours are wanted, by the conventions NO_COLOR and FORCE_COLOR. */
function wantsColour(stream: Stream, environment: NodeJS.ProcessEnv): boolean {
  if (environment['NO_COLOR']) return false
  const forced = environment['FORCE_COLOR']
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false'
  return stream.isTTY === true && environment['TERM'] !== 'dumb'
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  return {
    cwd: process.cwd(),
    out: line => void process.stdout.write(`${line}\n`),
    err: line => void process.stderr.write(`${line}\n`),
    colour: { out: wantsColour(process.stdout, process.env), err: wantsColour(process.stderr, process.env) },
    interactive: process.stdout.isTTY === true,
    columns: process.stdout.columns ?? 80,
    now: () => performance.now(),
    stopped: () =>
      new Promise(resolve => {
        process.once('SIGINT', () => resolve())
        process.once('SIGTERM', () => resolve())
      }),
  }
}
