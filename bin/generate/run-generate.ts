import { resolve } from 'node:path'
import type { Plan } from '../../generator/plan/planned-file.js'
import { staleFiles } from '../../generator/plan/stale-files.js'
import type { Diagnostic } from '../../spec/language/index.js'
import { countOf } from '../count-of.js'
import { type ExitCode, exitCode } from '../exit-code.js'
import { loadSpec } from '../load-spec.js'
import { hasErrors, writeDiagnostics } from '../options/diagnostics-option.js'
import { writeJson } from '../options/json-option.js'
import { progressLine } from '../progress.js'
import { shownPath } from '../shown-path.js'
import type { Terminal } from '../terminal.js'
import type { GenerateFlags } from './generate-flags.js'
import { plansAsJson } from './plans-as-json.js'
import { ownRuntime, runtimeSpecifier } from './runtime-specifier.js'
import { showPlans } from './show-plans.js'
import { summary } from './summary.js'
import type { Target } from './target.js'

/**
 * Generates all targets, or none when one of them has errors.
 *
 * @throws UsageError when the runtime that a target names is not there
 */
export async function runGenerate(
  terminal: Terminal,
  targets: readonly Target[],
  flags: GenerateFlags,
): Promise<ExitCode> {
  const start = terminal.now()
  const { countFiles, planOutput, partsOf, writeOutput } = await import('../../generator/index.js')
  const progress = progressLine(terminal)
  const isOwn = ({ out, runtime }: Target): boolean =>
    runtime === undefined || resolve(terminal.cwd, runtime) === ownRuntime(out)
  const coming = new Map(
    targets
      .filter(isOwn)
      .map(({ out, only, compiledRuntime: compiled = false }) => [ownRuntime(out), { parts: partsOf(only), compiled }]),
  )
  const planned = await Promise.all(
    targets.map(async ({ spec, runtime, ...target }) => {
      const { out, only } = target
      const loaded = await loadSpec(terminal, shownPath(terminal.cwd, spec))
      const needs = { cwd: terminal.cwd, out, parts: partsOf(only), coming }
      const shared = runtime === undefined ? {} : runtimeSpecifier(runtime, needs)
      progress.tell(() => `Generating ${shownPath(terminal.cwd, out)} …`)
      const output = await planOutput(loaded, { ...target, ...shared, addHandlers: flags.addHandlers })
      return { ...output, source: loaded.source }
    }),
  )
  progress.end()
  const shown = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
    diagnostics.map(diagnostic => ({ ...diagnostic, path: shownPath(terminal.cwd, diagnostic.path) }))
  const diagnostics = shown(planned.flatMap(each => each.diagnostics))
  const plans: readonly Plan[] = planned.flatMap(({ plan }) => (plan === undefined ? [] : [plan]))
  const added = planned.flatMap(({ addedHandlers }) => addedHandlers)
  const written = !flags.check && !flags.diff && !flags.dryRun
  const tellJson = (all: readonly Diagnostic[]): void => {
    const done = { written: written && !hasErrors(all), plans, added, diagnostics: all }
    writeJson(terminal, plansAsJson(done, terminal.cwd, terminal.now() - start))
  }
  const tell = (found: readonly Diagnostic[]): void => {
    if (flags.json) return
    writeDiagnostics(
      terminal,
      'err',
      flags.format,
      found,
      planned.map(({ source }) => source),
    )
  }
  tell(diagnostics)
  if (hasErrors(diagnostics)) {
    if (flags.json) tellJson(diagnostics)
    return flags.check && isEdited(diagnostics) ? exitCode.stale : codeFor(diagnostics)
  }
  if (!written) {
    if (!flags.json) return showPlans(terminal, plans, flags, start)
    tellJson(diagnostics)
    return flags.check && plans.some(plan => staleFiles(plan).length > 0) ? exitCode.stale : exitCode.done
  }
  for (const plan of plans) {
    const failures = shown(await writeOutput(plan))
    tell(failures)
    if (!hasErrors(failures)) continue
    if (flags.json) tellJson([...diagnostics, ...failures])
    return codeFor(failures)
  }
  if (flags.json) {
    tellJson(diagnostics)
    return exitCode.done
  }
  if (added.length > 0) terminal.out(`${countOf(added.length, 'handler')} added: ${added.join(', ')}`)
  terminal.out(summary(plans.map(countFiles), terminal.now() - start))
  return exitCode.done
}

/** Nothing is wrong but that files are no longer the generator's: to `--check`, output that was edited. */
function isEdited(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.every(({ severity, code }) => severity !== 'error' || code === 'output/foreign')
}

/** An output folder that cannot be used is a matter of the command line, not of the spec. */
function codeFor(diagnostics: readonly Diagnostic[]): ExitCode {
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  return errors.every(({ code }) => code.startsWith('output/')) ? exitCode.usage : exitCode.specErrors
}
