import type { Plan } from './planned-file.js'

/** A file that a run would change: what `--check` reports. */
export interface StaleFile {
  readonly path: string
  /** `changed`: the spec moved on, or the file was edited. `surplus`: it is generated no more. */
  readonly state: 'missing' | 'changed' | 'surplus'
}

const states = { create: 'missing', update: 'changed', delete: 'surplus' } as const

/** The files that are not as the generator emits them; empty when the folder is current. */
export function staleFiles(plan: Plan): readonly StaleFile[] {
  return plan.files.flatMap(file =>
    file.action === 'same' || file.action === 'foreign' ? [] : [{ path: file.path, state: states[file.action] }],
  )
}
