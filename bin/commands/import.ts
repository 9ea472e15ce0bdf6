import { createReadStream, existsSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { ImportStage } from '../../generator/index.js'
import type { DiagnosticFormat } from '../../spec/language/index.js'
import { type ExitCode, exitCode, UsageError } from '../exit-code.js'
import { type HelpFooter, helpFooter } from '../help.js'
import { withMissingFileHint } from '../load-spec.js'
import {
  diagnosticsToJson,
  formatOption,
  jsonOption,
  pluralize,
  unwritableFileError,
  writeDiagnostics,
  writeJson,
} from '../output.js'
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
  readonly depth?: number
  readonly keyAsSegment?: boolean
  readonly format?: DiagnosticFormat
  readonly json?: true
}

/** `specwright import METADATA [--out SPEC]`: the metadata of any OData 4 service as a spec. */
export function importCommand(terminal: Terminal, settle: (code: ExitCode) => void): Command {
  return new Command('import')
    .summary('make a spec of the metadata of an OData 4 service')
    .description('Turns CSDL, in XML or JSON, into a spec, and tells what of it a spec cannot hold.')
    .argument('<metadata>', 'a file: what the service answers to $metadata; -: standard input')
    .option('--out <spec>', 'the file to write (default: standard output)')
    .option('--force', 'overwrite a spec that exists')
    .addOption(new Option('--name <name>', 'what the service is called in the spec').argParser(parseName))
    .addOption(new Option('--depth <number>', 'relations that a path may lead through').argParser(parseDepth))
    .option('--key-as-segment', 'write keys as /Set/{key} (default: /Set({key}), unless the metadata say otherwise)')
    .option('--no-key-as-segment', 'write keys as /Set({key})')
    .addOption(formatOption())
    .addOption(jsonOption('what was made, and the report').conflicts('format'))
    .addHelpText('after', helpFooter(terminal, help))
    .action(async (metadata: string, options: Options) => settle(await importFile(terminal, metadata, options)))
}

function parseName(text: string): string {
  if (/^[A-Za-z][A-Za-z0-9_-]*$/.test(text)) return text
  throw new InvalidArgumentError('A letter, then letters, digits, _ and -.')
}

function parseDepth(text: string): number {
  if (/^[0-9]$/.test(text)) return Number(text)
  throw new InvalidArgumentError('A number from 0 to 9.')
}

async function importFile(terminal: Terminal, metadata: string, options: Options): Promise<ExitCode> {
  const { out, force, name, depth, keyAsSegment, format, json } = options
  if (out === '') throw new UsageError('Where should the spec go? --out is empty.')
  if (json && out === undefined) {
    throw new UsageError('--json tells of the spec on standard output; add --out FILE, where the spec itself goes.')
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
  } = await importMetadata(isStandardInput ? '<stdin>' : metadata, { name, depth, keyAsSegment, progress }, input)
  const diagnostics = withMissingFileHint(found, metadata, 'Save there what the service answers to $metadata.')
  terminal.status('')
  if (!json) writeDiagnostics(terminal, 'err', format, diagnostics, [source])
  if (spec === undefined) {
    if (json) writeJson(terminal, { spec: null, diagnostics: diagnosticsToJson(diagnostics) })
    return exitCode.specErrors
  }
  const tellKeyStyle = (): void => {
    if (spec.keyStyle !== undefined && keyAsSegment === undefined && format !== 'json') {
      terminal.message(keyStyles[spec.keyStyle])
    }
  }
  if (out === undefined) {
    terminal.out(spec.text.replace(/\n$/, ''))
    tellKeyStyle()
    return exitCode.done
  }
  await write(resolve(terminal.cwd, out), out, spec.text, force === true)
  const { resources, operations = {}, paths } = spec.document
  const count = (part: object): number => Object.keys(part).length
  // Type definitions are another name for a primitive type: `validate` counts none either.
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
    terminal.message(`${pluralize(diagnostics.length, 'kind')} of things that the spec does not hold, told above.`)
  }
  tellKeyStyle()
  return exitCode.done
}

/** What comes through a pipe, as a shell makes one of `<(curl …)`; undefined where there is none. */
function pipe(path: string): AsyncIterable<Uint8Array> | undefined {
  try {
    return statSync(path).isFIFO() ? createReadStream(path) : undefined
  } catch {
    // Why not, the reader of files tells.
    return undefined
  }
}

/** Which way keys are written where nobody chose, and how to choose the other. */
const keyStyles = {
  parentheses:
    'note: Keys are written /Set({key}), which every service understands; --key-as-segment writes them /Set/{key}.',
  segment:
    'note: Keys are written /Set/{key}, since the metadata say KeyAsSegmentSupported; --no-key-as-segment writes them /Set({key}).',
} as const

const stages: Readonly<Record<ImportStage, string>> = {
  reading: 'Reading the metadata',
  converting: 'Turning them into a spec',
  checking: 'Checking the spec',
  printing: 'Writing the spec',
}

/** Finds out before all the work what would only show after it. */
function refuseOutput(path: string, shown: string, force: boolean): void {
  if (!existsSync(dirname(path))) throw new UsageError(`The folder of ${shown} does not exist. Create it first.`)
  if (!force && existsSync(path)) throw taken(shown)
}

const taken = (shown: string): UsageError =>
  new UsageError(`${shown} exists already and is left as it is. Name another file, or add --force.`)

async function write(path: string, shown: string, text: string, force: boolean): Promise<void> {
  try {
    await writeFile(path, text, { flag: force ? 'w' : 'wx' })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw taken(shown)
    throw unwritableFileError(shown, error) ?? error
  }
}
