import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import type { Diagnostic, Problem, SourceLocation } from '../diagnostics/diagnostic.js'

/** The text of a spec, the plain data in it, and the place of each part of the data in the text. */
export interface Source {
  /** As it was given. */
  readonly path: string
  /** Without byte order mark; empty when the file could not be read. */
  readonly text: string
  /** Plain data: objects without prototype, arrays, strings, numbers, booleans, null. */
  readonly document: unknown
  /**
   * The place of a part of the document. A pointer to nothing gets the location of the nearest part that exists.
   *
   * @param pointer a JSON Pointer
   * @param part its key or its value (default)
   */
  readonly at: (pointer: string, part?: 'key' | 'value') => SourceLocation
  /** The file of that place. Absent: everything is in `path`. */
  readonly pathOf?: (pointer: string, part?: 'key' | 'value') => string
  /** The files that the spec includes, without those that cannot be read. */
  readonly included?: readonly { readonly path: string; readonly text: string }[]
  /** The paths of all files that it includes. */
  readonly includedPaths?: readonly string[]
}

/** A source, and its YAML errors. */
export interface SourceResult {
  readonly source: Source
  readonly diagnostics: readonly Diagnostic[]
}

/** Finds the lines and columns of a problem. */
export function locate(problem: Problem, source: Source): Diagnostic {
  const pathOf = source.pathOf ?? (() => source.path)
  const path = pathOf(problem.at, problem.on)
  return {
    severity: problem.severity ?? 'error',
    code: problem.code,
    message: problem.message,
    path,
    location: source.at(problem.at, problem.on),
    related: (problem.related ?? []).map(other => {
      const place = pathOf(other.at, other.on)
      return {
        message: other.message,
        location: source.at(other.at, other.on),
        ...(place === path ? {} : { path: place }),
      }
    }),
    ...(problem.suggestion === undefined ? {} : { suggestion: problem.suggestion }),
  }
}

/** Finds the line and column of a range of text. Counts the lines on first use. */
export function lineIndex(text: string): (start: number, end: number) => SourceLocation {
  let starts: number[] | undefined
  const lineStarts = (): number[] => {
    if (starts) return starts
    starts = [0]
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
    return starts
  }
  return (start, end) => {
    const lines = lineStarts()
    let low = 0
    let high = lines.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((lines[middle] ?? 0) <= start) low = middle
      else high = middle - 1
    }
    const lineStart = lines[low] ?? 0
    const nextLine = lines[low + 1]
    let lineEnd = nextLine === undefined ? text.length : nextLine - 1
    if (text[lineEnd - 1] === '\r' && lineEnd > lineStart) lineEnd--
    return {
      line: low + 1,
      column: start - lineStart + 1,
      offset: start,
      length: Math.max(0, Math.min(end, lineEnd) - start),
    }
  }
}

/** The longest file that is read, in bytes: a spec of 2,500 operations has a fifteenth of it. */
export const maxFileBytes = 16 * 1024 * 1024

/** Why a file cannot be read. */
export interface ReadError {
  readonly code: string
  readonly message: string
}

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`

/** The text of a file in UTF-8, or why it cannot be read. */
export async function readText(path: string): Promise<string | ReadError> {
  try {
    // Opening a pipe would wait for a writer.
    const status = await stat(path)
    if (status.isDirectory()) return { code: 'file/is-a-folder', message: 'This is a folder. Name a file in it.' }
    if (!status.isFile()) return { code: 'file/not-a-file', message: 'This is not a regular file.' }
    if (status.size > maxFileBytes) {
      const message = `The file has ${megabytes(status.size)}. The limit is ${megabytes(maxFileBytes)}.`
      return { code: 'file/too-long', message }
    }
    return decodeText(await readFile(path))
  } catch (error) {
    const found = readErrorOf(error)
    if (path.includes('\n') && (found.code === 'file/not-found' || found.code === 'file/unreadable')) {
      return { code: 'file/is-text', message: 'This is the text of a spec, not the path of its file.' }
    }
    if (/^https?:\/\//i.test(path)) {
      return { code: 'file/is-url', message: 'Specwright does not read URLs. Save the document in a file.' }
    }
    return found
  }
}

/** Decodes UTF-8, or reports that the bytes are not UTF-8. */
function decodeText(bytes: Uint8Array): string | ReadError {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return { code: 'file/not-utf-8', message: 'The file is not UTF-8. Save it in that encoding.' }
  }
}

/** The reason of a system error. Rethrows any other error. */
function readErrorOf(error: unknown): ReadError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return { code: 'file/not-found', message: 'There is no such file.' }
    case 'EISDIR':
      return { code: 'file/is-a-folder', message: 'This is a folder. Name a file in it.' }
    case 'EACCES':
    case 'EPERM':
      return { code: 'file/unreadable', message: 'You do not have permission to read the file.' }
    case '':
      throw error
    default:
      return { code: 'file/unreadable', message: `The file cannot be read (${code}).` }
  }
}

/** The text that a stream of UTF-8 has up to its end, or why it cannot be read. */
export async function readStream(chunks: AsyncIterable<Uint8Array>): Promise<string | ReadError> {
  const read: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of chunks) {
      size += chunk.length
      if (size > maxFileBytes) {
        return {
          code: 'file/too-long',
          message: `The input has more than ${maxFileBytes / 1024 / 1024} MB, which is the limit.`,
        }
      }
      read.push(chunk)
    }
  } catch (error) {
    return readErrorOf(error)
  }
  return decodeText(Buffer.concat(read))
}

/**
 * Reads a file that a spec names. Specs are untrusted: they may name files in their own folder only, also after links are
 * resolved.
 *
 * @param spec the path of the spec
 * @param name the file, relative to the spec
 */
export async function readSiblingFile(spec: string, name: string): Promise<string | ReadError> {
  const outside: ReadError = {
    code: 'file/outside',
    message: 'It is not in the folder of the spec. Copy it there, and name it relative to the spec.',
  }
  const folder = dirname(spec)
  const path = resolve(folder, name)
  if (isAbsolute(name) || !isWithin(resolve(folder), path)) return outside
  try {
    return isWithin(await realpath(folder), await realpath(path)) ? await readText(path) : outside
  } catch (error) {
    return readErrorOf(error)
  }
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
