import { Command, Option } from 'commander'
import type { DiagnosticFormat } from '../../spec/language/index.js'
import {
  type ExitCode,
  exitCode,
  formatOption,
  type HelpFooter,
  hasErrors,
  helpFooter,
  UsageError,
  writeDiagnostics,
  writeDocument,
} from '../output.js'
import { loadSpec } from '../project.js'
import type { Terminal } from '../terminal.js'

const help: HelpFooter = {
  examples: [
    'specwright export service.yaml --format openapi --out openapi.json',
    'specwright export service.yaml --format csdl-xml > metadata.xml',
    `specwright export service.yaml --format jsonschema | jq '."$defs" | keys'`,
  ],
}

const formats = ['openapi', 'csdl-xml', 'csdl-json', 'jsonschema'] as const
type Format = (typeof formats)[number]

interface Options {
  readonly format: Format
  readonly errors?: DiagnosticFormat
  readonly out?: string
}

/** `specwright export SPEC --format F`: one document on standard output. */
export function exportCommand(terminal: Terminal, setExitCode: (code: ExitCode) => void): Command {
  return new Command('export')
    .summary('print a spec as OpenAPI, CSDL or JSON Schema')
    .description(
      'Prints one document on standard output, or writes it to a file. Errors in the spec go to standard error.',
    )
    .argument('<spec>', 'a YAML file')
    .addOption(new Option('--format <format>', 'what to print').choices([...formats]).makeOptionMandatory())
    .option('--out <file>', 'the file to write (default: standard output)')
    .addOption(formatOption('--errors <format>'))
    .addHelpText('after', helpFooter(terminal, help))
    .action(async (spec: string, options: Options) => setExitCode(await exportSpec(terminal, spec, options)))
}

async function exportSpec(terminal: Terminal, spec: string, { format, errors, out }: Options): Promise<ExitCode> {
  if (out === '') throw new UsageError('--out is empty. Name the file for the document.')
  const { service, source, diagnostics } = await loadSpec(terminal, spec)
  writeDiagnostics(terminal, 'err', errors, diagnostics, [source])
  if (service === undefined || hasErrors(diagnostics)) return exitCode.specErrors
  const emit = await emitters[format]()
  const { isOwned } = await import('../../generator/index.js')
  const extension = format === 'csdl-xml' ? '.xml' : '.json'
  await writeDocument(terminal, out, emit(service), before => isOwned(`document${extension}`, before))
  return exitCode.done
}

const emitters = {
  openapi: async () => (await import('../../generator/index.js')).emitOpenapi,
  'csdl-xml': async () => (await import('../../generator/index.js')).emitCsdlXml,
  'csdl-json': async () => (await import('../../generator/index.js')).emitCsdlJson,
  jsonschema: async () => (await import('../../generator/index.js')).emitJsonSchema,
} as const
