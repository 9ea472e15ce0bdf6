import { relative } from 'node:path'
import type { Plan } from '../../generator/plan/planned-file.js'
import type { Diagnostic, Service, Source } from '../../spec/language/index.js'
import { hasErrors } from '../options/diagnostics-option.js'
import type { Terminal } from '../terminal.js'
import { UsageError } from '../usage-error.js'
import { runtimeSpecifier } from './runtime-specifier.js'
import type { Target } from './target.js'
import { usable } from './usable.js'

/** A target whose spec was read; a plan only when neither the spec nor its names have errors. */
export interface Prepared {
  readonly target: Target
  readonly source: Source
  readonly diagnostics: readonly Diagnostic[]
  readonly ready?: { readonly service: Service; readonly plan: Plan }
}

/**
 * Reads a spec, generates in memory, and compares with the output folder. Nothing is written.
 *
 * @throws UsageError when the output folder cannot be used
 */
export async function prepare(terminal: Terminal, target: Target): Promise<Prepared> {
  const [{ loadSpec }, { generateFrom }, { planFiles }] = await Promise.all([
    import('../../spec/language/index.js'),
    import('../../generator/generate-from.js'),
    import('../../generator/plan/plan-files.js'),
  ])
  const loaded = await loadSpec(relative(terminal.cwd, target.spec))
  const { source, service } = loaded
  const runtime = target.runtime === undefined ? undefined : runtimeSpecifier(target.runtime, terminal.cwd, target.out)
  const { files, diagnostics } = generateFrom(loaded, { only: target.only, runtime })
  if (service === undefined || hasErrors(diagnostics)) return { target, source, diagnostics }
  const plan = await usable(target.out, async () => planFiles(target.out, files))
  refuseForeign(terminal, plan)
  return { target, source, diagnostics, ready: { service, plan } }
}

function refuseForeign(terminal: Terminal, plan: Plan): void {
  const foreign = plan.files.flatMap(file => (file.action === 'foreign' ? [file] : []))
  if (foreign.length === 0) return
  const out = relative(terminal.cwd, plan.folder) || '.'
  throw new UsageError(
    [
      `Nothing was written: ${out} holds files that are not generated where generated ones should go.`,
      ...foreign.map(({ path, why }) => `  ${out}/${path}: ${why}`),
      'Move them away, or choose another folder with --out.',
    ].join('\n'),
  )
}
