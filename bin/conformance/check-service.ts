import { join, resolve } from 'node:path'
import { versions } from 'node:process'
import { setFlagsFromString } from 'node:v8'
import type {
  ConformanceOptions,
  KnownFailure,
  PlaceOf,
  Progress,
  Report,
  ReportVerdict,
} from '../../conformance/index.js'
import { formatDiagnostics, type LoadedSpec, readSource, type Source } from '../../spec/language/index.js'
import {
  diagnosticsToJson,
  displayPath,
  type ExitCode,
  exitCode,
  shellQuote,
  UsageError,
  writeDiagnostics,
  writeJson,
} from '../output.js'
import { packageRoot } from '../package-root.js'
import { loadSpec } from '../project.js'
import { progressLine, type Terminal } from '../terminal.js'
import type { ConformanceFlags } from './flags.js'
import { type JournalFile, openJournalFile } from './journal.js'
import { ensureReportsWritable, writeReportFile, writeReports } from './reports.js'

/** With at least this many rows, the rows take most of the memory of a run. */
const manyRows = 10_000

/**
 * Tunes V8 for a conformance run, which executes much code a few times and ends soon. docs/architecture.md has the figures.
 *
 * - V8 optimizes functions later: most of that work does not pay off before the run ends. Only Node.js 20 has
 *   this flag.
 * - The main thread collects the young generation, which has its full size from the start: on a small heap, helper
 *   threads cost more than they save.
 * - With many rows, V8 collects garbage before the heap has grown by a third, instead of several times its size.
 *
 * @param maxRows the number of rows that the run reads from each collection
 * @see https://nodejs.org/api/v8.html#v8setflagsfromstringflags
 */
export function tuneV8(maxRows: number): void {
  setFlags(['--interrupt-budget=1200000'], 11)
  if (maxRows >= manyRows) setFlags(['--heap-growing-percent=30'], 14)
  else setFlags(['--semi-space-growth-factor=16', '--no-parallel-scavenge', '--no-concurrent-marking'], 14)
}

/** Sets flags that exist in V8 from version 11 to the given one. V8 warns on standard error about an unknown flag. */
function setFlags(flags: readonly string[], newest: number): void {
  const major = Number.parseInt(versions.v8, 10)
  if (major < 11 || major > newest) return
  for (const flag of flags) setFlagsFromString(flag)
}

const codes: Readonly<Record<ReportVerdict, ExitCode>> = {
  conforms: exitCode.done,
  partial: exitCode.done,
  violations: exitCode.violations,
  unreachable: exitCode.unreachable,
  refused: exitCode.unreachable,
  'insufficient-coverage': exitCode.insufficientCoverage,
  interrupted: exitCode.insufficientCoverage,
  stale: exitCode.staleFailures,
}

/** Checks the service at an address and reports the result. */
export async function checkService(terminal: Terminal, url: string, flags: ConformanceFlags): Promise<ExitCode> {
  tuneV8(flags.maxRows ?? 0)
  const spec = resolve(terminal.cwd, flags.spec ?? join(packageRoot(), 'spec', 'directory.yaml'))
  const loaded = await loadSpec(terminal, flags.spec ?? spec)
  if (loaded.service === undefined && flags.json) {
    writeJson(terminal, { verdict: null, diagnostics: diagnosticsToJson(loaded.diagnostics) })
    // Not the exit code of a spec with errors: here that means that the service violates its spec.
    return exitCode.usage
  }
  writeDiagnostics(terminal, 'err', undefined, loaded.diagnostics, [loaded.source])
  if (loaded.service === undefined)
    throw new UsageError(`The spec ${flags.spec ?? spec} has errors. Fix the errors above first.`)
  const known = flags.knownFailures
  const knownFailures = known === undefined ? [] : await readKnownFailures(known, terminal.cwd)
  const { writeKnownFailures } = flags
  const files = [...(flags.report ?? []), ...(writeKnownFailures === undefined ? [] : [writeKnownFailures])]
  ensureReportsWritable(files, terminal.cwd)
  const notes = flags.spec === undefined ? [defaultSpecNote(loaded.service.title)] : []
  const journal = flags.allowWrites === true ? journalOf(terminal, url, spec, flags.journal) : undefined
  try {
    const report = await runSuite(terminal, {
      ...optionsOf(url, flags),
      spec: loaded.service,
      knownFailures,
      ...(journal === undefined ? {} : { journal }),
    })
    const named = {
      ...report,
      service: { ...report.service, spec: flags.spec ?? displayPath(terminal.cwd, spec) },
      notes: [...notes, ...report.notes],
    }
    if (report.leftovers.length === 0) journal?.discard()
    else
      terminal.err(
        `Left over: ${report.leftovers.length}. Remove them with: specwright conformance ${shellQuote(url)} --cleanup ${shellQuote(journal?.path ?? '')}`,
      )
    await writeOutput(terminal, named, flags, placeIn(loaded))
    if (writeKnownFailures !== undefined) await writeKnown(terminal, named, writeKnownFailures)
    const next = nextStep(report, flags.token !== undefined || flags.header !== undefined)
    if (next !== undefined) terminal.message(next)
    return codes[report.verdict]
  } finally {
    journal?.close()
  }
}

function defaultSpecNote(title: string): string {
  return `No --spec was given: the service is checked as ${title}.`
}

async function writeKnown(terminal: Terminal, { violations }: Report, file: string): Promise<void> {
  const { renderKnownFailures } = await import('../../conformance/index.js')
  writeReportFile(file, terminal.cwd, renderKnownFailures(violations))
  const entries = `${violations.length} known failure${violations.length === 1 ? '' : 's'}`
  terminal.err(`wrote   ${file} with ${entries}: state the reasons, and pass it as --known-failures`)
}

async function runSuite(terminal: Terminal, options: ConformanceOptions): Promise<Report> {
  const { OptionsError, runConformance } = await import('../../conformance/index.js')
  const line = progressLine(terminal)
  const stop = new AbortController()
  void terminal.stopped().then(() => stop.abort())
  try {
    return await runConformance({
      ...options,
      signal: stop.signal,
      now: terminal.now,
      onProgress: reached => line.update(() => progressText(reached, terminal.columns)),
    })
  } catch (error) {
    if (error instanceof OptionsError) throw new UsageError(error.message)
    throw error
  } finally {
    line.end()
  }
}

function optionsOf(url: string, flags: ConformanceFlags): Omit<ConformanceOptions, 'spec'> {
  const { token, header, allowWrites, allowLeftovers, seed, requests, runs, time, only, skip, profile, replay, rate } =
    flags
  const { allowChanges, concurrency, maxRows, timeout, requireCoverage } = flags
  return {
    target: url,
    ...(token === undefined ? {} : { token }),
    ...(header === undefined ? {} : { headers: header }),
    ...(allowWrites === undefined ? {} : { allowWrites }),
    ...(allowLeftovers === undefined ? {} : { allowLeftovers }),
    ...(allowChanges === undefined ? {} : { allowChanges }),
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
    ...(requireCoverage === undefined ? {} : { requireCoverage }),
    ...(maxRows === undefined ? {} : { maxRows }),
    ...(timeout === undefined ? {} : { timeout: timeout * 1000 }),
  }
}

function journalOf(terminal: Terminal, url: string, spec: string, given: string | undefined): JournalFile {
  const name = given ?? `specwright-${Date.now().toString(36)}.journal.jsonl`
  return openJournalFile(resolve(terminal.cwd, name), name, { url, spec })
}

function placeIn({ source }: LoadedSpec): PlaceOf {
  return pointer => {
    const { line, column } = source.at(pointer)
    const file = source.pathOf?.(pointer) ?? source.path
    return { line, column, ...(file === source.path ? {} : { file }) }
  }
}

/** Prints the report on standard output, and writes it to the given files. */
async function writeOutput(
  terminal: Terminal,
  report: Report,
  flags: ConformanceFlags,
  placeOf: PlaceOf,
): Promise<void> {
  const { renderGithub, renderText } = await import('../../conformance/index.js')
  const format = flags.format ?? (terminal.interactive ? 'pretty' : 'plain')
  if (format === 'json') writeJson(terminal, report)
  else if (format === 'github') terminal.out(renderGithub(report, placeOf))
  else terminal.out(renderText(report, { colour: format === 'pretty' && terminal.colour.out, width: terminal.columns }))
  await writeReports(report, flags.report ?? [], terminal.cwd, placeOf)
  for (const file of flags.report ?? []) terminal.err(`report  ${file}`)
}

/** The next step as a command line. The report itself knows neither flags nor shell. */
export function nextStep(
  {
    verdict,
    sites,
    seed,
    service,
    target,
    summary,
  }: Pick<Report, 'verdict' | 'sites' | 'seed' | 'service' | 'target' | 'summary'>,
  hasCredential = false,
): string | undefined {
  const hasBegun = sites.length > 0
  switch (verdict) {
    case 'unreachable':
      if (!hasBegun && target.startsWith('https:') && /\((?:EPROTO|ERR_SSL_\w+)\)/.test(summary)) {
        return `Nothing speaks TLS at that address. Is it ${target.replace('https:', 'http:')}?`
      }
      return hasBegun
        ? `Check the log of the service, restart it, and pass --seed ${seed} to send the same requests.`
        : `Is the service running, and is that the address of the service root, with the version?${versionHint(target, service.version)}`
    case 'refused':
      if (!hasBegun && hasCredential) return 'Pass another token, one that is valid and has every scope of the spec.'
      return hasBegun
        ? 'Use a token that is valid for the whole run, or make the run shorter: --time, --requests.'
        : 'Pass a token with every scope of the spec: --token or SPECWRIGHT_TOKEN.'
    case 'partial':
    case 'insufficient-coverage':
      return 'To check more, give the service more data, the token more rights, or the run more room: --allow-writes, --requests, --time.'
    default:
      return undefined
  }
}

/** For an address that does not end with the version: the one that does. */
function versionHint(target: string, version: string): string {
  const address = target.replace(/\/+$/, '')
  if (address.endsWith(`/${version}`)) return ''
  return ` The paths of the spec begin with /${version}: try ${address.replace(/\/v\d+(?:\.\d+)*$/, '')}/${version}`
}

/** The progress of a run in one line. A narrow terminal shows the most important parts only. */
export function progressText(progress: Progress, columns: number): string {
  const { phase, rulesExercised, rules, requests, requestLimit, violations, left } = progress
  const asked = `${requests}/${requestLimit} requests`
  const failing = violations > 0 ? [`${violations} failing`] : []
  const exercised = rules > 0 ? [`${rulesExercised}/${rules} rules`] : []
  const rest = left !== undefined && left >= 1 ? [`${Math.ceil(left)} s left`] : []
  const whole = [phase.padEnd(9), asked, ...exercised, ...failing, ...rest.map(text => `about ${text}`)].join('  ')
  if (whole.length < columns) return whole
  return [phase, ...failing, ...(exercised.length === 0 ? [asked] : exercised), ...rest].join('  ')
}

const form =
  'a list of `rule: ID`, `site: ID` (optional), `fingerprint: ID` (optional) and `reason: why it is accepted for now`'

/** Reads a list of known failures, YAML or JSON. @throws {UsageError} if it cannot be read, or an entry has no reason */
async function readKnownFailures(file: string, cwd: string): Promise<readonly KnownFailure[]> {
  const { source, diagnostics } = await readSource(displayPath(cwd, resolve(cwd, file)))
  const errors = diagnostics.filter(({ code }) => code !== 'yaml/empty')
  if (errors.length > 0) throw new UsageError(formatDiagnostics(errors, { format: 'plain' }))
  const list = source.document ?? []
  if (!Array.isArray(list)) throw entryError(source, '', `expected ${form}`)
  return list.map((entry: unknown, index) => failureOf(entry, source, `/${index}`))
}

function failureOf(entry: unknown, source: Source, pointer: string): KnownFailure {
  if (typeof entry !== 'object' || entry === null) throw entryError(source, pointer, `expected ${form}`)
  const rule = 'rule' in entry ? entry.rule : undefined
  const site = 'site' in entry ? entry.site : undefined
  const fingerprint = 'fingerprint' in entry ? entry.fingerprint : undefined
  const reason = 'reason' in entry ? entry.reason : undefined
  if (typeof rule !== 'string' || rule === '') throw entryError(source, pointer, 'an entry must name its rule')
  if (site !== undefined && typeof site !== 'string') throw entryError(source, `${pointer}/site`, 'a site is text')
  if (fingerprint !== undefined && (typeof fingerprint !== 'string' || !/^[0-9a-f]{12}$/.test(fingerprint)))
    throw entryError(
      source,
      `${pointer}/fingerprint`,
      'a fingerprint is a text of 12 hexadecimal digits, from a report',
    )
  if (typeof reason !== 'string' || reason.trim() === '') {
    throw entryError(source, pointer, `an entry must give its reason: say why ${rule} is accepted for now`)
  }
  return {
    rule,
    reason,
    ...(site === undefined ? {} : { site }),
    ...(fingerprint === undefined ? {} : { fingerprint }),
  }
}

function entryError(source: Source, pointer: string, message: string): UsageError {
  const { line, column } = source.at(pointer)
  return new UsageError(`${source.path}:${line}:${column} ${message}.`)
}
