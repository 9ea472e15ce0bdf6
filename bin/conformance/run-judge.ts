import { join, resolve } from 'node:path'
import type { ConformanceOptions, Report, ReportVerdict } from '../../conformance/index.js'
import type { Loaded } from '../../spec/language/index.js'
import { type ExitCode, exitCode } from '../exit-code.js'
import { loadSpec } from '../load-spec.js'
import { writeDiagnostics } from '../options/diagnostics-option.js'
import { jsonOf, writeJson } from '../options/json-option.js'
import { packageRoot } from '../package-root.js'
import { progressLine } from '../progress.js'
import { shellPath } from '../shell-path.js'
import { shownPath } from '../shown-path.js'
import type { Terminal } from '../terminal.js'
import { UsageError } from '../usage-error.js'
import { collectAlone } from './collect-alone.js'
import { collectSooner, manyRows } from './collect-sooner.js'
import type { ConformanceFlags } from './conformance-flags.js'
import { type JournalFile, openJournalFile } from './journal-file.js'
import { nextStep } from './next-step.js'
import { optimiseLater } from './optimise-later.js'
import { progressText } from './progress-text.js'
import { readKnownFailures } from './read-known-failures.js'
import type { PlaceOf } from './report-text.js'
import { requireWritable } from './require-writable.js'
import { writeReports } from './write-reports.js'

const codes: Readonly<Record<ReportVerdict, ExitCode>> = {
  conforms: exitCode.done,
  violations: exitCode.violations,
  unreachable: exitCode.unreachable,
  refused: exitCode.unreachable,
  hollow: exitCode.hollow,
  interrupted: exitCode.hollow,
  stale: exitCode.staleFailures,
}

/** Judges the service at an address, and tells what was found. */
export async function runJudge(terminal: Terminal, url: string, flags: ConformanceFlags): Promise<ExitCode> {
  optimiseLater()
  if ((flags.maxRows ?? 0) >= manyRows) collectSooner()
  else collectAlone()
  const spec = resolve(terminal.cwd, flags.spec ?? join(packageRoot(), 'spec', 'directory.yaml'))
  const loaded = await loadSpec(terminal, flags.spec ?? spec)
  if (loaded.service === undefined && flags.json) {
    writeJson(terminal, { verdict: null, diagnostics: jsonOf(loaded.diagnostics) })
    // Not that of a spec with errors: here it would say that the service violates its spec.
    return exitCode.usage
  }
  writeDiagnostics(terminal, 'err', undefined, loaded.diagnostics, [loaded.source])
  if (loaded.service === undefined)
    throw new UsageError(`Nothing can be judged by ${flags.spec ?? spec}; mend what is told above.`)
  const known = flags.knownFailures
  const knownFailures = known === undefined ? [] : await readKnownFailures(known, terminal.cwd)
  requireWritable(flags.report ?? [], terminal.cwd)
  const journal = flags.allowWrites === true ? journalOf(terminal, url, spec, flags.journal) : undefined
  try {
    const report = await judged(terminal, {
      ...optionsOf(url, flags),
      spec: loaded.service,
      knownFailures,
      ...(journal === undefined ? {} : { journal }),
    })
    const named = { ...report, service: { ...report.service, spec: flags.spec ?? shownPath(terminal.cwd, spec) } }
    if (report.leftovers.length === 0) journal?.discard()
    else
      terminal.err(
        `Left over: ${report.leftovers.length}. Remove them with --cleanup ${shellPath(journal?.path ?? '')}`,
      )
    await tell(terminal, named, flags, placeIn(loaded))
    const next = nextStep(report)
    if (next !== undefined) terminal.tell(next)
    return codes[report.verdict]
  } finally {
    journal?.close()
  }
}

async function judged(terminal: Terminal, options: ConformanceOptions): Promise<Report> {
  const { OptionsError, runConformance } = await import('../../conformance/index.js')
  const line = progressLine(terminal)
  const stop = new AbortController()
  void terminal.stopped().then(() => stop.abort())
  try {
    return await runConformance({
      ...options,
      signal: stop.signal,
      now: terminal.now,
      onProgress: reached => line.tell(() => progressText(reached, terminal.columns)),
    })
  } catch (error) {
    if (error instanceof OptionsError) throw new UsageError(error.message)
    throw error
  } finally {
    line.end()
  }
}

function optionsOf(url: string, flags: ConformanceFlags): Omit<ConformanceOptions, 'spec'> {
  const { token, header, allowWrites, seed, requests, runs, time, only, skip, profile, replay, rate } = flags
  const { concurrency, maxRows, timeout } = flags
  return {
    target: url,
    ...(token === undefined ? {} : { token }),
    ...(header === undefined ? {} : { headers: header }),
    ...(allowWrites === undefined ? {} : { allowWrites }),
    ...(seed === undefined ? {} : { seed }),
    ...(requests === undefined ? {} : { requests }),
    ...(runs === undefined ? {} : { runs }),
    ...(time === undefined ? {} : { time }),
    ...(only === undefined ? {} : { only }),
    ...(skip === undefined ? {} : { skip }),
    ...(profile === undefined ? {} : { profile }),
    ...(replay === undefined ? {} : { replay }),
    ...(rate === undefined ? {} : { rate }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(maxRows === undefined ? {} : { maxRows }),
    ...(timeout === undefined ? {} : { timeout: timeout * 1000 }),
  }
}

function journalOf(terminal: Terminal, url: string, spec: string, given: string | undefined): JournalFile {
  const name = given ?? `specwright-${Date.now().toString(36)}.journal.jsonl`
  return openJournalFile(resolve(terminal.cwd, name), name, { url, spec })
}

function placeIn({ source }: Loaded): PlaceOf {
  return pointer => {
    const { line, column } = source.at(pointer)
    return { line, column }
  }
}

/** On standard output, and in the files that were named. */
async function tell(terminal: Terminal, report: Report, flags: ConformanceFlags, placeOf: PlaceOf): Promise<void> {
  const { renderGithub, renderText } = await import('../../conformance/report/render/index.js')
  const format = flags.format ?? (terminal.interactive ? 'pretty' : 'plain')
  if (format === 'json') terminal.out(JSON.stringify(report, null, 2))
  else if (format === 'github') terminal.out(renderGithub(report, placeOf))
  else terminal.out(renderText(report, { colour: format === 'pretty' && terminal.colour.out, width: terminal.columns }))
  await writeReports(report, flags.report ?? [], terminal.cwd, placeOf)
  for (const file of flags.report ?? []) terminal.err(`report  ${file}`)
}
