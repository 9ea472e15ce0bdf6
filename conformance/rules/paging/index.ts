import type { Rule, Watch } from '../../rule/rule.js'
import { pagingCovers } from './covers.js'
import { pagingKeeps } from './keeps.js'
import { pagingOrder } from './order.js'

export const pagingRules: readonly (Rule | Watch)[] = [pagingCovers, pagingOrder, pagingKeeps]
