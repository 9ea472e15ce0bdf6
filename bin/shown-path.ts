import { relative } from 'node:path'

/** A path as people write it: from the current folder, which itself is `.` */
export function shownPath(cwd: string, path: string): string {
  return relative(cwd, path) || '.'
}
