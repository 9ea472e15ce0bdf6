import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import type { Journal } from '../../conformance/index.js'
import { shellPath } from '../shell-path.js'
import { unwritable } from '../unwritable.js'
import { UsageError } from '../usage-error.js'

/** A journal in a file, a line of JSON an entry, each on disk before the request that it tells of goes out. */
export interface JournalFile extends Journal {
  readonly path: string
  /** Removes the file: nothing is left over. */
  readonly discard: () => void
  /** Ends it. Where no create was noted, as when the options are refused before anything is asked, the file goes, too. */
  readonly close: () => void
}

/**
 * @param path absolute
 * @param shown the same, as the user knows it
 * @param head what is needed to clean up later: where the service is, and its spec
 * @throws {UsageError} when the file cannot be made, or is there already
 */
export function openJournalFile(
  path: string,
  shown: string,
  head: { readonly url: string; readonly spec: string },
): JournalFile {
  const file = open(path, shown)
  const write = (entry: object): void => {
    writeSync(file, `${JSON.stringify(entry)}\n`)
    fsyncSync(file)
  }
  let isOfUse = false
  write({ journal: 1, ...head })
  return {
    path,
    creating: entry => {
      isOfUse = true
      write({ creating: entry })
    },
    created: entry => write({ created: entry }),
    gone: entry => write({ gone: entry }),
    close: () => {
      closeSync(file)
      if (!isOfUse) rmSync(path, { force: true })
    },
    discard: () => rmSync(path, { force: true }),
  }
}

function open(path: string, shown: string): number {
  try {
    return openSync(path, 'wx')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      const hint = `remove what that left over with --cleanup ${shellPath(shown)}, then the file.`
      throw new UsageError(`The journal ${shown} is from another run: ${hint}`)
    }
    const refused = unwritable(shown, error)
    throw refused === undefined
      ? error
      : new UsageError(`${refused.message} --journal names where created items are noted.`)
  }
}
