import { type Command, CommanderError } from 'commander'
import { type ExitCode, exitCode } from './exit-code.js'
import { programOf } from './program.js'
import type { Terminal } from './terminal.js'
import { UsageError } from './usage-error.js'

/**
 * Runs one command line.
 *
 * @param args what follows `specwright`
 * @returns the exit code; throws only when Specwright itself has a bug
 */
export async function run(args: readonly string[], terminal: Terminal, version: string): Promise<ExitCode> {
  let code: ExitCode = exitCode.done
  const settle = (result: ExitCode): void => {
    code = result
  }
  const program = programOf(terminal, settle, version)
  quietly(program, terminal)
  try {
    await program.parseAsync([...args], { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.done : exitCode.usage
    if (error instanceof UsageError) {
      terminal.err(`error: ${error.message}`)
      return exitCode.usage
    }
    throw error
  }
}

/** Commander must neither end the process nor write past the terminal it is given. */
function quietly(command: Command, terminal: Terminal): void {
  command
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: text => terminal.out(text.replace(/\n$/, '')),
      writeErr: text => terminal.err(text.replace(/\n$/, '')),
      getOutHelpWidth: () => terminal.columns,
      getErrHelpWidth: () => terminal.columns,
      getOutHasColors: () => terminal.colour.out,
      getErrHasColors: () => terminal.colour.err,
    })
  for (const child of command.commands) quietly(child, terminal)
}
