import type { Calibrator } from '../calibrator.js'
import { neededBy } from '../needed-by.js'
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

/** How a service answers: needed by few rules each. */
export const answeringCalibrators: readonly Calibrator[] = [
  ...neededBy(['unknown-option'], unknownOption),
  ...neededBy(['unknown-property'], unknownProperty),
  ...neededBy(['query-limits'], queryLimits),
  ...neededBy(['plain-needs-none'], advancedConstructs),
  ...neededBy(['single-relation'], absentRelation),
  ...neededBy(['entity-tags'], entityTag),
  ...neededBy(['operation-meaning'], membershipClosure),
  ...neededBy(['writing', 'entity-tags', 'delta'], createStatus, updateStatus, deleteStatus, readYourWrites),
  // For the report only.
  ...neededBy([], advancedQueryStatus, unsupportedQueryStatus),
]
