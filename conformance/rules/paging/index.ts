import type { Rule, Watch } from '../../rule/rule.js'
import { pagingCovers } from './covers.js'
import { pagingKeeps } from './keeps.js'
import { listEnvelope } from './list-envelope.js'
import { nextLinkLeadsOn } from './next-link-leads-on.js'
import { pagingOrder } from './order.js'
import { pageDistinct } from './page-distinct.js'

export const pagingRules: readonly (Rule | Watch)[] = [
  pagingCovers,
  pagingOrder,
  pagingKeeps,
  nextLinkLeadsOn,
  listEnvelope,
  pageDistinct,
]
