import { Command, CommanderError } from 'commander'
import { conformanceCommand } from './commands/conformance.js'
import { exportCommand } from './commands/export.js'
import { generateCommand } from './commands/generate.js'
import { importCommand } from './commands/import.js'
import { initCommand } from './commands/init.js'
import { seedCommand } from './commands/seed.js'
import { serveCommand } from './commands/serve.js'
import { validateCommand } from './commands/validate.js'
import { type ExitCode, exitCode } from './exit-code.js'
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
  const program = new Command('specwright')
    .description('One YAML spec of an HTTP service becomes types, a typed client, a server skeleton, OpenAPI and CSDL.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .addCommand(validateCommand(terminal, settle))
    .addCommand(generateCommand(terminal, settle))
    .addCommand(exportCommand(terminal, settle))
    .addCommand(importCommand(terminal, settle))
    .addCommand(initCommand(terminal, settle))
    .addCommand(serveCommand(terminal, settle))
    .addCommand(seedCommand(terminal, settle))
    .addCommand(conformanceCommand(terminal, settle))
    .addHelpText('after', examples)
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

const examples = `
Examples:
  specwright init todo.yaml                            start from a commented spec
  specwright validate todo.yaml                        all errors, each with its place and its fix
  specwright generate todo.yaml --out src/todo         types, client, server skeleton, OpenAPI, CSDL
  specwright export todo.yaml --format openapi         one document on standard output
  specwright serve todo.yaml --store sqlite:todo.db    the service itself, kept in a file
  specwright conformance http://localhost:8080/v1.0    judges an implementation by its spec

Exit codes: 0 done, 1 the spec has errors, 2 usage, 3 --check found stale output, 70 a bug in Specwright;
conformance has its own, see its help.`

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
