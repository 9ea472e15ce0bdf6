import type { Calibrator } from '../calibrator.js'
import { absentProperty } from './absent-property.js'
import { accents } from './accents.js'
import { emptyString } from './empty-string.js'
import { enumOrder } from './enum-order.js'
import { functionComparison } from './function-comparison.js'
import { guidLiteral } from './guid-literal.js'
import { normalization } from './normalization.js'
import { nullEquality } from './null-equality.js'
import { nullFunction } from './null-function.js'
import { nullRelational } from './null-relational.js'
import { probingCalibrators } from './probing-calibrators.js'
import { searchComparison } from './search-comparison.js'
import { searchMatching } from './search-matching.js'
import { stringComparison } from './string-comparison.js'
import { timestampPrecision } from './timestamp-precision.js'
import { trailingSpaces } from './trailing-spaces.js'

/** How values compare. */
export const comparisonCalibrators: readonly Calibrator[] = [
  guidLiteral,
  searchMatching,
  searchComparison,
  timestampPrecision,
  ...probingCalibrators([
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
