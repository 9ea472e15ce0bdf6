import type { Service } from '../../spec/language/index.js'
import type { EntityRecord } from '../entity-record.js'
import { DataError } from './data-error.js'
import { readDocument } from './read-document.js'
import { readLines } from './read-lines.js'

/**
 * Reads a data file and checks it against the model: YAML, JSON, or JSON Lines when its name ends with `.jsonl` or
 * `.ndjson`. JSON Lines come as they are read, so that data of any size passes through; the others are checked whole
 * before the first item comes.
 *
 * @throws DataError with each thing that is wrong and its place
 */
export async function* readData(path: string, service: Service): AsyncGenerator<EntityRecord, void, undefined> {
  if (!/\.(?:jsonl|ndjson)$/i.test(path)) {
    yield* await readDocument(path, service)
    return
  }
  try {
    yield* readLines(path, service)
  } catch (error) {
    throw unreadable(error, path) ?? error
  }
}

/** What the file system or the decoder threw, as a diagnostic. */
function unreadable(error: unknown, path: string): DataError | undefined {
  const message = messageOf(error)
  if (message === undefined) return undefined
  const place = { line: 1, column: 1, offset: 0, length: 0 }
  return new DataError([{ severity: 'error', code: 'file/unreadable', message, path, place, related: [] }])
}

function messageOf(error: unknown): string | undefined {
  if (error instanceof RangeError) return 'A line is longer than 64 MB; give each item a line of its own.'
  if (!(error instanceof Error) || !('code' in error)) return undefined
  switch (error.code) {
    case 'ENOENT':
      return 'There is no such file.'
    case 'EISDIR':
      return 'This is a folder; name the file in it.'
    case 'ERR_ENCODING_INVALID_ENCODED_DATA':
      return 'The file is not UTF-8; save it in that encoding.'
    case 'EACCES':
      return 'Reading the file is not permitted.'
    default:
      return undefined
  }
}
