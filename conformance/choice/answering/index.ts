import type { Calibrator } from '../calibrator.js'
import { absentRelation } from './absent-relation.js'
import { advancedConstructs } from './advanced-constructs.js'
import { advancedQueryStatus } from './advanced-query-status.js'
import { entityTag } from './entity-tag.js'
import { membershipClosure } from './membership-closure.js'
import { queryLimits } from './query-limits.js'
import { readYourWrites } from './read-your-writes.js'
import { unknownOption } from './unknown-option.js'
import { unknownProperty } from './unknown-property.js'
import { unsupportedQueryStatus } from './unsupported-query-status.js'
import { createStatus, deleteStatus, updateStatus } from './write-statuses.js'

export const answeringCalibrators: readonly Calibrator[] = [
  unknownOption,
  unknownProperty,
  unsupportedQueryStatus,
  advancedQueryStatus,
  advancedConstructs,
  absentRelation,
  entityTag,
  membershipClosure,
  queryLimits,
  createStatus,
  updateStatus,
  deleteStatus,
  readYourWrites,
]
