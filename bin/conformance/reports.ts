import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, extname, resolve } from 'node:path'
import type { PlaceOf, Report } from '../../conformance/index.js'
import { jsonText, UsageError, unwritableFileError } from '../output.js'

/** Writes the report to files, each in the format of its extension. @throws {UsageError} when a file cannot be written */
export async function writeReports(
  report: Report,
  files: readonly string[],
  cwd: string,
  placeOf: PlaceOf,
): Promise<void> {
  for (const file of files) {
    writeReportFile(file, cwd, await reportText(report, extname(file).slice(1).toLowerCase(), placeOf))
  }
}

/** @throws {UsageError} when the file cannot be written */
export function writeReportFile(file: string, cwd: string, text: string): void {
  const path = resolve(cwd, file)
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  } catch (error) {
    throw unwritableFileError(file, error) ?? error
  }
}

/** A report in the format of a file extension. */
async function reportText(report: Report, extension: string, placeOf: PlaceOf): Promise<string> {
  const render = await import('../../conformance/index.js')
  switch (extension) {
    case 'xml':
      return render.renderJunit(report)
    case 'html':
      return render.renderHtml(report)
    case 'sarif': {
      const { rules } = await import('../../conformance/index.js')
      return render.renderSarif(report, rules, placeOf)
    }
    case 'txt':
      return `${render.renderText(report)}\n`
    default:
      return jsonText(report)
  }
}

/**
 * Checks that the reports can be written, before a run that takes minutes. Existing files stay unchanged.
 *
 * @throws {UsageError} when one cannot
 */
export function ensureReportsWritable(files: readonly string[], cwd: string): void {
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
        `The report ${file} cannot be written (${code}), so nothing was checked. Name a file that you can write.`,
      )
    }
  }
}
