import type { Calibrator } from '../calibrator.js'
import { inAreas } from '../in-areas.js'
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

/** How a service answers: needed where their areas have their turn. */
export const answeringCalibrators: readonly Calibrator[] = [
  ...inAreas(['errors'], unknownOption, unknownProperty, unsupportedQueryStatus, queryLimits),
  ...inAreas(['advanced-queries'], advancedQueryStatus, advancedConstructs),
  ...inAreas(['items'], absentRelation),
  ...inAreas(['entity-tags'], entityTag),
  ...inAreas(['operations'], membershipClosure),
  ...inAreas(['writing', 'entity-tags', 'delta'], createStatus, updateStatus, deleteStatus, readYourWrites),
]
