import type { ExitCode } from '../exit-code.js'
import { run } from '../run.js'

/** What a command line printed, and how it ended. */
export interface Ran {
  readonly code: ExitCode
  readonly out: string
  readonly err: string
}

/** Runs a command line in this process, in a folder, on a terminal that is none. */
export async function runCommand(cwd: string, ...args: readonly string[]): Promise<Ran> {
  const out: string[] = []
  const err: string[] = []
  const before = process.cwd()
  process.chdir(cwd)
  try {
    const terminal = {
      cwd,
      out: (line: string) => void out.push(line),
      err: (line: string) => void err.push(line),
      status: () => {},
      colour: { out: false, err: false },
      interactive: false,
      columns: 80,
      now: () => 0,
      stopped: () => Promise.resolve(),
    }
    const code = await run(args, terminal, '1.2.3')
    return { code, out: out.join('\n'), err: err.join('\n') }
  } finally {
    process.chdir(before)
  }
}
