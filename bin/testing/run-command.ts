import type { ExitCode } from '../exit-code.js'
import { run } from '../run.js'
import { testTerminal } from './test-terminal.js'

/** What a command line printed, and how it ended. */
export interface Ran {
  readonly code: ExitCode
  readonly out: string
  readonly err: string
}

/** Runs a command line in this process, in a folder, on a terminal that is none. */
export async function runCommand(cwd: string, ...args: readonly string[]): Promise<Ran> {
  const { terminal, out, err } = testTerminal(cwd)
  const before = process.cwd()
  process.chdir(cwd)
  try {
    const code = await run(args, terminal, '1.2.3')
    return { code, out: out.join('\n'), err: err.join('\n') }
  } finally {
    process.chdir(before)
  }
}
