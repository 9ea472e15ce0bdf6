import type { Plan, PlannedFile } from './planned-file.js'
import { unifiedDiff } from './unified-diff.js'

/** What a run would change, as one unified diff that `patch -p1` understands; empty when nothing would. */
export function planDiff(plan: Plan): string {
  return plan.files.map(fileDiff).join('')
}

function fileDiff(file: PlannedFile): string {
  switch (file.action) {
    case 'create':
      return unifiedDiff('/dev/null', `b/${file.path}`, '', file.text)
    case 'update':
      return unifiedDiff(`a/${file.path}`, `b/${file.path}`, file.before, file.text)
    case 'delete':
      return unifiedDiff(`a/${file.path}`, '/dev/null', file.before, '')
    default:
      return ''
  }
}
