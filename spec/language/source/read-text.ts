import { readFile, stat } from 'node:fs/promises'

/** The longest file that is read, in bytes: a spec of 2,500 operations has a fifteenth of it. */
export const longestText = 16 * 1024 * 1024

/** What keeps a file from being read. */
export interface ReadFault {
  readonly code: string
  readonly message: string
}

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`

/** The text of a file in UTF-8, or what keeps it from being read. */
export async function readText(path: string): Promise<string | ReadFault> {
  try {
    // Asked before it is opened: opening a pipe waits until someone writes to it.
    const status = await stat(path)
    if (status.isDirectory()) return { code: 'file/is-a-folder', message: 'This is a folder; name the file in it.' }
    if (!status.isFile()) return { code: 'file/not-a-file', message: 'This is no regular file.' }
    if (status.size > longestText) {
      const message = `The file has ${megabytes(status.size)}; at most ${megabytes(longestText)} are read.`
      return { code: 'file/too-long', message }
    }
    return decodeText(await readFile(path))
  } catch (error) {
    return readFault(error)
  }
}

/** Bytes of UTF-8 as text, or that they are none. */
export function decodeText(bytes: Uint8Array): string | ReadFault {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return { code: 'file/not-utf-8', message: 'The file is not UTF-8; save it in that encoding.' }
  }
}

/** What a system error says of a file; any other error is thrown on. */
export function readFault(error: unknown): ReadFault {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return { code: 'file/not-found', message: 'There is no such file.' }
    case 'EISDIR':
      return { code: 'file/is-a-folder', message: 'This is a folder; name the file in it.' }
    case 'EACCES':
    case 'EPERM':
      return { code: 'file/unreadable', message: 'Reading the file is not permitted.' }
    case '':
      throw error
    default:
      return { code: 'file/unreadable', message: `The file cannot be read (${code}).` }
  }
}
