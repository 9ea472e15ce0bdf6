import { Command, CommanderError, type Help } from 'commander'
import { wrapText } from '../spec/language/index.js'
import { completionCommand } from './commands/completion.js'
import { conformanceCommand } from './commands/conformance.js'
import { exportCommand } from './commands/export.js'
import { generateCommand } from './commands/generate.js'
import { importCommand } from './commands/import.js'
import { initCommand } from './commands/init.js'
import { schemaCommand } from './commands/schema.js'
import { seedCommand } from './commands/seed.js'
import { serveCommand } from './commands/serve.js'
import { validateCommand } from './commands/validate.js'
import { type ExitCode, exitCode, type HelpFooter, helpFooter, UsageError } from './output.js'
import type { Terminal } from './terminal.js'

/**
 * Runs one command line.
 *
 * @param args what follows `specwright`
 * @returns the exit code; throws only when Specwright itself has a bug
 */
export async function run(args: readonly string[], terminal: Terminal, version: string): Promise<ExitCode> {
  let code: ExitCode = exitCode.done
  const setExitCode = (result: ExitCode): void => {
    code = result
  }
  const program = createProgram(terminal, setExitCode, version, args[0])
  redirectOutput(program, terminal)
  try {
    await program.parseAsync(withoutHelpOnNothing(args, program), { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.done : exitCode.usage
    if (error instanceof UsageError) {
      terminal.message(`error: ${error.message}`)
      return exitCode.usage
    }
    throw error
  }
}

/**
 * Turns `help nope` into `nope`, so that commander reports an unknown command. For `help nope` it would print the general
 * help.
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

/** Columns that a description needs beside what it describes; with fewer, the description goes below. */
const minDescriptionWidth = 24

/** One line of the lists of commands and options, and its further lines. */
function formatItem(term: string, termWidth: number, description: string, helper: Help): string {
  const columns = helper.helpWidth ?? 80
  const beside = columns - termWidth - 4
  const isBeside = beside >= minDescriptionWidth
  const lines = description === '' ? [] : wrapText(description, isBeside ? beside : columns - 6)
  if (!isBeside) return [`  ${term}`, ...lines.map(line => `      ${line}`)].join('\n')
  const [first = '', ...more] = lines
  const indent = ' '.repeat(termWidth + 4)
  return [`  ${term.padEnd(termWidth)}  ${first}`.trimEnd(), ...more.map(line => indent + line)].join('\n')
}

/** Stops commander from ending the process and from writing to anything but the given terminal. */
function redirectOutput(command: Command, terminal: Terminal): void {
  command
    .exitOverride()
    .showSuggestionAfterError()
    .showHelpAfterError(`All options: ${nameOf(command)} --help`)
    .configureHelp({ formatItem })
    .configureOutput({
      writeOut: text => terminal.out(text.replace(/\n$/, '')),
      writeErr: text => terminal.message(text.replace(/\n$/, '')),
      getOutHelpWidth: () => terminal.columns,
      getErrHelpWidth: () => terminal.columns,
      getOutHasColors: () => terminal.colour.out,
      getErrHasColors: () => terminal.colour.err,
    })
  for (const child of command.commands) redirectOutput(child, terminal)
}

const commands = {
  validate: validateCommand,
  generate: generateCommand,
  export: exportCommand,
  import: importCommand,
  init: initCommand,
  schema: schemaCommand,
  serve: serveCommand,
  seed: seedCommand,
  conformance: conformanceCommand,
  completion: completionCommand,
}

/** @param first if this names a command, the program needs no other one. By default, it has all. */
export function createProgram(
  terminal: Terminal,
  setExitCode: (code: ExitCode) => void,
  version: string,
  first?: string,
): Command {
  const program = new Command('specwright')
    .description('One YAML spec of an HTTP service becomes types, a typed client, a server skeleton, OpenAPI and CSDL.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .addHelpText('after', helpFooter(terminal, help))
  // `completion` completes the names and options of all.
  const isOne = first !== undefined && first !== 'completion' && Object.hasOwn(commands, first)
  for (const [name, create] of Object.entries(commands)) {
    if (!isOne || name === first) program.addCommand(create(terminal, setExitCode))
  }
  return program
}

const help: HelpFooter = {
  examples: [
    ['specwright init todo.yaml', 'start from a commented spec'],
    ['specwright validate todo.yaml', 'all errors at once'],
    ['specwright generate todo.yaml --out src/todo', 'types, client, server'],
    ['specwright export todo.yaml --format openapi', 'one document'],
    ['specwright serve todo.yaml', 'the service itself'],
    ['specwright conformance http://localhost:8080/v1.0', 'is it right?'],
  ],
  notes: [
    'Exit codes: 0 done, 1 the spec has errors, 2 usage, 3 --check found stale output, 70 a bug in Specwright; conformance has its own, see its help.',
  ],
}
