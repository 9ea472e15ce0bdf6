import { isFileSystemError } from '../generator/plan/file-system-error.js'
import { whyUnwritable } from '../generator/plan/why-unwritable.js'
import { UsageError } from './usage-error.js'

/**
 * What to tell when a file that the user named cannot be written; undefined: the error is not the system's.
 *
 * @param shown the file, as it was named
 */
export function unwritable(shown: string, error: unknown): UsageError | undefined {
  return isFileSystemError(error) ? new UsageError(whyUnwritable(shown, 'file', error)) : undefined
}
