import { closeSync, fsyncSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Journal } from '../../conformance/index.js'
import { visibleText } from '../../spec/language/index.js'
import {
  diagnosticsToJson,
  type ExitCode,
  exitCode,
  pluralize,
  shellQuote,
  UsageError,
  unwritableFileError,
  writeDiagnostics,
  writeJson,
} from '../output.js'
import { loadSpec } from '../project.js'
import type { Terminal } from '../terminal.js'
import type { ConformanceFlags } from './flags.js'

/** A journal in a file: one line of JSON per entry. Each entry is on disk before its request is sent. */
export interface JournalFile extends Journal {
  readonly path: string
  /** Removes the file: nothing is left to clean up. */
  readonly discard: () => void
  /** Closes the file, and removes it if it lists no created or changed item. */
  readonly close: () => void
}

/**
 * @param path absolute
 * @param shown the same path, as the user wrote it
 * @param head what a later cleanup needs: the address of the service, and its spec
 * @throws {UsageError} if the file cannot be created, or already exists
 */
export function openJournalFile(
  path: string,
  shown: string,
  head: { readonly url: string; readonly spec: string },
): JournalFile {
  const file = open(path, shown)
  const write = (entry: object): void => {
    writeSync(file, `${visibleText(JSON.stringify(entry))}\n`)
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
    changing: entry => {
      isOfUse = true
      write({ changing: entry })
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
      const hint = `remove what that left over with --cleanup ${shellQuote(shown)}, then the file.`
      throw new UsageError(`The journal ${shown} is from another run: ${hint}`)
    }
    const refused = unwritableFileError(shown, error)
    throw refused === undefined
      ? error
      : new UsageError(`${refused.message} --journal names the file that lists created items.`)
  }
}

/** `--cleanup FILE`: removes what the run of a journal left behind, and then the journal. */
export async function cleanUp(
  terminal: Terminal,
  file: string,
  url: string | undefined,
  { token, header, spec, json }: ConformanceFlags,
): Promise<ExitCode> {
  const { cleanUpJournal, OptionsError, readJournal } = await import('../../conformance/index.js')
  if (url === undefined && (token !== undefined || header !== undefined)) {
    throw new UsageError(
      'Give the address of the service too: conformance URL --cleanup FILE. A credential is not sent to an address that only the journal names.',
    )
  }
  const path = resolve(terminal.cwd, file)
  const journal = readJournal(textOf(path, file))
  if (journal === undefined) throw new UsageError(`${file} is not the journal of a conformance run.`)
  const { service, source, diagnostics } = await loadSpec(terminal, spec ?? journal.spec)
  if (service === undefined) {
    if (json) {
      writeJson(terminal, { removed: null, left: null, diagnostics: diagnosticsToJson(diagnostics) })
      return exitCode.usage
    }
    writeDiagnostics(terminal, 'err', undefined, diagnostics, [source])
    throw new UsageError(
      `Nothing was removed: the spec ${spec ?? journal.spec} cannot be used. Name another with --spec.`,
    )
  }
  const { removed, left } = await cleanUpJournal({
    service,
    target: url ?? journal.url,
    journal,
    ...(token === undefined ? {} : { token }),
    ...(header === undefined ? {} : { headers: header }),
  }).catch((error: unknown) => {
    throw error instanceof OptionsError ? new UsageError(error.message) : error
  })
  if (json) writeJson(terminal, { removed, left })
  else {
    for (const each of left) terminal.err(`left over: ${each.path} (${each.why})`)
    terminal.out(`${pluralize(removed.length, 'item')} removed, ${left.length} left over`)
  }
  if (left.length > 0) return exitCode.unreachable
  rmSync(path)
  return exitCode.done
}

/** A run creates a few hundred items at most. In bytes. */
const maxJournalSize = 16 * 1024 * 1024

function textOf(path: string, file: string): string {
  try {
    if (statSync(path).size > maxJournalSize) throw new UsageError(`${file} is too large for the journal of a run.`)
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof UsageError) throw error
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new UsageError(`${file} cannot be read (${code}). Name the journal of the run to clean up after.`)
  }
}
