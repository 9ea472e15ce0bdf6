import type { FileSystemError } from './file-system-error.js'

/**
 * Why a file, or a folder and what is in it, cannot be written, and what to do.
 *
 * @param shown the path as the user knows it
 * @param kind what the path was named as
 */
export function whyUnwritable(shown: string, kind: 'file' | 'folder', { code }: FileSystemError): string {
  const found = `${shown} cannot be written (${code})`
  switch (code) {
    case 'ENOENT':
      return kind === 'file'
        ? `The folder of ${shown} does not exist. Create it first.`
        : `${found}: on the way to it is a link that leads nowhere, or nothing can be made there. Name another folder.`
    case 'EISDIR':
      return `${shown} is a folder. Name a file in it.`
    case 'ENOTDIR':
    case 'EEXIST':
      return `${found}: a file stands where a folder has to be. Move it away, or name another ${kind}.`
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `${found}. Name a ${kind === 'file' ? 'file in a folder' : 'folder'} that this user may write to.`
    case 'ENOSPC':
    case 'EDQUOT':
      return `${found}: there is no room left. Make some, or name a ${kind} on another disk.`
    default:
      return `${found}. Name another ${kind}.`
  }
}
