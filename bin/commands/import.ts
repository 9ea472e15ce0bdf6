import { createReadStream, existsSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { ImportStage } from '../../generator/index.js'
import type { DiagnosticFormat } from '../../spec/language/index.js'
import {
  diagnosticsToJson,
  type ExitCode,
  exitCode,
  formatOption,
  type HelpFooter,
  helpFooter,
  jsonOption,
  pluralize,
  UsageError,
  unwritableFileError,
  writeDiagnostics,
  writeJson,
} from '../output.js'
import { withMissingFileHint } from '../project.js'
import type { Terminal } from '../terminal.js'

const help: HelpFooter = {
  examples: [
    String.raw`curl https://services.example/odata/\$metadata > metadata.xml`,
    'specwright import metadata.xml --out service.yaml',
    String.raw`curl https://services.example/odata/\$metadata | specwright import - --out service.yaml`,
    'specwright import metadata.xml --out service.yaml --json > left-out.json',
    'specwright import metadata.json --depth 1 > service.yaml',
  ],
}

interface Options {
  readonly out?: string
  readonly force?: true
  readonly name?: string
  readonly rename: Readonly<Record<string, string>>
  readonly depth?: number
  readonly keyAsSegment?: boolean
  readonly format?: DiagnosticFormat
  readonly json?: true
}

/** `specwright import METADATA [--out SPEC]`: the metadata of any OData 4 service as a spec. */
export function importCommand(terminal: Terminal, setExitCode: (code: ExitCode) => void): Command {
  return new Command('import')
    .summary('create a spec from the metadata of an OData 4 service')
    .description('Converts CSDL, in XML or JSON, to a spec, and reports what a spec cannot express.')
    .argument('<metadata>', 'a file with the response to $metadata; -: standard input')
    .option('--out <spec>', 'the file to write (default: standard output)')
    .option('--force', 'overwrite an existing spec')
    .addOption(new Option('--name <name>', 'the name of the service in the spec').argParser(parseName))
    .addOption(
      new Option(
        '--rename <name=new>',
        'another name for a type, an operation or an entity set, in code only; repeatable',
      )
        .argParser(parseRename)
        .default({}, 'none'),
    )
    .addOption(new Option('--depth <number>', 'maximum number of relations in a path').argParser(parseDepth))
    .option('--key-as-segment', 'write keys as /Set/{key} (default: /Set({key}), unless the metadata says otherwise)')
    .option('--no-key-as-segment', 'write keys as /Set({key})')
    .addOption(formatOption())
    .addOption(jsonOption('the result and the report').conflicts('format'))
    .addHelpText('after', helpFooter(terminal, help))
    .action(async (metadata: string, options: Options) => setExitCode(await importFile(terminal, metadata, options)))
}

function parseName(text: string): string {
  if (/^[A-Za-z][A-Za-z0-9_-]*$/.test(text)) return text
  throw new InvalidArgumentError('A letter, then letters, digits, _ and -.')
}

/** Adds `name=new` to the names so far. */
function parseRename(text: string, before: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const [, name, renamed] = /^([\p{L}\p{N}_.:/]+)=([\p{L}_][\p{L}\p{N}_]*)$/u.exec(text) ?? []
  if (name !== undefined && renamed !== undefined) return { ...before, [name]: renamed }
  throw new InvalidArgumentError('A name of the metadata, =, and the new name: sales.sales_order=Order.')
}

function parseDepth(text: string): number {
  if (/^[0-9]$/.test(text)) return Number(text)
  throw new InvalidArgumentError('A number from 0 to 9.')
}

async function importFile(terminal: Terminal, metadata: string, options: Options): Promise<ExitCode> {
  const { out, force, name, rename, depth, keyAsSegment, format, json } = options
  if (out === '') throw new UsageError('--out is empty. Name the file for the spec.')
  if (json && out === undefined) {
    throw new UsageError('--json prints the result on standard output. Add --out FILE for the spec itself.')
  }
  if (out !== undefined) refuseOutput(resolve(terminal.cwd, out), out, force === true)
  const start = terminal.now()
  const { importMetadata } = await import('../../generator/index.js')
  const progress = (stage: ImportStage): void => terminal.status(`${stages[stage]} …`)
  const isStandardInput = metadata === '-' || metadata === '/dev/stdin'
  const input = isStandardInput ? terminal.input() : pipe(resolve(terminal.cwd, metadata))
  const {
    source,
    spec,
    diagnostics: found,
  } = await importMetadata(
    isStandardInput ? '<stdin>' : metadata,
    { name, rename, depth, keyAsSegment, progress },
    input,
  )
  const diagnostics = withMissingFileHint(found, metadata, 'Save the response of the service to $metadata there.')
  terminal.status('')
  if (!json) writeDiagnostics(terminal, 'err', format, diagnostics, [source])
  if (spec === undefined) {
    if (json) writeJson(terminal, { spec: null, diagnostics: diagnosticsToJson(diagnostics) })
    return exitCode.specErrors
  }
  const noteKeyStyle = (): void => {
    if (spec.keyStyle !== undefined && keyAsSegment === undefined && format !== 'json') {
      terminal.message(keyStyles[spec.keyStyle])
    }
  }
  if (out === undefined) {
    terminal.document(spec.text)
    noteKeyStyle()
    return exitCode.done
  }
  await write(resolve(terminal.cwd, out), out, spec.text, force === true)
  const { resources, operations = {}, paths } = spec.document
  const count = (part: object): number => Object.keys(part).length
  // A type definition only names a primitive type, so it does not count, as in `validate`.
  const types = Object.values(resources).filter(({ kind }) => kind !== 'typeDefinition')
  const size = { types: types.length, operations: count(operations), paths: count(paths) }
  const file = relative(terminal.cwd, resolve(terminal.cwd, out))
  const milliseconds = Math.round(terminal.now() - start)
  if (json) {
    const { keyStyle } = spec
    writeJson(terminal, { spec: file, ...size, keyStyle, diagnostics: diagnosticsToJson(diagnostics), milliseconds })
    return exitCode.done
  }
  const parts = [pluralize(size.types, 'type'), pluralize(size.operations, 'operation'), pluralize(size.paths, 'path')]
  terminal.out(`${file}: ${parts.join(', ')} (${milliseconds} ms)`)
  if (diagnostics.length > 0 && format !== 'json') {
    terminal.message(`${pluralize(diagnostics.length, 'kind')} of things that the spec cannot express, listed above.`)
  }
  noteKeyStyle()
  return exitCode.done
}

/** The content of a pipe, such as a shell creates for `<(curl …)`. Undefined if the path is not a pipe. */
function pipe(path: string): AsyncIterable<Uint8Array> | undefined {
  try {
    return statSync(path).isFIFO() ? createReadStream(path) : undefined
  } catch {
    // Reading the file reports the cause.
    return undefined
  }
}

/** The default style of keys, and how to choose the other one. */
const keyStyles = {
  parentheses:
    'note: Keys are written as /Set({key}), which every service understands. --key-as-segment writes them as /Set/{key}.',
  segment:
    'note: Keys are written as /Set/{key}, because the metadata says KeyAsSegmentSupported. --no-key-as-segment writes them as /Set({key}).',
} as const

const stages: Readonly<Record<ImportStage, string>> = {
  reading: 'Reading the metadata',
  converting: 'Converting it to a spec',
  checking: 'Checking the spec',
  printing: 'Writing the spec',
}

/** Checks the output before the work starts. */
function refuseOutput(path: string, shown: string, force: boolean): void {
  if (!existsSync(dirname(path))) throw new UsageError(`The folder of ${shown} does not exist. Create it first.`)
  if (!force && existsSync(path)) throw taken(shown)
}

const taken = (shown: string): UsageError =>
  new UsageError(`${shown} already exists and was not changed. Name another file, or add --force.`)

async function write(path: string, shown: string, text: string, force: boolean): Promise<void> {
  try {
    await writeFile(path, text, { flag: force ? 'w' : 'wx' })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw taken(shown)
    throw unwritableFileError(shown, error) ?? error
  }
}
