import { type Command, CommanderError, type Help } from 'commander'
import { wrapText } from '../spec/language/diagnostics/format/wrap-text.js'
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
    await program.parseAsync(withoutHelpOnNothing(args, program), { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.done : exitCode.usage
    if (error instanceof UsageError) {
      terminal.tell(`error: ${error.message}`)
      return exitCode.usage
    }
    throw error
  }
}

/**
 * Makes `nope` of `help nope`, so that it is told that there is no such command: commander would print the general help
 * and not a word on it.
 */
function withoutHelpOnNothing(args: readonly string[], { commands }: Command): string[] {
  const [first, name = ''] = args
  const isCommand = ['', 'help', ...commands.map(command => command.name())].includes(name)
  return first === 'help' && !isCommand && !name.startsWith('-') ? [name] : [...args]
}

/** `specwright export`. */
function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`
}

/** Columns that a description needs beside what it describes; where there are fewer, it stands below. */
const least = 24

/** One line of the lists of commands and options, and its further lines. */
function formatItem(term: string, termWidth: number, description: string, helper: Help): string {
  const columns = helper.helpWidth ?? 80
  const beside = columns - termWidth - 4
  const isBeside = beside >= least
  const lines = description === '' ? [] : wrapText(description, isBeside ? beside : columns - 6)
  if (!isBeside) return [`  ${term}`, ...lines.map(line => `      ${line}`)].join('\n')
  const [first = '', ...more] = lines
  const indent = ' '.repeat(termWidth + 4)
  return [`  ${term.padEnd(termWidth)}  ${first}`.trimEnd(), ...more.map(line => indent + line)].join('\n')
}

/** Commander must neither end the process nor write past the terminal it is given. */
function quietly(command: Command, terminal: Terminal): void {
  command
    .exitOverride()
    .showSuggestionAfterError()
    .showHelpAfterError(`All options: ${nameOf(command)} --help`)
    .configureHelp({ formatItem })
    .configureOutput({
      writeOut: text => terminal.out(text.replace(/\n$/, '')),
      writeErr: text => terminal.tell(text.replace(/\n$/, '')),
      getOutHelpWidth: () => terminal.columns,
      getErrHelpWidth: () => terminal.columns,
      getOutHasColors: () => terminal.colour.out,
      getErrHasColors: () => terminal.colour.err,
    })
  for (const child of command.commands) quietly(child, terminal)
}
