import { Command } from 'commander'
import type { Diagnostic, DiagnosticFormat, Service } from '../../spec/language/index.js'
import {
  diagnosticsToJson,
  displayPath,
  type ExitCode,
  exitCode,
  formatOption,
  type HelpFooter,
  hasErrors,
  helpFooter,
  jsonOption,
  pluralize,
  writeDiagnostics,
  writeJson,
} from '../output.js'
import { loadSpec, specsOf } from '../project.js'
import type { Terminal } from '../terminal.js'

const help: HelpFooter = {
  examples: [
    'specwright validate service.yaml',
    ['specwright validate service.yaml --format github', 'annotations in a pull request'],
    "specwright validate service.yaml --json | jq '.diagnostics[].code'",
    ['specwright validate', 'every spec that ./specwright.yaml names'],
  ],
}

interface Options {
  readonly format?: DiagnosticFormat
  readonly json?: true
}

/** `specwright validate [SPEC...]`: exit 0, or 1 with every error and its location. */
export function validateCommand(terminal: Terminal, setExitCode: (code: ExitCode) => void): Command {
  return new Command('validate')
    .summary('check a spec')
    .description('Checks specs and prints every error with its location and a fix.')
    .argument('[spec...]', 'YAML files; default: those that specwright.yaml names')
    .addOption(formatOption())
    .addOption(jsonOption('the result').conflicts('format'))
    .addHelpText('after', helpFooter(terminal, help))
    .action(async (specs: readonly string[], options: Options) => setExitCode(await validate(terminal, specs, options)))
}

async function validate(terminal: Terminal, specs: readonly string[], { format, json }: Options): Promise<ExitCode> {
  const paths = specs.length > 0 ? specs : await specsOf(terminal)
  const loaded = await Promise.all(paths.map(path => loadSpec(terminal, path)))
  const diagnostics = loaded.flatMap(each => each.diagnostics)
  const code = hasErrors(diagnostics) ? exitCode.specErrors : exitCode.done
  if (json) {
    const checked = loaded.map(({ source, service }) => ({
      path: displayPath(terminal.cwd, source.path),
      ...sizeOf(service),
    }))
    writeJson(terminal, { valid: code === exitCode.done, specs: checked, diagnostics: diagnosticsToJson(diagnostics) })
    return code
  }
  writeDiagnostics(
    terminal,
    'out',
    format,
    diagnostics,
    loaded.map(({ source }) => source),
  )
  if (format !== 'json') {
    for (const { source, service } of loaded) {
      if (service === undefined) continue
      const { endpoints = 0, types = 0 } = sizeOf(service)
      terminal.out(
        `${displayPath(terminal.cwd, source.path)}: valid (${pluralize(endpoints, 'endpoint')}, ${pluralize(types, 'type')})`,
      )
    }
    if (diagnostics.length > 0) terminal.err(summary(diagnostics))
  }
  return code
}

/** The numbers of errors and warnings, and of notes if there are any. */
function summary(diagnostics: readonly Diagnostic[]): string {
  const count = (wanted: Diagnostic['severity']): number =>
    diagnostics.filter(({ severity }) => severity === wanted).length
  const notes = count('note')
  return [
    pluralize(count('error'), 'error'),
    pluralize(count('warning'), 'warning'),
    ...(notes === 0 ? [] : [pluralize(notes, 'note')]),
  ].join(', ')
}

/** The size of a valid spec. */
function sizeOf(service: Service | undefined): {
  readonly valid: boolean
  readonly endpoints?: number
  readonly types?: number
} {
  if (service === undefined) return { valid: false }
  const types = service.entityTypes.length + service.complexTypes.length + service.enumTypes.length
  return { valid: true, endpoints: service.endpoints.length, types }
}
