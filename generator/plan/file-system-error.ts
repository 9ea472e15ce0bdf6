/** A failure that the system reports, with its code: `ENOENT`, `EACCES`. */
export interface FileSystemError extends Error {
  readonly code: string
}

export function isFileSystemError(error: unknown): error is FileSystemError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && /^E[A-Z0-9]+$/.test(error.code)
}

/** Nothing stands at the path: neither the file, nor the folder that it would be in. */
export function isMissing(error: unknown): boolean {
  return isFileSystemError(error) && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}
