import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatDiagnostics, type Service } from '../../../spec/language/index.js'
import type { EntityRecord } from '../../entity-record.js'
import { DataError } from '../data-error.js'
import { readData } from '../read-data.js'

/** What a data file gives: its items, and its diagnostics, one a line, without the path. */
export interface AllRead {
  readonly items: readonly EntityRecord[]
  readonly diagnostics: readonly string[]
}

/** Reads data from a file made for it. */
export async function readAll(service: Service, text: string | Uint8Array, name = 'data.yaml'): Promise<AllRead> {
  const folder = await mkdtemp(join(tmpdir(), 'specwright-data-'))
  try {
    const path = join(folder, name)
    await writeFile(path, text)
    return await readFrom(service, path)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Reads data from a file that is there. */
export async function readFrom(service: Service, path: string): Promise<AllRead> {
  const items: EntityRecord[] = []
  try {
    for await (const item of readData(path, service)) items.push(item)
    return { items, diagnostics: [] }
  } catch (error) {
    if (!(error instanceof DataError)) throw error
    const text = formatDiagnostics(error.diagnostics, { format: 'plain' })
    return { items, diagnostics: text.split('\n').map(line => line.replaceAll(`${path}:`, '')) }
  }
}
