import { resolve } from 'node:path'
import type { KnownFailure } from '../../conformance/index.js'
import { formatDiagnostics, readSource, type Source } from '../../spec/language/index.js'
import { UsageError } from '../exit-code.js'
import { displayPath } from '../output.js'

const form = 'a list of `rule: ID`, `site: ID` (optional) and `reason: why it is accepted for now`'

/** Reads a list of known failures, YAML or JSON. @throws {UsageError} when it cannot be read, or an entry has no reason */
export async function readKnownFailures(file: string, cwd: string): Promise<readonly KnownFailure[]> {
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
  const reason = 'reason' in entry ? entry.reason : undefined
  if (typeof rule !== 'string' || rule === '') throw entryError(source, pointer, 'an entry must name its rule')
  if (site !== undefined && typeof site !== 'string') throw entryError(source, `${pointer}/site`, 'a site is text')
  if (typeof reason !== 'string' || reason.trim() === '') {
    throw entryError(source, pointer, `an entry must give its reason: say why ${rule} is accepted for now`)
  }
  return { rule, reason, ...(site === undefined ? {} : { site }) }
}

function entryError(source: Source, pointer: string, message: string): UsageError {
  const { line, column } = source.at(pointer)
  return new UsageError(`${source.path}:${line}:${column} ${message}.`)
}
