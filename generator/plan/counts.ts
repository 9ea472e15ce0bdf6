import type { Plan } from './planned-file.js'

/** How many files a run touched. */
export interface Counts {
  readonly files: number
  readonly created: number
  readonly updated: number
  readonly deleted: number
  readonly unchanged: number
}

export function countFiles(plan: Plan): Counts {
  const count = (action: string): number => plan.files.filter(file => file.action === action).length
  const deleted = count('delete')
  return {
    files: plan.files.length - deleted,
    created: count('create'),
    updated: count('update'),
    deleted,
    unchanged: count('same'),
  }
}
