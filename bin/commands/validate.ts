import { relative } from 'node:path'
import { Command } from 'commander'
import type { DiagnosticFormat } from '../../spec/language/index.js'
import { countOf } from '../count-of.js'
import { type ExitCode, exitCode } from '../exit-code.js'
import { formatOption, hasErrors, writeDiagnostics } from '../options/diagnostics-option.js'
import { specsOf } from '../project/specs-of.js'
import type { Terminal } from '../terminal.js'

const examples = `
Examples:
  specwright validate service.yaml
  specwright validate service.yaml --format github   annotations in a pull request
  specwright validate service.yaml --format json | jq '.[].code'
  specwright validate                                every spec that ./specwright.yaml names`

interface Options {
  readonly format?: DiagnosticFormat
}

/** `specwright validate [SPEC...]`: exit 0, or 1 with every error and its place. */
export function validateCommand(terminal: Terminal, settle: (code: ExitCode) => void): Command {
  return new Command('validate')
    .summary('check a spec')
    .description('Checks specs and prints all that is wrong with them, each with its place and its fix.')
    .argument('[spec...]', 'YAML files; default: those that specwright.yaml names')
    .addOption(formatOption())
    .addHelpText('after', examples)
    .action(async (specs: readonly string[], options: Options) => settle(await validate(terminal, specs, options)))
}

async function validate(terminal: Terminal, specs: readonly string[], { format }: Options): Promise<ExitCode> {
  const { loadSpec } = await import('../../spec/language/index.js')
  const paths = specs.length > 0 ? specs : await specsOf(terminal)
  const loaded = await Promise.all(paths.map(path => loadSpec(path)))
  const diagnostics = loaded.flatMap(each => each.diagnostics)
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
      const types = service.entityTypes.length + service.complexTypes.length + service.enumTypes.length
      const size = `${countOf(service.endpoints.length, 'endpoint')}, ${countOf(types, 'type')}`
      terminal.out(`${relative(terminal.cwd, source.path) || source.path}: valid (${size})`)
    }
    const errors = diagnostics.filter(({ severity }) => severity === 'error').length
    const warnings = diagnostics.length - errors
    if (diagnostics.length > 0) terminal.err(`${countOf(errors, 'error')}, ${countOf(warnings, 'warning')}`)
  }
  return hasErrors(diagnostics) ? exitCode.specErrors : exitCode.done
}
