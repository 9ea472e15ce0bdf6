import { resolve } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import {
  type ArtefactName,
  artefactNames,
  defaultArtefacts,
  type ExactNumbers,
  exactNumbersTypes,
  type ImportExtension,
  importExtensions,
  isFileSystemError,
} from '../../generator/index.js'
import { type LoadedConfig, loadConfig } from '../config.js'
import { type Additions, readAdditions } from '../generate/additions.js'
import { detectProject } from '../generate/detect-project.js'
import { type GenerateFlags, runGenerate, type Target } from '../generate/run-generate.js'
import {
  displayPath,
  type ExitCode,
  exitCode,
  formatOption,
  type HelpFooter,
  helpFooter,
  jsonOption,
  UsageError,
} from '../output.js'
import { readProject } from '../project.js'
import type { Terminal } from '../terminal.js'

const help: HelpFooter = {
  examples: [
    'specwright generate service.yaml --out src/service',
    'specwright generate service.yaml --out src/service --only types,client',
    ['specwright generate service.yaml --out src/service --check', 'in CI: exit 3 when the output is not current'],
    [
      'specwright generate service.yaml --out src/service --add-handlers',
      'stubs for new operations in your handler files',
    ],
    'specwright generate service.yaml --out src/service --watch',
    ['specwright generate', 'all services of ./specwright.yaml or ./specwright.config.ts'],
  ],
  notes: [
    'Files without the header of a generated file are never overwritten or deleted. Handler files are written once.',
  ],
}

interface Options extends GenerateFlags {
  readonly out?: string
  readonly only?: readonly ArtefactName[]
  readonly runtime?: string
  readonly compiledRuntime?: true
  readonly importExtension?: ImportExtension
  readonly exactNumbers?: ExactNumbers
  readonly templates?: string
  readonly watch?: true
}

/** `specwright generate [SPEC]`: plans the files, then writes, checks, shows or watches them. */
export function generateCommand(terminal: Terminal, setExitCode: (code: ExitCode) => void): Command {
  return new Command('generate')
    .summary('write types, client, server skeleton, OpenAPI and CSDL')
    .description('Generates code from a spec. Writes only files that changed.')
    .argument('[spec]', 'a YAML file; default: all services that specwright.yaml names')
    .option('--out <folder>', 'where the files go')
    .addOption(artefactsOption())
    .option('--runtime <path>', 'import the runtime from there (default: a copy beside the output)')
    .addOption(
      new Option(
        '--compiled-runtime',
        'write the runtime as JavaScript and declarations, for code that runs without TypeScript',
      ).conflicts('runtime'),
    )
    .addOption(
      new Option(
        '--import-extension <extension>',
        'extension of relative imports (default: what the project needs, else js; ts runs without a compiler)',
      ).choices([...importExtensions]),
    )
    .addOption(
      new Option(
        '--exact-numbers <type>',
        'TypeScript type of Int64 and Decimal (default: number, or string if values can be too long for a number)',
      ).choices([...exactNumbersTypes]),
    )
    .option('--templates <folder>', 'templates that replace the built-in ones of the same names')
    .option('--check', 'write nothing; exit 3 when files are stale, missing or edited')
    .option('--diff', 'write nothing; print what would change')
    .option('--dry-run', 'write nothing; list what would happen to each file')
    .option('--add-handlers', 'add stubs for missing operations to existing handler files')
    .option('--watch', 'generate again whenever a spec changes')
    .addOption(formatOption())
    .addOption(jsonOption('the result').conflicts(['format', 'diff', 'watch']))
    .addHelpText('after', helpFooter(terminal, help))
    .action(async (spec: string | undefined, options: Options) => setExitCode(await generate(terminal, spec, options)))
}

async function generate(terminal: Terminal, spec: string | undefined, options: Options): Promise<ExitCode> {
  refuseContradictions(options)
  const config = await loadConfig(terminal.cwd)
  const targets =
    spec === undefined ? await projectTargets(terminal, config, options) : [namedTarget(terminal, spec, options)]
  const fitting = targets.map(target => withProjectTools(terminal, target, options))
  if (options.watch) return watch(terminal, fitting, options)
  return runGenerate(terminal, fitting, options, await readAdditions(terminal, config, options))
}

/** Adds the options that the tools of the project need, unless they are given, and says so. */
function withProjectTools({ cwd, err }: Terminal, target: Target, { json }: Options): Target {
  const { out, only = defaultArtefacts, runtime } = target
  if (!only.includes('client') && !only.includes('server')) return target
  const tools = detectProject(out)
  const importExtension = target.importExtension ?? tools.importExtension
  const compiledRuntime = target.compiledRuntime ?? (runtime === undefined ? tools.compiledRuntime : undefined)
  const words = [
    ...(importExtension === target.importExtension ? [] : [`--import-extension ${importExtension}`]),
    ...(compiledRuntime === target.compiledRuntime ? [] : ['--compiled-runtime']),
  ]
  if (words.length === 0) return target
  if (!json) err(`${displayPath(cwd, out)}: ${words.join(' ')}, because of ${tools.found.join(' and ')}`)
  return { ...target, importExtension, compiledRuntime }
}

function refuseContradictions({ check, diff, dryRun, addHandlers, watch }: Options): void {
  const reading = [check && '--check', diff && '--diff', dryRun && '--dry-run'].filter(Boolean)
  const writing = [addHandlers && '--add-handlers', watch && '--watch'].filter(Boolean)
  if (reading.length > 0 && writing.length > 0) {
    throw new UsageError(
      `${reading[0]} writes nothing, so you cannot combine it with ${writing[0]}. Remove one of them.`,
    )
  }
}

function namedTarget({ cwd }: Terminal, spec: string, options: Options): Target {
  const { out, only, runtime, compiledRuntime, importExtension, exactNumbers } = options
  // A script with an unset variable passes an empty path, which would be the current folder.
  if (out === undefined || out === '') throw new UsageError('Where should the files go? Add --out FOLDER.')
  const paths = { spec: resolve(cwd, spec), out: resolve(cwd, out) }
  return { ...paths, only, runtime, compiledRuntime, importExtension, exactNumbers }
}

async function projectTargets(
  { cwd }: Terminal,
  config: LoadedConfig | undefined,
  { out, only, runtime, compiledRuntime, importExtension, exactNumbers }: Options,
): Promise<readonly Target[]> {
  const ofOne = Object.entries({
    out,
    runtime,
    'compiled-runtime': compiledRuntime,
    'import-extension': importExtension,
    'exact-numbers': exactNumbers,
  })
  const [given] = ofOne.filter(([, value]) => value !== undefined)
  if (given !== undefined) {
    throw new UsageError(`--${given[0]} belongs to one spec. Name it: specwright generate service.yaml --out FOLDER`)
  }
  const project = await readProject(cwd, config, 'generate service.yaml --out FOLDER')
  return project.services.map(service => ({ ...service, only: only ?? service.only }))
}

async function watch(terminal: Terminal, targets: readonly Target[], options: Options): Promise<ExitCode> {
  const { watchFiles } = await import('../../generator/index.js')
  const read = async (): Promise<Additions> => readAdditions(terminal, await loadConfig(terminal.cwd), options)
  // The first time, a usage error ends the command, so that nobody waits for a file that is not watched.
  let additions = await read()
  let included: readonly string[] = []
  const run = async (): Promise<void> => {
    try {
      await runGenerate(terminal, targets, options, additions, files => {
        included = files
      })
    } catch (error) {
      reportUsageError(terminal, error)
    }
  }
  const files = (): readonly string[] => [
    ...new Set([...targets.map(({ spec }) => spec), ...additions.files, ...included]),
  ]
  const runAgain = async (): Promise<void> => {
    try {
      additions = await read()
    } catch (error) {
      reportUsageError(terminal, error)
      return
    }
    await run()
  }
  await run()
  return new Promise<ExitCode>((done, broken) => {
    asUsageError(files().join(', '), () => watchFiles(files, runAgain, broken)).then(watching => {
      terminal.err('Watching for changes. Press Ctrl-C to stop.')
      void terminal.stopped().then(() => {
        watching.stop()
        done(exitCode.done)
      })
    }, broken)
  })
}

/** You can fix a usage error while the watch runs, so it does not end the watch. */
function reportUsageError(terminal: Terminal, error: unknown): void {
  if (!(error instanceof UsageError)) throw error
  terminal.message(`error: ${error.message}`)
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
    if (known === undefined) throw new InvalidArgumentError(`"${word}" is not one of ${artefactNames.join(', ')}.`)
    return known
  })
}

/**
 * Uses a folder or file that the user named.
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
