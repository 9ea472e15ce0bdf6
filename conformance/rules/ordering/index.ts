import type { Rule, Watch } from '../../rule/rule.js'
import { orderAscending } from './ascending.js'
import { orderReversed } from './reversed.js'
import { orderSorted } from './sorted.js'

export const orderingRules: readonly (Rule | Watch)[] = [orderSorted, orderReversed, orderAscending]
