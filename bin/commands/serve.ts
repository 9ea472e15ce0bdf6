import { join } from 'node:path'
import { Command, Option } from 'commander'
import type { Diagnostic, Source } from '../../spec/language/index.js'
import {
  diagnosticsToJson,
  displayPath,
  type ExitCode,
  exitCode,
  type HelpFooter,
  hasErrors,
  helpFooter,
  jsonOption,
  writeDiagnostics,
} from '../output.js'
import { packageRoot } from '../package-root.js'
import { loadSpec } from '../project.js'
import {
  parseAllowedHost,
  parseKeySetUrl,
  parseOrigins,
  parsePort,
  parsePublicUrl,
  parseRate,
  parseSeconds,
  parseToken,
  parseWorkers,
  type ServeFlags,
} from '../serve/flags.js'
import { parseLimit, requireKnownLimits } from '../serve/limits.js'
import type { Terminal } from '../terminal.js'

const help: HelpFooter = {
  examples: [
    ['specwright serve', 'the Directory service, in memory, with its data'],
    ['specwright serve todo.yaml --store sqlite:todo.db', 'any service, kept in a file'],
    ['specwright serve --token let-me-in', 'a token that stays the same'],
    ['specwright serve todo.yaml --handlers src/todo/handlers/index.ts', 'with your own logic'],
    'specwright serve --store postgres://localhost/directory --port 80 --host 0.0.0.0',
    'specwright serve --jwks https://issuer.example/keys --issuer https://issuer.example --audience api',
  ],
  notes: [
    'Prints one line on standard output when ready: listening http://127.0.0.1:8080/v1.0',
    'SIGTERM and SIGINT finish running requests, close the store and exit with 0.',
  ],
}

/** `specwright serve [SPEC]`: runs a described service until it is stopped. */
export function serveCommand(terminal: Terminal, setExitCode: (code: ExitCode) => void): Command {
  return new Command('serve')
    .summary('run a described service')
    .description('Runs any described service on SQLite or PostgreSQL, with every query option that it declares.')
    .argument('[spec]', 'a YAML file; default: the Directory and Mailbox service of this package')
    .addOption(new Option('--port <number>', 'port to listen on; 0: any free port').argParser(parsePort).default(8080))
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--store <address>', 'sqlite:FILE, sqlite::memory: or postgres://… (default: in memory)')
    .option('--read-store <address>', 'a streaming replica of the store on PostgreSQL, for reads')
    .option('--data <data>', 'data for an empty store; none: no data (default: SPEC.data.yaml beside the spec)')
    .option('--handlers <file>', 'a module with handlers, for operations that the spec does not define')
    .addOption(
      new Option('--token <token>', 'a bearer token with all scopes (default: a new one, which is printed)')
        .env('SPECWRIGHT_TOKEN')
        .argParser(parseToken),
    )
    .option('--principal <id>', 'principal of that token (default: the first person in the data)')
    .addOption(
      new Option('--secret <secret>', 'accept JSON Web Tokens signed with this secret, HS256').env('SPECWRIGHT_SECRET'),
    )
    .addOption(new Option('--jwks <url>', 'accept JSON Web Tokens signed with these keys').argParser(parseKeySetUrl))
    .option('--issuer <text>', 'required iss of JSON Web Tokens')
    .option('--audience <text>', 'required aud of JSON Web Tokens')
    .addOption(
      new Option(
        '--log <format>',
        'log requests on standard error (default: pretty on a terminal, otherwise json)',
      ).choices(['json', 'pretty', 'off']),
    )
    .addOption(
      new Option('--cors <origin>', 'origin that may call the service; can be repeated; *: all').argParser(
        parseOrigins,
      ),
    )
    .addOption(new Option('--throttle <rate>', 'requests per second for each principal').argParser(parseRate))
    .addOption(
      new Option(
        '--limit <limit>',
        'a limit of requests, such as filterNodes=100; can be repeated (docs/security.md lists all)',
      ).argParser(parseLimit),
    )
    .addOption(
      new Option('--statement-timeout <seconds>', 'time limit for a PostgreSQL statement (default: 30)').argParser(
        parseSeconds,
      ),
    )
    .addOption(
      new Option(
        '--workers <number>',
        'threads for expensive reads, on PostgreSQL or a shared SQLite file (default: the cores but one, at most 4)',
      ).argParser(parseWorkers),
    )
    .addOption(
      new Option('--public-url <url>', 'address of the service root behind a proxy, for links').argParser(
        parsePublicUrl,
      ),
    )
    .addOption(
      new Option(
        '--allowed-host <host>',
        'a name in Host that a service on 127.0.0.1 accepts besides localhost; can be repeated',
      ).argParser(parseAllowedHost),
    )
    .option('--page', 'serve the page at / to everybody (default: to callers on this machine)')
    .option('--no-page', 'serve neither the page nor /openapi.json')
    .option('--metrics', 'serve metrics for Prometheus at /metrics, without a credential')
    .addOption(jsonOption('the address, in one line,'))
    .addHelpText('after', helpFooter(terminal, help))
    .action(async (spec: string | undefined, flags: ServeFlags) => setExitCode(await serve(terminal, spec, flags)))
}

async function serve(terminal: Terminal, given: string | undefined, flags: ServeFlags): Promise<ExitCode> {
  requireKnownLimits(flags.limit ?? {})
  const stopped = terminal.stopped()
  const spec = given ?? join(packageRoot(), 'spec', 'directory.yaml')
  const { service, source, diagnostics } = await loadSpec(terminal, spec)
  if (service === undefined || hasErrors(diagnostics)) return refuse(terminal, flags, diagnostics, [source])
  writeDiagnostics(terminal, 'err', undefined, diagnostics, [source])

  const { DataError } = await import('../../reference/index.js')
  const { runService } = await import('../serve/run-service.js')
  try {
    await runService(terminal, { service, spec: displayPath(terminal.cwd, spec), flags, stopped })
    return exitCode.done
  } catch (error) {
    if (!(error instanceof DataError)) throw error
    const shown = error.diagnostics.map(each => ({ ...each, path: displayPath(terminal.cwd, each.path) }))
    return refuse(terminal, flags, shown, [])
  }
}

/** Reports why the service did not start, also in the line that a program waits for. */
function refuse(
  terminal: Terminal,
  { json }: ServeFlags,
  diagnostics: readonly Diagnostic[],
  sources: readonly Source[],
): ExitCode {
  if (json) terminal.out(JSON.stringify({ listening: null, diagnostics: diagnosticsToJson(diagnostics) }))
  else writeDiagnostics(terminal, 'err', undefined, diagnostics, sources)
  return exitCode.specErrors
}
