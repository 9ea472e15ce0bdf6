import { relative } from 'node:path'
import type { Plan } from '../../generator/plan/planned-file.js'
import type { Diagnostic } from '../../spec/language/index.js'
import { countOf } from '../count-of.js'
import { type ExitCode, exitCode } from '../exit-code.js'
import { hasErrors, writeDiagnostics } from '../options/diagnostics-option.js'
import type { Terminal } from '../terminal.js'
import type { GenerateFlags } from './generate-flags.js'
import { runtimeSpecifier } from './runtime-specifier.js'
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
  const [{ loadSpec }, { countFiles, planOutput, writeOutput }] = await Promise.all([
    import('../../spec/language/index.js'),
    import('../../generator/index.js'),
  ])
  const planned = await Promise.all(
    targets.map(async ({ spec, out, only, runtime }) => {
      const loaded = await loadSpec(relative(terminal.cwd, spec))
      const specifier = runtime === undefined ? undefined : runtimeSpecifier(runtime, terminal.cwd, out)
      const output = await planOutput(loaded, { out, only, runtime: specifier, addHandlers: flags.addHandlers })
      return { ...output, source: loaded.source }
    }),
  )
  const shown = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
    diagnostics.map(diagnostic => ({ ...diagnostic, path: relative(terminal.cwd, diagnostic.path) }))
  const diagnostics = shown(planned.flatMap(each => each.diagnostics))
  writeDiagnostics(
    terminal,
    'err',
    flags.format,
    diagnostics,
    planned.map(({ source }) => source),
  )
  if (hasErrors(diagnostics)) return flags.check && isEdited(diagnostics) ? exitCode.stale : codeFor(diagnostics)
  const plans: readonly Plan[] = planned.flatMap(({ plan }) => (plan === undefined ? [] : [plan]))
  if (flags.check || flags.diff || flags.dryRun) return showPlans(terminal, plans, flags, start)
  for (const plan of plans) {
    const failures = shown(await writeOutput(plan))
    writeDiagnostics(terminal, 'err', flags.format, failures, [])
    if (hasErrors(failures)) return codeFor(failures)
  }
  const added = planned.flatMap(({ addedHandlers }) => addedHandlers)
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
