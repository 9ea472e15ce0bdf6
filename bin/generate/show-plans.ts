import { join, relative } from 'node:path'
import { countFiles } from '../../generator/plan/counts.js'
import { planDiff } from '../../generator/plan/plan-diff.js'
import type { Plan, PlannedFile } from '../../generator/plan/planned-file.js'
import { staleFiles } from '../../generator/plan/stale-files.js'
import { countOf } from '../count-of.js'
import { type ExitCode, exitCode } from '../exit-code.js'
import type { Terminal } from '../terminal.js'
import type { GenerateFlags } from './generate-flags.js'
import { summary } from './summary.js'

/** Files that are named one by one: enough for what people change, and no wall of text where nothing is there yet. */
const most = 20

/** Tells what plans would do, in the ways that were asked for; nothing is written. */
export function showPlans(
  terminal: Terminal,
  plans: readonly Plan[],
  { check, diff, dryRun }: GenerateFlags,
  start: number,
): ExitCode {
  const named = (plan: Plan, path: string): string => relative(terminal.cwd, join(plan.folder, path))
  if (diff) {
    const text = plans.map(plan => planDiff(plan, path => named(plan, path).replaceAll('\\', '/'))).join('')
    if (text !== '') terminal.out(text.replace(/\n$/, ''))
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
  for (const line of stale.length > most + 1 ? stale.slice(0, most) : stale) terminal.err(line)
  if (stale.length > most + 1) terminal.err(`… and ${countOf(stale.length - most, 'file')} more; --json names all`)
  if (stale.length > 0) {
    terminal.tell(`Not current: ${countOf(stale.length, 'file')}. Run the same command without --check.`)
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
