import { Command } from 'commander'
import { completionCommand } from './commands/completion.js'
import { conformanceCommand } from './commands/conformance.js'
import { exportCommand } from './commands/export.js'
import { generateCommand } from './commands/generate.js'
import { importCommand } from './commands/import.js'
import { initCommand } from './commands/init.js'
import { seedCommand } from './commands/seed.js'
import { serveCommand } from './commands/serve.js'
import { validateCommand } from './commands/validate.js'
import type { ExitCode } from './exit-code.js'
import { type AfterHelp, afterHelp } from './options/after-help.js'
import type { Terminal } from './terminal.js'

/** All commands, as they declare themselves; nothing is run. */
export function programOf(terminal: Terminal, settle: (code: ExitCode) => void, version: string): Command {
  return new Command('specwright')
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
    .addCommand(completionCommand(terminal, settle))
    .addHelpText('after', afterHelp(terminal, help))
}

const help: AfterHelp = {
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
