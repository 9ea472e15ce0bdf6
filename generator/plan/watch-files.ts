import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Watch, watchFolders } from './watch-folders.js'

/**
 * Calls back each time the text of one of the files has changed. A file that is away for a moment, while an editor
 * replaces it, counts as unchanged.
 *
 * @param changed never called while a call of it is still running
 * @param failed the watch broke, as when a folder was removed; it has ended
 * @throws a system error when a folder cannot be watched
 */
export async function watchFiles(
  paths: readonly string[],
  changed: () => Promise<void>,
  failed: (error: Error) => void,
): Promise<Watch> {
  const textOf = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined)
  const known = new Map<string, string | undefined>()
  for (const path of paths) known.set(path, await textOf(path))
  const look = async (): Promise<void> => {
    let differs = false
    for (const path of paths) {
      const text = await textOf(path)
      if (text === undefined || text === known.get(path)) continue
      known.set(path, text)
      differs = true
    }
    if (differs) await changed()
  }
  return watchFolders(paths.map(dirname), look, failed)
}
