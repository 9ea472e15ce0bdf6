import { join, relative } from 'node:path'
import type { Plan, PlannedFile } from '../../generator/plan/planned-file.js'
import type { GenerateFlags } from '../commands/generate.js'
import { type ExitCode, exitCode } from '../exit-code.js'
import { hasErrors, writeDiagnostics } from '../options/diagnostics-option.js'
import type { Terminal } from '../terminal.js'
import { extendHandlers } from './extend-handlers.js'
import { prepare } from './prepare.js'
import { summary } from './summary.js'
import type { Target } from './target.js'
import { usable } from './usable.js'

/**
 * Generates all targets, or none when one of them has errors.
 *
 * @throws UsageError when a folder or file cannot be used
 */
export async function runGenerate(
  terminal: Terminal,
  targets: readonly Target[],
  flags: GenerateFlags,
): Promise<ExitCode> {
  const start = terminal.now()
  const prepared = await Promise.all(targets.map(target => prepare(terminal, target)))
  const diagnostics = prepared.flatMap(each => each.diagnostics)
  writeDiagnostics(
    terminal,
    'err',
    flags.format,
    diagnostics,
    prepared.map(({ source }) => source),
  )
  if (hasErrors(diagnostics)) return exitCode.specErrors
  const ready = prepared.flatMap(each => (each.ready === undefined ? [] : [each.ready]))
  const plans = ready.map(({ plan }) => plan)
  if (flags.check || flags.diff || flags.dryRun) return showPlans(terminal, plans, flags, start)
  const [{ writePlan }, { countFiles }] = await Promise.all([
    import('../../generator/plan/write-plan.js'),
    import('../../generator/plan/counts.js'),
  ])
  for (const plan of plans) await usable(plan.folder, async () => writePlan(plan))
  if (flags.addHandlers) for (const each of ready) await extendHandlers(terminal, each)
  terminal.out(summary(plans.map(countFiles), terminal.now() - start))
  return exitCode.done
}

async function showPlans(
  terminal: Terminal,
  plans: readonly Plan[],
  { check, diff, dryRun }: GenerateFlags,
  start: number,
): Promise<ExitCode> {
  const [{ staleFiles }, { countFiles }] = await Promise.all([
    import('../../generator/plan/stale-files.js'),
    import('../../generator/plan/counts.js'),
  ])
  const named = (plan: Plan, path: string): string => relative(terminal.cwd, join(plan.folder, path))
  if (diff) {
    const { planDiff } = await import('../../generator/plan/plan-diff.js')
    const text = plans.map(planDiff).join('')
    if (text !== '') terminal.out(text.replace(/\n$/, ''))
  }
  if (dryRun) {
    for (const plan of plans) {
      for (const file of plan.files)
        if (file.action !== 'same') terminal.out(`${verbs[file.action]} ${named(plan, file.path)}`)
    }
    terminal.out(`would be ${summary(plans.map(countFiles), terminal.now() - start)}`)
  }
  if (!check) return exitCode.done
  const stale = plans.flatMap(plan => staleFiles(plan).map(({ path, state }) => `${named(plan, path)}: ${state}`))
  for (const line of stale) terminal.err(line)
  if (stale.length > 0) {
    terminal.err(`${stale.length} of the generated files are not current. Run the same command without --check.`)
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
