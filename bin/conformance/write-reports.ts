import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, extname, resolve } from 'node:path'
import type { Report } from '../../conformance/index.js'
import { unwritable } from '../unwritable.js'
import { type PlaceOf, reportText } from './report-text.js'

/** Writes the report to files, each in the format that its name says. @throws {UsageError} when a file cannot be written */
export async function writeReports(
  report: Report,
  files: readonly string[],
  cwd: string,
  placeOf: PlaceOf,
): Promise<void> {
  for (const file of files) {
    const path = resolve(cwd, file)
    const text = await reportText(report, extname(file).slice(1).toLowerCase(), placeOf)
    try {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    } catch (error) {
      throw unwritable(file, error) ?? error
    }
  }
}
