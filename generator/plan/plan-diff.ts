import type { Plan, PlannedFile } from './planned-file.js'
import { unifiedDiff } from './unified-diff.js'

/**
 * What a run would change, as one unified diff that `patch -p1` understands; empty when nothing would.
 *
 * @param named how a file is called whose path below the output folder is given; default: by that path
 */
export function planDiff(plan: Plan, named: (path: string) => string = path => path): string {
  return plan.files.map(file => fileDiff(file, named(file.path))).join('')
}

function fileDiff(file: PlannedFile, name: string): string {
  switch (file.action) {
    case 'create':
      return unifiedDiff('/dev/null', `b/${name}`, '', file.text)
    case 'update':
      return unifiedDiff(`a/${name}`, `b/${name}`, file.before, file.text)
    case 'delete':
      return unifiedDiff(`a/${name}`, '/dev/null', file.before, '')
    default:
      return ''
  }
}
