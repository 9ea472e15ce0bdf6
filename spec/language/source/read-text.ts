import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'

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
    return readErrorOf(error)
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
