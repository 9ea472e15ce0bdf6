import { type Calibrator, onlyFor } from './calibrator.js'
import { absentRelation, entityTag, membershipClosure } from './items.js'
import { enumOrder, guidLiteral } from './literals.js'
import { absentProperty, emptyString, nullEquality, nullFunction, nullRelational } from './null-comparison.js'
import { defaultOrder, nullOrder, stringOrder, tieOrder } from './order.js'
import {
  countOnLaterPages,
  countPathWithoutHeader,
  countWithoutHeader,
  defaultPageSize,
  nextLinkForm,
  shortPages,
  topAboveMaximum,
  topMeaning,
  topZero,
} from './paging.js'
import {
  defaultProjection,
  emptyRelation,
  expandDepth,
  expandedItems,
  unselected,
  unselectedKey,
} from './projection.js'
import {
  advancedConstructs,
  advancedQueryStatus,
  queryLimits,
  unknownOption,
  unknownProperty,
  unsupportedQueryStatus,
} from './rejections.js'
import { rowProbeCalibrators } from './row-probes.js'
import { searchComparison, searchMatching } from './search.js'
import { accents, functionComparison, normalization, stringComparison, trailingSpaces } from './text-comparison.js'
import { timestampPrecision } from './timestamp-precision.js'
import { createStatus, deleteStatus, readYourWrites, updateStatus } from './writes.js'

const listCalibrators: readonly Calibrator[] = [
  topMeaning,
  shortPages,
  nextLinkForm,
  countOnLaterPages,
  unselected,
  unselectedKey,
  defaultPageSize,
  defaultProjection,
  defaultOrder,
  stringOrder,
  nullOrder,
  tieOrder,
  emptyRelation,
  expandedItems,
  topZero,
  topAboveMaximum,
  countWithoutHeader,
  countPathWithoutHeader,
  expandDepth,
]

const comparisonCalibrators: readonly Calibrator[] = [
  guidLiteral,
  searchMatching,
  searchComparison,
  timestampPrecision,
  ...rowProbeCalibrators([
    stringComparison,
    functionComparison,
    nullEquality,
    nullRelational,
    nullFunction,
    accents,
    trailingSpaces,
    normalization,
    enumOrder,
    emptyString,
    absentProperty,
  ]),
]

export const responseCalibrators: readonly Calibrator[] = [
  ...onlyFor(['unknown-option'], unknownOption),
  ...onlyFor(['unknown-property'], unknownProperty),
  ...onlyFor(['query-limits'], queryLimits),
  ...onlyFor(['plain-needs-none'], advancedConstructs),
  ...onlyFor(['single-relation'], absentRelation),
  ...onlyFor(['entity-tags'], entityTag),
  ...onlyFor(['operation-meaning'], membershipClosure),
  ...onlyFor(['writing', 'entity-tags', 'delta'], createStatus, updateStatus, deleteStatus, readYourWrites),
  // These are for the report only.
  ...onlyFor([], advancedQueryStatus, unsupportedQueryStatus),
]

/** One calibrator for each open choice that the suite can learn. */
export const calibrators: readonly Calibrator[] = [...listCalibrators, ...comparisonCalibrators, ...responseCalibrators]
