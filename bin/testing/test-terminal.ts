import type { Terminal } from '../terminal.js'

/** A terminal that is none, in a folder, and what was written to it. */
export interface TestTerminal {
  readonly terminal: Terminal
  readonly out: readonly string[]
  readonly err: readonly string[]
}

/** Nobody looks at it, and whoever waits for the user to stop is told so at once. */
export function testTerminal(cwd: string, input = ''): TestTerminal {
  const out: string[] = []
  const err: string[] = []
  const terminal: Terminal = {
    cwd,
    out: line => void out.push(line),
    err: line => void err.push(line),
    tell: message => void err.push(message),
    status: () => {},
    input: async function* () {
      yield Buffer.from(input)
    },
    colour: { out: false, err: false },
    interactive: false,
    columns: 80,
    now: () => 0,
    stopped: () => Promise.resolve(),
  }
  return { terminal, out, err }
}
