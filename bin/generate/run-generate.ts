import { join, relative, resolve, sep } from 'node:path'
import {
  type ArtefactName,
  type Counts,
  countFiles,
  type ExactNumbers,
  type ImportExtension,
  type Plan,
  type PlannedFile,
  planDiff,
  staleFiles,
} from '../../generator/index.js'
import type { Diagnostic, DiagnosticFormat } from '../../spec/language/index.js'
import {
  diagnosticsToJson,
  displayPath,
  type ExitCode,
  exitCode,
  hasErrors,
  pluralize,
  writeDiagnostics,
  writeJson,
} from '../output.js'
import { loadSpec } from '../project.js'
import { progressLine, type Terminal } from '../terminal.js'
import type { Additions } from './additions.js'
import { defaultRuntimeFolder, runtimeSpecifier } from './shared-runtime.js'

/**
 * Generates all targets, or none when one of them has errors.
 *
 * @param read gets the files that the specs include, absolute
 * @throws UsageError if the runtime that a target names does not exist
 */
export async function runGenerate(
  terminal: Terminal,
  targets: readonly Target[],
  flags: GenerateFlags,
  { files: _, ...additions }: Additions,
  read: (files: readonly string[]) => void = () => {},
): Promise<ExitCode> {
  const start = terminal.now()
  const { countFiles, longNumbers, planOutput, partsOf, writeOutput } = await import('../../generator/index.js')
  const progress = progressLine(terminal)
  const isOwn = ({ out, runtime }: Target): boolean =>
    runtime === undefined || resolve(terminal.cwd, runtime) === defaultRuntimeFolder(out)
  const coming = new Map(
    targets
      .filter(isOwn)
      .map(({ out, only, compiledRuntime: compiled = false }) => [
        defaultRuntimeFolder(out),
        { parts: partsOf(only), compiled },
      ]),
  )
  const planned = await Promise.all(
    targets.map(async ({ spec, runtime, ...target }) => {
      const { out, only } = target
      const loaded = await loadSpec(terminal, displayPath(terminal.cwd, spec))
      const needs = { cwd: terminal.cwd, out, parts: partsOf(only), coming }
      const shared = runtime === undefined ? {} : runtimeSpecifier(runtime, needs)
      progress.update(() => `Generating ${displayPath(terminal.cwd, out)} …`)
      const output = await planOutput(loaded, {
        ...target,
        ...shared,
        ...additions,
        addHandlers: flags.addHandlers,
      })
      const isChosen = target.exactNumbers !== undefined || !isNewClient(output.plan)
      const long = isChosen || loaded.service === undefined ? [] : longNumbers(loaded.service)
      return { ...output, source: loaded.source, long }
    }),
  )
  progress.end()
  read(planned.flatMap(({ source }) => source.includedPaths ?? []).map(path => resolve(path)))
  const shown = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
    diagnostics.map(diagnostic => ({ ...diagnostic, path: displayPath(terminal.cwd, diagnostic.path) }))
  const diagnostics = shown(planned.flatMap(each => each.diagnostics))
  const plans: readonly Plan[] = planned.flatMap(({ plan }) => (plan === undefined ? [] : [plan]))
  const added = planned.flatMap(({ addedHandlers }) => addedHandlers)
  const written = !flags.check && !flags.diff && !flags.dryRun
  const writeResult = (all: readonly Diagnostic[]): void => {
    const done = { written: written && !hasErrors(all), plans, added, diagnostics: all }
    writeJson(terminal, plansToJson(done, terminal.cwd, terminal.now() - start))
  }
  const writeFound = (found: readonly Diagnostic[]): void => {
    if (flags.json) return
    writeDiagnostics(
      terminal,
      'err',
      flags.format,
      found,
      planned.map(({ source }) => source),
    )
  }
  writeFound(diagnostics)
  if (hasErrors(diagnostics)) {
    if (flags.json) writeResult(diagnostics)
    return flags.check && isEdited(diagnostics) ? exitCode.stale : codeFor(diagnostics)
  }
  if (!written) {
    if (!flags.json) return showPlans(terminal, plans, flags, start)
    writeResult(diagnostics)
    return flags.check && plans.some(plan => staleFiles(plan).length > 0) ? exitCode.stale : exitCode.done
  }
  for (const plan of plans) {
    const failures = shown(await writeOutput(plan))
    writeFound(failures)
    if (!hasErrors(failures)) continue
    if (flags.json) writeResult([...diagnostics, ...failures])
    return codeFor(failures)
  }
  if (flags.json) {
    writeResult(diagnostics)
    return exitCode.done
  }
  if (added.length > 0) terminal.out(`${pluralize(added.length, 'handler')} added: ${added.join(', ')}`)
  terminal.out(summary(plans.map(countFiles), terminal.now() - start))
  const [first, ...more] = new Set(planned.flatMap(({ long }) => long))
  if (first !== undefined) terminal.message(stringsNote(first, more.length))
  return exitCode.done
}

/** Whether this run creates the client, so that a choice for it comes in time. */
const isNewClient = (plan: Plan | undefined): boolean =>
  plan?.files.some(({ path, action }) => path === 'client.ts' && action === 'create') === true

const stringsNote = (first: string, more: number): string =>
  `note: ${first}${more === 0 ? '' : ` and ${more} more`} can have more than the 15 digits that a JavaScript number keeps, ` +
  'so Int64 and Decimal are strings. --exact-numbers bigint makes Int64 bigints, and --exact-numbers number rounds.'

/** Whether the only errors are edited files. `--check` reports those as stale. */
function isEdited(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.every(({ severity, code }) => severity !== 'error' || code === 'output/foreign')
}

/** An unusable output folder, template or emitter is an error of the command line, not of the spec. */
function codeFor(diagnostics: readonly Diagnostic[]): ExitCode {
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  return errors.every(({ code }) => /^(?:output|template|emitter)\//.test(code)) ? exitCode.usage : exitCode.specErrors
}

/** One service to generate: its spec and its output folder. Both paths are absolute. */
export interface Target {
  readonly spec: string
  readonly out: string
  readonly only?: readonly ArtefactName[] | undefined
  /** The folder of a shared runtime, as the user wrote it, or the name of a package; absent: one beside the output. */
  readonly runtime?: string | undefined
  /** The runtime beside the output is JavaScript and declarations. */
  readonly compiledRuntime?: boolean | undefined
  /** The extension of relative imports in generated code; absent: `js`. */
  readonly importExtension?: ImportExtension | undefined
  /** The TypeScript type of Int64 and Decimal; absent: `number`. */
  readonly exactNumbers?: ExactNumbers | undefined
}

/** The options of one run of `generate`, besides its targets. */
export interface GenerateFlags {
  readonly check?: true
  readonly diff?: true
  readonly dryRun?: true
  readonly addHandlers?: true
  readonly format?: DiagnosticFormat
  readonly json?: true
}

/** The number of files that are listed by name. */
const maxListedFiles = 20

/** Shows what plans would do. Writes nothing. */
function showPlans(
  terminal: Terminal,
  plans: readonly Plan[],
  { check, diff, dryRun }: GenerateFlags,
  start: number,
): ExitCode {
  const named = (plan: Plan, path: string): string => relative(terminal.cwd, join(plan.folder, path))
  if (diff) {
    const text = plans.map(plan => planDiff(plan, path => named(plan, path).replaceAll('\\', '/'))).join('')
    if (text !== '') terminal.document(text)
  }
  if (dryRun) {
    for (const plan of plans) {
      for (const file of plan.files) {
        if (file.action !== 'same') terminal.out(`${verbs[file.action]} ${named(plan, file.path)}`)
      }
    }
    terminal.out(`would be ${summary(plans.map(countFiles), terminal.now() - start)}`)
  }
  if (!check) return exitCode.done
  const stale = plans.flatMap(plan => staleFiles(plan).map(({ path, state }) => `${named(plan, path)}: ${state}`))
  for (const line of stale.length > maxListedFiles + 1 ? stale.slice(0, maxListedFiles) : stale) terminal.err(line)
  if (stale.length > maxListedFiles + 1)
    terminal.err(`… and ${pluralize(stale.length - maxListedFiles, 'file')} more; --json names all`)
  if (stale.length > 0) {
    terminal.message(`Not current: ${pluralize(stale.length, 'file')}. Run the same command without --check.`)
    return exitCode.stale
  }
  terminal.out(`current: ${summary(plans.map(countFiles), terminal.now() - start)}`)
  return exitCode.done
}

const verbs: Readonly<Record<PlannedFile['action'], string>> = {
  create: 'create',
  update: 'update',
  delete: 'delete',
  same: 'keep  ',
  foreign: 'refuse',
}

/** `14 files: 1 created, 2 updated, 11 unchanged (38 ms)`. */
function summary(counts: readonly Counts[], milliseconds: number): string {
  const sum = (key: keyof Counts): number => counts.reduce((total, each) => total + each[key], 0)
  const parts = (['created', 'updated', 'deleted', 'unchanged'] as const)
    .map(key => ({ key, count: sum(key) }))
    .filter(({ count }) => count > 0)
    .map(({ key, count }) => `${count} ${key}`)
  return `${pluralize(sum('files'), 'file')}: ${parts.join(', ') || 'none'} (${Math.round(milliseconds)} ms)`
}

/** The result of a run of `generate`. */
interface Generated {
  /** The plans were carried out; otherwise they were only computed. */
  readonly written: boolean
  readonly plans: readonly Plan[]
  /** Handlers that were appended to the user's files. */
  readonly added: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

/** The document of `generate --json`. `current`: no file changed, or would change. */
function plansToJson({ written, plans, added, diagnostics }: Generated, cwd: string, milliseconds: number): object {
  const files = plans.flatMap(plan =>
    plan.files.map(({ path, action }) => ({
      path: relative(cwd, join(plan.folder, path)).split(sep).join('/'),
      action,
    })),
  )
  return {
    written,
    current: files.length > 0 && files.every(({ action }) => action === 'same'),
    files,
    addedHandlers: added,
    diagnostics: diagnosticsToJson(diagnostics),
    milliseconds: Math.round(milliseconds),
  }
}
