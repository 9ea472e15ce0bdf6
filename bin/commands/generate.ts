import { resolve } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import {
  type ArtefactName,
  artefactNames,
  defaultArtefacts,
  type ImportExtension,
  importExtensions,
  isFileSystemError,
} from '../../generator/index.js'
import { type ExitCode, exitCode, UsageError } from '../exit-code.js'
import { type GenerateFlags, runGenerate, type Target } from '../generate/run-generate.js'
import { type HelpFooter, helpFooter } from '../help.js'
import { formatOption, jsonOption } from '../output.js'
import { readProject } from '../project.js'
import type { Terminal } from '../terminal.js'

const help: HelpFooter = {
  examples: [
    'specwright generate service.yaml --out src/service',
    'specwright generate service.yaml --out src/service --only types,client',
    ['specwright generate service.yaml --out src/service --check', 'in a CI: exit 3 when it is not current'],
    [
      'specwright generate service.yaml --out src/service --add-handlers',
      'stubs for new operations in your handler files',
    ],
    'specwright generate service.yaml --out src/service --watch',
    ['specwright generate', 'all services of ./specwright.yaml'],
  ],
  notes: [
    'Files that do not carry the header of a generated file are never overwritten or deleted. Handler files are written once.',
  ],
}

interface Options extends GenerateFlags {
  readonly out?: string
  readonly only?: readonly ArtefactName[]
  readonly runtime?: string
  readonly compiledRuntime?: true
  readonly importExtension?: ImportExtension
  readonly watch?: true
}

/** `specwright generate [SPEC]`: one plan of files, carried out, checked, shown or kept current. */
export function generateCommand(terminal: Terminal, settle: (code: ExitCode) => void): Command {
  return new Command('generate')
    .summary('write types, client, server skeleton, OpenAPI and CSDL')
    .description('Generates code from a spec. Only what changed is written.')
    .argument('[spec]', 'a YAML file; default: all services that specwright.yaml names')
    .option('--out <folder>', 'where the files go')
    .addOption(artefactsOption())
    .option('--runtime <path>', 'import the runtime from there; default: one beside the output')
    .addOption(
      new Option(
        '--compiled-runtime',
        'put the runtime beside the output as JavaScript and declarations, for code that is bundled or run as it is',
      ).conflicts('runtime'),
    )
    .addOption(
      new Option(
        '--import-extension <extension>',
        'what relative imports end in (default: js; ts runs without a compiler, none suits Next.js and jest)',
      ).choices([...importExtensions]),
    )
    .option('--check', 'write nothing; exit 3 when files are stale, missing or edited')
    .option('--diff', 'write nothing; print what would change')
    .option('--dry-run', 'write nothing; list what would happen to each file')
    .option('--add-handlers', 'add stubs of missing operations to handler files that exist')
    .option('--watch', 'generate again whenever a spec changes')
    .addOption(formatOption())
    .addOption(jsonOption('what was done').conflicts(['format', 'diff', 'watch']))
    .addHelpText('after', helpFooter(terminal, help))
    .action(async (spec: string | undefined, options: Options) => settle(await generate(terminal, spec, options)))
}

async function generate(terminal: Terminal, spec: string | undefined, options: Options): Promise<ExitCode> {
  refuseContradictions(options)
  const targets = spec === undefined ? await projectTargets(terminal, options) : [namedTarget(terminal, spec, options)]
  if (!options.watch) return runGenerate(terminal, targets, options)
  return watch(terminal, targets, options)
}

function refuseContradictions({ check, diff, dryRun, addHandlers, watch }: Options): void {
  const reading = [check && '--check', diff && '--diff', dryRun && '--dry-run'].filter(Boolean)
  const writing = [addHandlers && '--add-handlers', watch && '--watch'].filter(Boolean)
  if (reading.length > 0 && writing.length > 0) {
    throw new UsageError(`${reading[0]} writes nothing, so it does not go with ${writing[0]}. Leave one of them out.`)
  }
}

function namedTarget({ cwd }: Terminal, spec: string, options: Options): Target {
  const { out, only, runtime, compiledRuntime, importExtension } = options
  // An empty path would be the current folder: what a script gives whose variable is not set.
  if (out === undefined || out === '') throw new UsageError('Where should the files go? Add --out FOLDER.')
  return { spec: resolve(cwd, spec), out: resolve(cwd, out), only, runtime, compiledRuntime, importExtension }
}

async function projectTargets(
  { cwd }: Terminal,
  { out, only, runtime, compiledRuntime, importExtension }: Options,
): Promise<readonly Target[]> {
  const ofOne = Object.entries({
    out,
    runtime,
    'compiled-runtime': compiledRuntime,
    'import-extension': importExtension,
  })
  const [given] = ofOne.filter(([, value]) => value !== undefined)
  if (given !== undefined) {
    throw new UsageError(`--${given[0]} belongs to one spec. Name it: specwright generate service.yaml --out FOLDER`)
  }
  const project = await readProject(cwd)
  return project.services.map(service => ({ ...service, only: only ?? service.only }))
}

async function watch(terminal: Terminal, targets: readonly Target[], flags: GenerateFlags): Promise<ExitCode> {
  const { watchFiles } = await import('../../generator/index.js')
  const run = async (): Promise<void> => {
    try {
      await runGenerate(terminal, targets, flags)
    } catch (error) {
      // What a person can mend while the watch runs must not end it.
      if (!(error instanceof UsageError)) throw error
      terminal.message(`error: ${error.message}`)
    }
  }
  await run()
  const specs = targets.map(({ spec }) => spec)
  return new Promise<ExitCode>((done, broken) => {
    asUsageError(specs.join(', '), () => watchFiles(specs, run, broken)).then(watching => {
      terminal.err('Watching for changes; Ctrl-C ends.')
      void terminal.stopped().then(() => {
        watching.stop()
        done(exitCode.done)
      })
    }, broken)
  })
}

/** `--only types,client`. */
function artefactsOption(): Option {
  return new Option('--only <artefacts>', `what to generate, of ${artefactNames.join(', ')}`)
    .argParser(parseArtefacts)
    .default(undefined, defaultArtefacts.join(','))
}

function parseArtefacts(text: string): readonly ArtefactName[] {
  return text.split(',').map(word => {
    const known = artefactNames.find(name => name === word.trim())
    if (known === undefined) throw new InvalidArgumentError(`"${word}" is none of ${artefactNames.join(', ')}.`)
    return known
  })
}

/**
 * Does something with a folder or file that the user named.
 *
 * @throws UsageError when the system refuses
 */
async function asUsageError<Result>(path: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (isFileSystemError(error)) throw new UsageError(`${path} cannot be used: ${error.message}`)
    throw error
  }
}
