import { isFileSystemError } from '../../generator/plan/file-system-error.js'
import { UsageError } from '../usage-error.js'

/**
 * Does something with a folder or file that the user named.
 *
 * @throws UsageError when the system refuses
 */
export async function usable<Result>(path: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (isFileSystemError(error)) throw new UsageError(`${path} cannot be used: ${error.message}`)
    throw error
  }
}
