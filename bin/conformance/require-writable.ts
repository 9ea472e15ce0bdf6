import { closeSync, existsSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { UsageError } from '../usage-error.js'

/**
 * Makes sure that reports can be written where they are to go, before a run that takes minutes. What is there stays as it is.
 *
 * @throws {UsageError} when one cannot
 */
export function requireWritable(files: readonly string[], cwd: string): void {
  for (const file of files) {
    const path = resolve(cwd, file)
    const isThere = existsSync(path)
    try {
      mkdirSync(dirname(path), { recursive: true })
      closeSync(openSync(path, 'a'))
      if (!isThere) rmSync(path)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
      throw new UsageError(
        `The report ${file} cannot be written (${code}), so nothing was judged. Name a file that this user may write.`,
      )
    }
  }
}
