import { join, relative, sep } from 'node:path'
import type { Plan } from '../../generator/plan/planned-file.js'
import type { Diagnostic } from '../../spec/language/index.js'
import { jsonOf } from '../options/json-option.js'

/** What came of a run of `generate`. */
export interface Generated {
  /** What the plans say was done; otherwise it was only looked at. */
  readonly written: boolean
  readonly plans: readonly Plan[]
  /** Handlers that were appended to files of the user's. */
  readonly added: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

/** The document of `generate --json`; `current`: nothing was, or would be, done to any file. */
export function plansAsJson(
  { written, plans, added, diagnostics }: Generated,
  cwd: string,
  milliseconds: number,
): object {
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
    diagnostics: jsonOf(diagnostics),
    milliseconds: Math.round(milliseconds),
  }
}
