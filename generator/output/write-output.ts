import type { Diagnostic } from '../../spec/language/index.js'
import { isFileSystemError } from '../plan/file-system-error.js'
import type { Plan } from '../plan/planned-file.js'
import { whyUnwritable } from '../plan/why-unwritable.js'
import { writePlan } from '../plan/write-plan.js'
import { fileDiagnostic } from './file-diagnostic.js'

/** Carries a plan out. Gives what went wrong; nothing when all is written. */
export async function writeOutput(plan: Plan): Promise<readonly Diagnostic[]> {
  try {
    writePlan(plan)
    return []
  } catch (error) {
    if (!isFileSystemError(error)) throw error
    return [fileDiagnostic('output/unwritable', whyUnwritable('The output', 'folder', error), plan.folder)]
  }
}
