import type { Rule, Watch } from '../../rule/rule.js'
import { topBounds } from './bounds.js'
import { countTells } from './count.js'
import { countPath } from './count-path.js'
import { countType } from './count-type.js'
import { countUnasked } from './count-unasked.js'
import { topFiltered } from './filtered.js'
import { topFirst } from './first.js'
import { skipLeavesOut } from './skip.js'
import { topRespected } from './top-respected.js'

export const topSkipCountRules: readonly (Rule | Watch)[] = [
  topFirst,
  skipLeavesOut,
  countTells,
  countPath,
  topFiltered,
  topBounds,
  topRespected,
  countType,
  countUnasked,
]
