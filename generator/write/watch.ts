import { existsSync, type FSWatcher, watch } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Calls back each time the text of one of the files has changed. A file that is missing for a moment, while an editor
 * replaces it, counts as unchanged.
 *
 * @param paths the files, which may be others after each call of `changed`
 * @param changed never called while a call of it is still running
 * @param failed the watch broke, as when a folder was removed; it has ended
 * @throws a system error when a folder cannot be watched
 */
export async function watchFiles(
  paths: () => readonly string[],
  changed: () => Promise<void>,
  failed: (error: Error) => void,
): Promise<Watch> {
  const textOf = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined)
  const known = new Map<string, string | undefined>()
  const learn = async (): Promise<void> => {
    for (const path of paths()) if (!known.has(path)) known.set(path, await textOf(path))
  }
  await learn()
  const look = async (): Promise<void> => {
    let differs = false
    for (const path of paths()) {
      const text = await textOf(path)
      if (text === undefined || text === known.get(path)) continue
      known.set(path, text)
      differs = true
    }
    if (!differs) return
    await changed()
    await learn()
  }
  return watchFolders(() => paths().map(dirname), look, failed)
}

/** Editors write in bursts: a file is truncated, filled, renamed, its backup removed. */
const quietMilliseconds = 60

/** A running watch. */
export interface Watch {
  /** Ends the watch, without waiting for a running call. */
  stop(): void
}

/**
 * Calls back each time something in the folders has changed and then been quiet for a moment. Folders are watched, not
 * files, because many editors replace a file by renaming another over it.
 *
 * @param changed never called while a call of it is still running; what changes meanwhile causes one more call
 * @param failed the watch of a folder broke, as when the folder was removed; the watch has ended
 * @throws a system error when a folder cannot be watched
 */
function watchFolders(
  folders: () => readonly string[],
  changed: () => Promise<void>,
  failed: (error: Error) => void,
): Watch {
  let timer: NodeJS.Timeout | undefined
  let running = false
  let again = false
  let stopped = false

  const run = async (): Promise<void> => {
    if (running) {
      again = true
      return
    }
    running = true
    try {
      do {
        again = false
        await changed()
        if (!stopped) watchNew()
      } while (again && !stopped)
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)))
    } finally {
      running = false
    }
  }
  const soon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void run(), quietMilliseconds)
  }
  const stop = (): void => {
    stopped = true
    clearTimeout(timer)
    for (const watcher of watchers.values()) watcher.close()
  }
  const fail = (error: Error): void => {
    if (stopped) return
    stop()
    failed(error)
  }
  const watchers = new Map<string, FSWatcher>()
  // An included file may be in a folder that is not there yet.
  const watchNew = (): void => {
    for (const folder of folders()) {
      if (!watchers.has(folder) && (watchers.size === 0 || existsSync(folder))) {
        watchers.set(folder, watch(folder, soon).on('error', fail))
      }
    }
  }
  try {
    watchNew()
  } catch (error) {
    stop()
    throw error
  }
  return { stop }
}
