import { readFileSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { countOf } from '../count-of.js'
import { type ExitCode, exitCode } from '../exit-code.js'
import { loadSpec } from '../load-spec.js'
import { writeDiagnostics } from '../options/diagnostics-option.js'
import { jsonOf, writeJson } from '../options/json-option.js'
import type { Terminal } from '../terminal.js'
import { UsageError } from '../usage-error.js'
import type { ConformanceFlags } from './conformance-flags.js'

/** `--cleanup FILE`: removes what the run of a journal left over, and then the journal. */
export async function cleanUpFrom(
  terminal: Terminal,
  file: string,
  url: string | undefined,
  { token, header, spec, json }: ConformanceFlags,
): Promise<ExitCode> {
  const { cleanUpJournal, OptionsError, readJournal } = await import('../../conformance/index.js')
  const path = resolve(terminal.cwd, file)
  const journal = readJournal(textOf(path, file))
  if (journal === undefined) throw new UsageError(`${file} is no journal of a conformance run.`)
  const { service, source, diagnostics } = await loadSpec(terminal, spec ?? journal.spec)
  if (service === undefined) {
    if (json) {
      writeJson(terminal, { removed: null, left: null, diagnostics: jsonOf(diagnostics) })
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
    terminal.out(`${countOf(removed.length, 'item')} removed, ${left.length} left over`)
  }
  if (left.length > 0) return exitCode.unreachable
  rmSync(path)
  return exitCode.done
}

function textOf(path: string, file: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new UsageError(`${file} cannot be read (${code}). Name the journal of the run to clean up after.`)
  }
}
