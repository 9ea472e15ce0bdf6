import type { Rule, Watch } from '../../rule/rule.js'
import { filterAbsorb } from './filter-absorb.js'
import { filterAnyOr } from './filter-any-or.js'
import { filterAnyVariable } from './filter-any-variable.js'
import { filterCommute } from './filter-commute.js'
import { filterCountPath } from './filter-count-path.js'
import { filterCountsAddUp } from './filter-counts-add-up.js'
import { filterDeMorgan } from './filter-de-morgan.js'
import { filterDoubleNegation } from './filter-double-negation.js'
import { filterEncoding } from './filter-encoding.js'
import { filterLiteralIndependence } from './filter-literal-independence.js'
import { filterModel } from './filter-model.js'
import { filterMonotone } from './filter-monotone.js'
import { filterParentheses } from './filter-parentheses.js'
import { filterPartition } from './filter-partition.js'
import { filterPivot } from './filter-pivot.js'
import { filterRareFunctions } from './filter-rare-functions.js'
import { filterScope } from './filter-scope.js'
import { filterSpatial } from './filter-spatial.js'
import { filterSplit } from './filter-split.js'
import { filterTimeEquivalent } from './filter-time-equivalent.js'

/** The model first: it tells most. The relations need none, and hold where rows cannot be harvested. */
export const filterRules: readonly (Rule | Watch)[] = [
  filterModel,
  filterCountPath,
  filterScope,
  filterPivot,
  filterLiteralIndependence,
  filterPartition,
  filterParentheses,
  filterSplit,
  filterDeMorgan,
  filterDoubleNegation,
  filterAbsorb,
  filterCommute,
  filterMonotone,
  filterCountsAddUp,
  filterAnyOr,
  filterAnyVariable,
  filterTimeEquivalent,
  filterEncoding,
  filterRareFunctions,
  filterSpatial,
]
