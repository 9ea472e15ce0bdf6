import type { Rule, Watch } from '../../rule/rule.js'
import { duplicateKey } from './duplicate-key.js'
import { createKeeps, deleteRemoves, lifeCycle, patchKeeps, replaceSets } from './life-cycle.js'
import { unfitBody } from './unfit-body.js'
import { writeNotFound } from './write-not-found.js'
import { writeShows } from './write-shows.js'

export const writingRules: readonly (Rule | Watch)[] = [
  createKeeps,
  patchKeeps,
  replaceSets,
  deleteRemoves,
  unfitBody,
  duplicateKey,
  writeNotFound,
  writeShows,
  lifeCycle,
]
