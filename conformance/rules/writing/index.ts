import type { Rule, Watch } from '../../rule/rule.js'
import { createKeeps, deleteRemoves, lifeCycle, patchKeeps } from './life-cycle.js'
import { unfitBody } from './unfit-body.js'
import { writeNotFound } from './write-not-found.js'
import { writeShows } from './write-shows.js'

export const writingRules: readonly (Rule | Watch)[] = [
  createKeeps,
  patchKeeps,
  deleteRemoves,
  unfitBody,
  writeNotFound,
  writeShows,
  lifeCycle,
]
